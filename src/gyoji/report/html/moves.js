// The list of moves, with the variations that were tried as a tree. A click shows that position.

import { dot } from "./board.js";
import { $, button, element } from "./dom.js";
import { goTo, nextPhase, turnNumber } from "./frames.js";
import { change, onChange, state } from "./state.js";

/** @import { Game, Node } from "./state.js" */

/** Show a variation: moves after a turn. Only pages with a server set this function. @type {(from: number, moves: string[]) => void} */
let open = () => {};

/** @param {(from: number, moves: string[]) => void} work */
export function onVariation(work) {
  open = work;
}

/**
 * Add a variation to the tree.
 * @param {number} from
 * @param {string[]} moves
 * @param {string[]} said the same moves as people write them
 */
export function remember(from, moves, said) {
  const tree = new Map(state.tree);
  let level = tree.get(from) ?? [];
  tree.set(from, level);
  moves.forEach((text, index) => {
    let node = level.find((each) => each.text === text);
    if (!node) level.push(node = { text, words: said[index] ?? text, next: [] });
    level = node.next;
  });
  change({ tree });
}

/** Return the row of a turn, below one that names the phase which begins with it. @param {Game} game @param {number} turn */
function entry(game, turn) {
  const moves = game.turns[turn - 1] ?? [];
  const go = button("", () => {
    change({ variation: null });
    goTo(turn);
  }, { tabindex: "-1" });
  const { number, side } = turnNumber(game, turn);
  if (side < 0) go.append(element("span", { class: "number" }, String(number)));
  else if (!side || turn === 1) go.append(element("span", { class: "number" }, `${number}${side ? "…" : "."}`));
  go.append(...moves.flatMap(([seat, text]) => [...(side < 0 ? [dot(game.seats[seat].side)] : []), element("span", { class: "move" }, text), " "]));
  const opinion = moves.length === 1 && moves[0][6];
  if (opinion) go.title = opinion;
  const phase = nextPhase(game, turn - 1);
  return [
    ...(phase && phase !== nextPhase(game, turn - 2) ? [element("li", { class: "phase", "data-phase": turn }, phase)] : []),
    element("li", { "data-turn": turn, ...(side < 0 ? {} : { class: `side-${side}` }) }, go),
  ];
}

/**
 * Return the moves that were tried after a turn: the first variation, with the others in brackets.
 * @param {number} from
 * @param {string[]} before
 * @param {Node[]} nodes
 * @returns {Node_[]}
 */
function branches(from, before, nodes) {
  const [first, ...others] = nodes;
  if (!first) return [];
  const lead = [...before, first.text];
  const isShown = state.variation?.from === from && `${state.variation.moves}`.startsWith(`${lead}`);
  const go = button(first.words, () => open(from, lead), isShown ? { "aria-current": "true", tabindex: "-1" } : { tabindex: "-1" });
  const aside = others.flatMap((node) => [" (", ...branches(from, before, [node]), ") "]);
  return [go, ...aside, ...branches(from, lead, first.next)];
}
/** @typedef {HTMLElement | string} Node_ */

let listed = ""; // the game whose turns are in the list
/** @type {string[]} */
let texts = []; // what the list says of each turn

/** @param {Game} game */
function drawList(game) {
  const list = $("movelist");
  const now = game.turns.map((turn) => turn.map(([seat, text]) => `${seat} ${text}`).join());
  list.classList.toggle("paired", game.first_number > 0);
  list.classList.toggle("many", game.seats.length > 2 || game.sides.length !== 2);
  if (listed !== game.id) texts = [];
  listed = game.id;
  let same = 0;
  while (same < texts.length && texts[same] === now[same]) same++;
  for (const each of list.querySelectorAll("li[data-turn], li[data-phase]")) if (Number(each.dataset.turn ?? each.dataset.phase) > same) each.remove();
  list.append(...now.slice(same).flatMap((_, index) => entry(game, same + index + 1)));
  texts = now;
}

function drawTree() {
  const list = $("movelist");
  for (const each of list.querySelectorAll(".tried")) each.remove();
  for (const [from, nodes] of state.tree) {
    const line = element("li", { class: "tried" }, ...nodes.flatMap((node) => [...branches(from, [], [node]), " "]));
    const after = list.querySelector(`li[data-turn="${from}"]`);
    if (after) after.after(line);
    else list.prepend(line);
  }
}

function drawCurrent() {
  const list = $("movelist");
  const { variation, turn } = state;
  const at = variation ? variation.from : turn;
  const wanted = list.querySelector(`li[data-turn="${at}"] > button`);
  const before = list.querySelector("li[data-turn] > button[aria-current]");
  if (before !== wanted) {
    before?.removeAttribute("aria-current");
    before?.setAttribute("tabindex", "-1");
    wanted?.setAttribute("aria-current", "true");
    wanted?.setAttribute("tabindex", "0");
    showCurrent();
  }
}

/** Scroll the list so that the shown move is in its middle. */
function showCurrent() {
  const list = $("movelist");
  const wanted = list.querySelector("li[data-turn] > button[aria-current]");
  // Only the list scrolls, never the page
  if (!wanted) {
    list.scrollTop = 0;
    return;
  }
  const { top, height } = wanted.getBoundingClientRect();
  const room = Math.floor(list.clientHeight / height) - 1; // lines beside that of the move
  const last = /** @type {HTMLElement} */ (list.lastElementChild).getBoundingClientRect();
  const below = Math.round((last.top - top) / height);
  const above = Math.max(room - below, Math.floor(room / 2)) * height; // no line is cut off at the top
  list.scrollTop += top - list.getBoundingClientRect().top - Math.max(above, 0);
}

new ResizeObserver(showCurrent).observe($("movelist"));
onChange(({ game }, changed) => {
  if (!game) return;
  const isNew = changed.has("game");
  if (isNew) drawList(game);
  if (isNew || changed.has("tree") || changed.has("variation")) drawTree();
  if (isNew || changed.has("turn") || changed.has("variation")) drawCurrent();
});
