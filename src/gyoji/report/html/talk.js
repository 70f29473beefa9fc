// Texts about the shown turn: its move, the engine's comment, the title, and the end of the game.

import { dot } from "./board.js";
import { announce } from "./boardtext.js";
import { $, element, write } from "./dom.js";
import { duration } from "./bars.js";
import { lastTurn, phaseWords, shownGame, taken, turnName } from "./frames.js";
import { onChange, state } from "./state.js";

/** @import { Game, Move } from "./state.js" */

/** @param {string} text */
const words = (text) => element("p", { class: "said soft" }, text);

/**
 * Make the lines about a move: its player, its time, and the comment on it.
 * @param {Game} game
 * @param {Move} move
 * @param {number} captured
 */
function moveLines(game, [seat, text, ms, comment, phase, note, opinion], captured) {
  const who = game.seats[seat];
  const line = element("p", {}, dot(who.side), element("b", {}, text), ` ${who.name}${who.role ? ` (${who.role})` : ""}, ${duration(ms)}`);
  if (captured) line.append(`, takes ${captured}`);
  if (phase) line.append(`, ${phaseWords(game, phase)}`);
  if (note) line.append(`: ${note}`);
  return [line, ...(opinion ? [words(opinion)] : []), ...(comment ? [words(`“${comment}”`)] : [])];
}

/** Return the comment of the other side on its last move before this turn, if there is one. @param {Game} game @param {number} turn */
function lastWords(game, turn) {
  const moved = new Set((game.turns[turn - 1] ?? []).map(([seat]) => game.seats[seat].side));
  for (let at = turn - 2; at >= Math.max(turn - 9, 0); at--) {
    const other = game.turns[at].filter(([seat, , , comment, , , opinion]) => (
      !moved.has(game.seats[seat].side) && (comment || opinion)));
    if (other.length) return [words(`Before, ${turnName(game, at + 1)}:`), ...other.flatMap((move) => moveLines(game, move, 0))];
  }
  return [];
}

/** Show the moves of the shown turn, and the comments on them. @param {Game} game @param {number} turn */
function drawMoves(game, turn) {
  const moves = turn ? game.turns[turn - 1] ?? [] : [];
  const captured = taken(game, turn);
  const isEnd = turn === lastTurn() && !game.live;
  const said = moves.flatMap((move) => moveLines(game, move, captured));
  announce([turn ? `${turnName(game, turn)}.` : "The start.", ...moves.map(([seat, text]) => `${game.seats[seat].name}: ${text}.`),
    captured ? `Takes ${captured}.` : "", isEnd ? game.result : ""].join(" "));
  if (!turn) said.push(words("The start of the game."));
  for (const [after, text] of game.taken_back ?? []) if (after === turn) said.push(words(text));
  if (isEnd) said.push(...game.remarks.map(([seat, text]) => words(`${game.seats[seat].name}: “${text}”`)));
  said.push(...lastWords(game, turn));
  $("moves").replaceChildren(...said);
}

/** Return the players of the game, or its result. @param {Game} game */
function titleOf(game) {
  if (state.variation) return `Variation after ${state.variation.from ? turnName(game, state.variation.from) : "turn 0"}`;
  const names = game.sides.map((_, side) => [...new Set(game.seats.filter((seat) => seat.side === side).map((seat) => seat.name))].join(" & "));
  return names.filter(Boolean).join(" – ");
}

/** Return the result for the banner. @param {Game} game */
function resultOf(game) {
  const { winners = [], drawn = false, how = "", code = game.result } = game.outcome ?? {};
  const isMine = state.me.some((seat) => winners.includes(seat));
  const names = [...new Set(winners.map((seat) => game.seats[seat].name))].join(" & ");
  if (game.outcome?.open) return { title: "Not decided yet", more: game.result };
  const side = winners.length ? game.sides[game.seats[winners[0]].side] : "";
  const won = `${side && side !== names ? `${side[0].toUpperCase()}${side.slice(1)} (${names})` : names} won`;
  const title = !winners.length ? (drawn ? "Draw" : "No result:") : !state.me.length ? won : isMine ? "You won" : "You lost";
  return { title: `${title} ${how}`, more: winners.length && state.me.length && !isMine ? `${won}: ${code}` : code };
}

/**
 * Add the next game to the banner at the end of a game.
 * @param {HTMLElement} element
 */
export function addNext(element) {
  $("next-steps").append(element);
}

onChange(({ game }, changed) => {
  const shown = shownGame();
  if (!game || !shown || !["game", "turn", "variation", "me"].some((name) => changed.has(name))) return;
  write($("title"), titleOf(game));
  drawMoves(shown, state.turn);
  const isOver = !game.live && Boolean(game.result) && !state.variation;
  $("banner").hidden = !isOver;
  if (!isOver) return;
  const { title, more } = resultOf(game);
  write($("outcome"), title);
  write($("how"), more);
});
