// Moves by clicks on the board, from the moves that the server offers (gyoji/core/game.py, `Offered`), without rules.

import { button, svg } from "./dom.js";
import { placeName } from "./frames.js";
import { pictured } from "./shapes.js";

/** @import { Offered } from "./state.js" */
/**
 * The effect of a click: the places chosen so far for a move, the possible moves, and the move if it is complete.
 * @typedef {{chosen: number[], moves: [string, string, string][], move: string}} Meant
 */

/**
 * Handle a click.
 * @param {Offered} offered
 * @param {{columns: string[], rows: string[]}} scene
 * @param {number[]} chosen places of the clicks before it
 * @param {number} place
 * @param {boolean} confirms whether a move is made only when its last place is clicked again
 * @returns {Meant}
 */
export function clicked(offered, scene, chosen, place, confirms) {
  if (offered.ways.length) return byWays(offered, chosen, place, confirms);
  const own = offered.choices.filter(([, , where]) => where === place);
  const isAgain = chosen.length === 1 && chosen[0] === place;
  const isSure = !confirms || isAgain;
  if (own.length) {
    const moves = /** @type {[string, string, string][]} */ (own.map(([move, words]) => [move, words, ""]));
    return { chosen: [place], moves, move: own.length === 1 && isSure ? own[0][0] : "" };
  }
  if (!offered.points.length) return { chosen: [], moves: [], move: "" };
  const most = Math.max(...offered.points);
  const isKept = isAgain && confirms && most === 1;
  const next = (isKept ? [place] : chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place]).slice(-most);
  if (!offered.points.includes(next.length)) return { chosen: next, moves: [], move: "" };
  const move = next.map((each) => placeName(scene, each)).join(offered.between);
  const isWhole = next.length === most && (isSure || next.length > 1);
  return { chosen: next, moves: isWhole ? [] : [[move, `play ${move}`, ""]], move: isWhole ? move : "" };
}

/** @param {Offered} offered @param {number[]} chosen @param {number} place @param {boolean} confirms @returns {Meant} */
function byWays({ ways }, chosen, place, confirms) {
  const isAgain = chosen.length > 1 && chosen.at(-1) === place;
  const next = isAgain ? chosen : [...chosen, place];
  const open = ways.filter(([places]) => next.every((each, index) => places[index] === each));
  if (!open.length) { // another piece, or none
    return chosen.length && chosen[0] !== place ? byWays({ ...NONE, ways }, [], place, confirms) : { chosen: [], moves: [], move: "" };
  }
  const whole = open.filter(([places]) => places.length === next.length);
  const moves = /** @type {[string, string, string][]} */ (whole.map(([, move, words, sign]) => [move, words || `play ${move}`, sign]));
  if (whole.length === 1) return { chosen: next, moves: confirms && !isAgain ? moves : [], move: confirms && !isAgain ? "" : whole[0][1] };
  return { chosen: next, moves, move: "" };
}

/** @type {Offered} */
const NONE = { points: [], between: "", choices: [], signs: [], ways: [] };

/**
 * Return the places that can be clicked at present.
 * @param {Offered} offered
 * @param {number[]} chosen
 */
export function leadsTo({ ways }, chosen) {
  if (!chosen.length) return [];
  return [...new Set(ways.filter(([places]) => chosen.every((each, index) => places[index] === each))
    .map(([places]) => places[chosen.length]).filter((place) => place !== undefined))];
}

/**
 * Return the places of a move that is given as text; [] if they are unknown.
 * @param {Offered} offered
 * @param {{columns: string[], rows: string[]}} scene
 * @param {string} move
 * @returns {number[]}
 */
export function placesOf({ ways, choices }, scene, move) {
  const [way] = ways.filter(([, text]) => text === move);
  if (way) return way[0];
  const [choice] = choices.filter(([text, , place]) => text === move && place >= 0);
  if (choice) return [choice[2]];
  const count = scene.columns.length * scene.rows.length;
  for (let place = 0; place < count; place++) {
    if (placeName(scene, place).toLowerCase() === move.toLowerCase()) return [place];
  }
  return [];
}

/**
 * Make a button for one of several possible moves of a click, with a picture of its piece if there is one.
 * @param {[string, string, string]} move move, words, sign
 * @param {(move: string) => void} take
 */
export function moveButton([move, words, sign], take) {
  const made = button(words, () => take(move));
  if (sign) {
    const picture = svg("svg", { class: "board sign", viewBox: "-5 -5 10 10", "aria-hidden": "true" });
    picture.append(...pictured(sign, 0, 0));
    made.prepend(picture);
  }
  return made;
}
