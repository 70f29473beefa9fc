// Variations: moves by click or typed, from the shown position. The server plays them. The address has them, so that
// a variation can be sent to other people.

import { clicked, leadsTo, moveButton } from "./choosing.js";
import { $, write } from "./dom.js";
import { about, careful, fetchJson, path, tell } from "./feed.js";
import { goTo } from "./frames.js";
import { remember } from "./moves.js";
import { choosePiece } from "./pieces.js";
import { change, onChange, state } from "./state.js";
import { addOvers, onPlace } from "./viewer.js";

/** @import { Game, Move, Over } from "./state.js" */

const { competition, game: id } = about;
let isOn = false; // clicks try moves
/** How the next move can be made, and the position for which that holds: [turn, moves]. @type {any} */
let offered = null;
let at = "";
/** Clicks that wait for an answer of the server. Those at a position that is left are dropped. @type {number[]} */
let early = [];
/** The number of moves that the server has not answered. While there are some, nothing else is asked. */
let sent = 0;

/** Return whether moves can be tried in a game. @param {Game} game */
export const canTry = (game) => game.columns.length > 0 && !game.hidden && !game.decided && game.kind !== "cells";

/** @param {number} from @param {string[]} moves */
const ask = (from, moves) => {
  const asked = new URLSearchParams([["turn", String(from)], ...moves.map((move) => ["play", move])]);
  return fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(id)}/try?${asked}`);
};

/** The variation, and the part of it that is on the board. */
function shownLine() {
  const { variation, turn } = state;
  return variation ? { from: variation.from, moves: variation.moves.slice(0, turn - variation.from) } : { from: turn, moves: [] };
}

/**
 * Show the variation of these moves after a turn; without moves, the position of the game.
 * @type {(from: number, moves: string[]) => Promise<void>}
 */
export const tryMoves = careful(async (from, moves) => {
  const told = await ask(from, moves);
  tell("");
  isOn = true;
  remember(from, moves, told.turns.map((/** @type {Move[]} */ [[, text]]) => text));
  change({ variation: moves.length ? { from, moves, ...told } : null, chosen: [] });
  goTo(from + moves.length);
});

/** Ask the server how a move can be made in the shown position. */
const learnWays = careful(async () => {
  const { from, moves } = shownLine();
  const now = JSON.stringify([from, moves]);
  if (!isOn || sent || at === now) return;
  if (at) early = [];
  at = now;
  offered = null;
  const told = await ask(from, moves).catch((error) => {
    if (at === now) [at, early] = ["", []]; // so that it is asked again
    throw error;
  });
  if (at !== now) return;
  offered = told.offered;
  change({ chosen: [] });
  const [first, ...others] = early;
  early = others;
  if (first !== undefined) choose(first, false);
});

/**
 * Try a move. Clicks that come before the answer are for the position after it: if it is refused, they are dropped.
 * @param {string} move
 */
async function next(move) {
  const { from, moves } = shownLine();
  [offered, at, early] = [null, "", []];
  sent += 1;
  await tryMoves(from, [...moves, move]);
  sent -= 1;
  if (shownLine().moves.length <= moves.length) early = [];
  learnWays();
}

/** @param {boolean} wanted */
function setTrying(wanted) {
  isOn = wanted;
  at = "";
  offered = null;
  early = [];
  const { variation } = state;
  change({ variation: null, chosen: [] });
  if (variation && !wanted) goTo(variation.from);
}

onChange(({ variation, chosen }, changed) => {
  if (!["game", "turn", "variation", "chosen"].some((name) => changed.has(name))) return;
  $("trying").hidden = !isOn;
  $("try").setAttribute("aria-pressed", String(isOn));
  write($("tried"), variation?.turns.map(([[, text]]) => text).join(" ") ?? "");
  $("viewer").classList.toggle("trying", isOn);
  $("board").classList.toggle("asked", isOn);
  if (!chosen.length) showMoves([]);
  learnWays();
});

addOvers(() => {
  if (!isOn || !offered) return [];
  return [
    ...state.chosen.map((place) => /** @type {Over} */ ([place, "chosen"])),
    ...leadsTo(offered, state.chosen).map((place) => /** @type {Over} */ ([place, "dot"])),
  ];
});

onPlace((place, _, isDrawn) => {
  if (isOn && offered) choose(place, isDrawn);
  else if (isOn) early.push(place);
  return isOn;
});

/** Handle a click. @param {number} place @param {boolean} isDrawn */
function choose(place, isDrawn) {
  const { game, chosen } = state;
  if (!game || !offered) return;
  const meant = clicked(offered, game, isDrawn ? [] : chosen, place, false);
  change({ chosen: meant.move ? [] : meant.chosen });
  if (meant.move) next(meant.move);
  showMoves(meant.move ? [] : meant.moves);
}

/** Show buttons for several moves. @param {[string, string, string][]} moves move, words, sign */
function showMoves(moves) {
  const isPiece = choosePiece(moves, next, () => change({ chosen: [] }));
  $("tried-choices").replaceChildren(...(isPiece ? [] : moves.map((each) => moveButton(each, next))));
}
$("try").addEventListener("click", () => setTrying(!isOn));
$("leave").addEventListener("click", () => setTrying(false));
$("trying").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const move = $("trymove").value.trim();
  $("trymove").value = "";
  if (move) next(move);
});
$("untry").addEventListener("click", () => {
  const { from, moves } = shownLine();
  tryMoves(from, moves.slice(0, -1));
});
