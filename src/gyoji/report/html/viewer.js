// The viewer: shows a game turn by turn, also while it is being played.

import { drawOvers, drawPosition, emptyBoard, extent, placeUnder } from "./board.js";
import { boardText, boardWords } from "./boardtext.js";
import { $, element, svg, write } from "./dom.js";
import { goTo, isAtEnd, lastTurn, positionAfter, shownGame } from "./frames.js";
import { onKey } from "./keys.js";
import { pictured } from "./shapes.js";
import { change, onChange, state } from "./state.js";

/** @import { Game, Over } from "./state.js" */
/** @import { Board } from "./board.js" */

/** @typedef {(place: number, event: PointerEvent, isDrawn: boolean) => boolean} Taker */

/** @type {Board | null} */
let board = null;
let shape = ""; // of the board that is drawn
let timer = 0; // of playing by itself, 0 when it does not
/** @type {Taker[]} */
const takers = [];

/**
 * Add a handler of clicks on the board, which is called before the earlier ones.
 * @param {Taker} take returns whether it has taken the click
 */
export function onPlace(take) {
  takers.unshift(take);
}

/** @type {(() => Over[])[]} */
const sources = [];

/**
 * Add a function that returns further drawings over the board, called each time.
 * @param {() => Over[]} source
 */
export function addOvers(source) {
  sources.push(source);
}

/** Return the board as it is drawn: the game, and whether it is turned. */
const sceneOf = (/** @type {Game} */ game) => ({ ...game, flipped: state.flipped });

/** @param {Game} game */
function makeBoard(game) {
  const viewer = $("viewer");
  viewer.hidden = false;
  viewer.classList.toggle("men", game.kind === "squares");
  viewer.classList.toggle("teams", ["cells", "hexes"].includes(game.kind) || game.sides.length > 2);
  board = game.columns.length ? emptyBoard(sceneOf(game)) : null;
  viewer.classList.toggle("boardless", !board);
  const [width, height] = game.columns.length ? extent(game) : [1, 1];
  viewer.style.setProperty("--ratio", String(width / height));
  $("board").replaceChildren(...(board ? [board.board] : []));
}

/** @param {Game} game */
function drawBoard(game) {
  if (!board) return;
  const { turn, look } = state;
  const { signs, numbers } = positionAfter(game, turn);
  const [[, marks = []] = [], [, before = []] = []] = [game.frames[turn], game.frames[turn - 1]];
  drawPosition(board.layer, sceneOf(game), signs, marks, look.numbers ? numbers : new Map(), before);
  board.board.setAttribute("aria-label", `Position after ${turn} of ${lastTurn()} turns. ${turnWords(game, turn)}`);
}

/** @param {Game} game @param {number} turn */
function turnWords(game, turn) {
  const moves = turn ? game.turns[turn - 1] ?? [] : [];
  return moves.map(([seat, text]) => `${game.sides[game.seats[seat].side]}: ${text}`).join(", ");
}

/** Show the position as text, if that panel is open. @param {Game} game */
function drawText(game) {
  $("textform").hidden = !board;
  if (!board || !$("textform").open) return;
  const { signs } = positionAfter(game, state.turn);
  $("boardtext").textContent = boardText(game, signs);
  $("boardwords").replaceChildren(...boardWords(game, signs).map((line) => element("p", { class: "said soft" }, line)));
}

/** Show the legend of the signs on the board. @param {Game} game */
function drawLegend(game) {
  const occurring = new Set(game.frames.flatMap(([changes = []]) => (
    changes.flatMap((each, index) => (index % 2 ? each.split(" ").map((/** @type {string} */ sign) => sign[0]) : [])))));
  $("legend").replaceChildren(...game.legend.filter(([sign]) => occurring.has(sign[0])).map(([sign, text]) => {
    const picture = svg("svg", { viewBox: "0 0 10 10", class: "board" });
    picture.append(svg("rect", { class: game.kind, width: 10, height: 10 }), ...pictured(sign, 5, 5));
    return element("span", {}, picture, text);
  }));
}

/** @param {Game} game */
function drawSteps(game) {
  const [turn, last] = [state.turn, lastTurn()];
  $("slider").max = last;
  $("slider").value = turn;
  write($("count"), `${turn} / ${last}`);
  Object.assign($("viewer").dataset, { turns: state.game?.turns.length, turn, game: game.id, live: Boolean(game.live), flipped: state.flipped });
  $("viewer").classList.toggle("past", !isAtEnd());
  if (turn === last) stopPlaying();
}

onChange(({ game }, changed) => {
  const shown = shownGame();
  if (!game || !shown) return;
  const [isNew, isMoved] = [changed.has("game"), ["game", "turn", "variation"].some((name) => changed.has(name))];
  const wanted = JSON.stringify([game.id, game.kind, game.columns, game.rows, game.stars, state.flipped]);
  if (wanted !== shape) {
    shape = wanted;
    makeBoard(game);
  }
  if (isMoved || changed.has("flipped") || changed.has("look")) drawBoard(shown);
  if (board) drawOvers(board.over, sceneOf(game), [...Object.values(state.overlays).flat(), ...sources.flatMap((source) => source())]);
  if (isMoved || changed.has("flipped")) {
    drawText(shown);
    drawSteps(shown);
  }
  if (!isNew) return;
  write($("about"), game.about);
  write($("missing"), game.missing);
  $("numbered").hidden = game.kind !== "points";
  drawLegend(game);
});

function stopPlaying() {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = "▶";
}

function togglePlaying() {
  if (timer) return stopPlaying();
  if (state.turn === lastTurn()) goTo(0);
  timer = setInterval(() => goTo(state.turn + 1), 600);
  $("play").textContent = "⏸";
}

const STEPS = {
  first: () => goTo(0), back: () => goTo(state.turn - 1),
  forward: () => goTo(state.turn + 1), last: () => goTo(lastTurn()), play: togglePlaying,
};

/** @type {[string, string, () => void][]} */
const KEYS = [
  ["ArrowLeft", "one turn back", STEPS.back], ["ArrowRight", "one turn on", STEPS.forward],
  ["PageUp", "ten turns back", () => goTo(state.turn - 10)], ["PageDown", "ten turns on", () => goTo(state.turn + 10)],
  ["Home", "the start", STEPS.first], ["End", "the end", STEPS.last], [" ", "play by itself", togglePlaying],
];

for (const [id, step] of Object.entries(STEPS)) $(id).addEventListener("click", step);
$("slider").addEventListener("input", () => goTo(Number($("slider").value)));
$("turn").addEventListener("click", () => change({ flipped: !state.flipped }));
$("textform").addEventListener("toggle", () => change({ turn: state.turn }));
for (const [key, text, step] of KEYS) onKey(key, text, () => { if (state.game) step(); });

/** Return the place at a mouse pointer or finger; -1 if there is none. @param {PointerEvent} event */
export function pointed(event) {
  return state.game && board ? placeUnder(event, sceneOf(state.game), board.board) : -1;
}

let pressed = -1;
$("board").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  pressed = event.button === 0 ? pointed(event) : -1;
});
// A piece may be drawn from its place to another one: that is a click on each, `isDrawn` of the first.
$("board").addEventListener("pointerup", (/** @type {PointerEvent} */ event) => {
  const [from, to] = [pressed, pointed(event)];
  pressed = -1;
  if (from < 0 || to < 0) return;
  const isDrawn = from !== to && state.game?.kind === "squares";
  if (isDrawn) takers.some((take) => take(from, event, true));
  takers.some((take) => take(to, event, false));
});
