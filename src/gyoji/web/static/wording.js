// Words for the person at a seat.

/** @import { Game } from "./state.js" */

/** The name of a seat of a game. @param {Game | null} game null if it is unknown yet @param {number} number */
export function nameOf(game, number) {
  if (!game) return `seat ${number + 1}`;
  const { name, side, role } = game.seats[number];
  return `${name} (${[game.sides[side], role].filter(Boolean).join(" ")})`;
}

/** @type {Record<string, string>} */
const NOUNS = { "take-back": "a take-back", draw: "a draw" };
/** What a person may wish, as buttons have it. @type {Record<string, string>} */
export const REQUESTS = {
  "take-back": "take back", draw: "offer a draw", hint: "suggest a move", resign: "resign",
};

/**
 * The question to a seat in words. A team's seat also names its player.
 * @param {any} seat
 * @param {Game | null} game
 * @param {boolean} isOne it is the person's only seat
 */
export function questionText(seat, game, isOne) {
  if (!seat) return "";
  const { question, isOver } = seat;
  const isMate = Boolean(game?.seats[seat.number].role);
  if (!question && isMate) return isOver ? "" : `You are ${nameOf(game, seat.number)}. Others are to move.`;
  if (!question) return isOver ? "" : "The other side is to move.";
  if (question.about === "consent") return `${nameOf(game, question.of)} asks for ${NOUNS[question.request]}. Do you agree?`;
  if (question.about === "dead") return "Which stones are dead? Click or name a point of each group, or say that none is.";
  const { points, ways } = question.offered;
  return [
    `It is your turn${isOne && !isMate ? "" : ` for ${nameOf(game, seat.number)}`}.`,
    question.phase ? `${question.phase}.` : "",
    Math.max(1, ...points) > 1 && !ways.length ? `Choose ${points.join(" or ")} points.` : "",
  ].filter(Boolean).join(" ");
}

/** The last message to a seat. @param {any} seat @param {Game | null} game @param {(number: number) => boolean} isOwn */
export function lastText(seat, game, isOwn) {
  if (!seat) return "";
  const { news = [], taken_back: takenBack } = seat.last;
  return [
    takenBack ? `taken back: ${takenBack} turn${takenBack > 1 ? "s" : ""}` : "",
    ...news.flat().filter((/** @type {any} */ [number]) => !isOwn(number)).map((/** @type {any} */ [number, text]) => `${nameOf(game, number)}: ${text}`),
    seat.question?.notice ?? "",
    seat.refused,
  ].filter(Boolean).join(" · ");
}

/** The state for a person who plays no game now. @param {any} standing */
export function waitingText({ running, remaining, ready, awaited, again, starting, last }) {
  if (starting.length && remaining !== 0) return `Starting ${starting.join(" and ")} …`;
  if (remaining === 0 && (last || again)) return "";
  if (!running) return again ? "The game was broken off." : "The games are not running at the moment. This page tells you when they are.";
  if (remaining === 0) return "There is nothing left to play.";
  if (awaited) return `Game ${awaited} waits for you. Say when you are ready to play.`;
  return ready ? "You wait for your next game." : "Say when you are ready to play.";
}
