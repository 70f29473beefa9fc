// Texts for the person at a seat.

/** @import { Game } from "./state.js" */

/** Return the name of a seat. @param {Game | null} game null if it is unknown yet @param {number} number */
export function nameOf(game, number) {
  if (!game) return `seat ${number + 1}`;
  const { name, side, role } = game.seats[number];
  return `${name} (${role || game.sides[side]})`;
}

/** Requests of the other side, as questions to this side. @type {Record<string, string>} */
const ASKED = { "take-back": "asks to take back a move. Do you agree?", draw: "offers a draw. Do you accept?" };
/** Requests of this side, while the other side considers them. @type {Record<string, string>} */
const PENDING = { "take-back": "Your wish to take back a move", draw: "Your offer of a draw" };

/** Return the names of the opponents of a seat. @param {Game | null} game @param {number} number */
function others(game, number) {
  const names = game?.seats.filter(({ side }) => side !== game.seats[number].side).map(({ name }) => name) ?? [];
  return [...new Set(names)].join(" and ") || "the other side";
}
/** Texts of the buttons of a person's requests. @type {Record<string, string>} */
export const REQUESTS = {
  "take-back": "take back a move", draw: "offer a draw", hint: "suggest a move", resign: "resign",
};

/**
 * Return the question to a seat in words, with the player in a team.
 * @param {any} seat
 * @param {Game | null} game
 * @param {boolean} isOne it is the person's only seat
 */
export function questionText(seat, game, isOne) {
  if (!seat) return "";
  const { question, isOver } = seat;
  const isMate = Boolean(game?.seats[seat.number].role);
  if (!question && seat.wish) return `${PENDING[seat.wish]} waits for ${others(game, seat.number)}.`;
  if (!question && !isOver && seat.asked?.about === "dead") {
    const other = others(game, seat.number);
    return game?.acting?.length ? `Play goes on. ${other} is to move.` : `Your count is sent. Waiting for the count of ${other}.`;
  }
  if (!question && isMate) return isOver ? "" : `You are ${nameOf(game, seat.number)}. Others are to move.`;
  if (!question) return isOver ? "" : "The other side is to move.";
  if (question.about === "consent") return `${nameOf(game, question.of)} ${ASKED[question.request]}`;
  if (question.about === "dead" && question.dead) return "Both have passed. Click dead groups (again to unmark), then agree.";
  if (question.about === "dead") return "Which stones are dead? Click or name a point of each group, or say that none is.";
  const { points, ways } = question.offered;
  const scene = seat.begin.scene ?? game;
  const task = scene?.phases.find((/** @type {[string]} */ [phase]) => phase === question.phase)?.[2];
  return [
    `It is your turn${isOne && !isMate ? "" : ` for ${nameOf(game, seat.number)}`}.`,
    question.phase ? task ?? `${question.phase}.` : "",
    !task && Math.max(1, ...points) > 1 && !ways.length ? `Choose ${points.join(" or ")} points.` : "",
  ].filter(Boolean).join(" ");
}

/** A move of the other side in words. @param {string} who @param {string} move */
function moved(who, move) {
  return move.toLowerCase() === "pass" ? `${who} has passed. If you pass too, the game is counted.` : `${who}: ${move}`;
}

/** Return the last message to a seat. @param {any} seat @param {Game | null} game @param {(number: number) => boolean} isOwn */
export function lastText(seat, game, isOwn) {
  if (!seat || seat.question?.about === "consent") return "";
  if (!seat.question && !seat.isOver && seat.asked?.about === "dead") return ""; // both have passed: that is known
  const shown = game?.turns.at(-1) ?? []; // as people write moves; a seat is told them as programs do
  const written = (/** @type {number} */ number, /** @type {string} */ text) => shown.find(([mover]) => mover === number)?.[1] ?? text;
  const { question, last: { news = [], taken_back: takenBack } } = seat;
  return [
    takenBack ? `taken back: ${takenBack} turn${takenBack > 1 ? "s" : ""}` : "",
    ...news.flat().filter((/** @type {any} */ [number]) => !isOwn(number)).map((/** @type {any} */ [number, text]) => moved(nameOf(game, number), written(number, text))),
    question?.hint && question.of === seat.number ? `suggestion: ${question.hint}, the blue mark on the board` : question?.notice,
    seat.refused?.reason,
  ].filter(Boolean).join(" · ");
}

/** Return the state of a person who has no game at present. @param {any} standing */
export function waitingText({ running, remaining, ready, awaited, again, starting, last, others: known }) {
  const [other, ...more] = known;
  if (starting.length && remaining !== 0) return `Starting ${starting.join(" and ")} …`;
  if (remaining === 0 && (last || again)) return "";
  if (!running && again) return "The game was broken off.";
  if (!running) return last && !remaining ? "" : "The games are not running at the moment. This page tells you when they are.";
  if (remaining === 0) return "There is nothing left to play.";
  if (awaited || !ready) return `${more.length || !other ? "Your game" : `Your game against ${other}`} begins when you are ready.`;
  return more.length || !other ? "You are ready. Waiting for your next game." : `You are ready. Waiting for ${other}.`;
}
