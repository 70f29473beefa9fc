// A position in letters and in words, for people who cannot see the board.

import { placeName } from "./frames.js";

/** @import { Game } from "./state.js" */

/** @type {Record<string, string>} */
const LETTERS = { B: "X", W: "O", b: "x", w: "o" };
const LOOKS = ["down", "down left", "left", "up left", "up", "up right", "right", "down right"];
/** @type {Record<string, string>} */
const MEN_NAMES = { K: "king", Q: "queen", R: "rook", B: "bishop", N: "knight", P: "pawn" };

/**
 * Return a place in letters: X and O for stones, x and o for dead ones, or else its signs.
 * @param {string} signs
 */
function placeLetters(signs) {
  const [first] = signs.split(" ");
  if (LETTERS[first]) return LETTERS[first];
  if (first[0] === "'" || first[0] === "=") return first.slice(1);
  if (first[0] === "M") return first[1] === "0" ? first[2] : first[2].toLowerCase();
  return first[0] === "+" ? "bw"[Number(first[1])] : signs.replaceAll(" ", "");
}

/**
 * Return the board in letters, with the names of columns and rows.
 * @param {Game} game
 * @param {Map<number, string>} signs
 */
export function boardText(game, signs) {
  const names = [...game.rows, ...game.columns];
  const cells = [...signs.values()].map((text) => (text ? placeLetters(text) : ""));
  const width = Math.max(1, ...names.concat(cells).map((text) => text.length));
  const line = (/** @type {string[]} */ texts) => texts.map((text) => text.padStart(width)).join(" ");
  const lines = game.rows.map((name, row) => line([name, ...game.columns.map((_, column) => {
    const text = signs.get(row * game.columns.length + column);
    return text ? placeLetters(text) : ".";
  })]));
  return [line(["", ...game.columns]), ...lines].join("\n");
}

/**
 * Return the name of a sign in the legend, without the direction of a piece.
 * @param {Game} game
 * @param {string} sign
 */
function signName(game, sign) {
  const [team, look] = [game.sides[Number(sign[1])], LOOKS[Number(sign[2])]];
  const [, text = sign] = game.legend.find(([each]) => each[0] === sign[0] && (sign[0] !== "+" || each === sign)) ?? [];
  if (sign[0] === "'") return game.legend.find(([each]) => each === sign)?.[1] ?? sign.slice(1);
  if (sign[0] === "=") return game.legend.find(([each]) => each === sign)?.[1] ?? `colour ${sign.slice(1)}`;
  if (/^[BW]$/i.test(sign)) return `${/[bw]/.test(sign) ? "faded " : ""}${game.sides["BW".indexOf(sign.toUpperCase())]}`;
  if (sign[0] === "S" || sign[0] === "D") return `${team}'s ${text.split(",")[0]}, looking ${look},`;
  if (sign[0] === "M") return `${team} ${MEN_NAMES[sign[2]] ?? sign[2]}`;
  return /^[TU]/.test(sign) ? `${text} ${sign.slice(1)}` : text;
}

/**
 * Return a line for each kind of sign, with its places.
 * @param {Game} game
 * @param {Map<number, string>} signs
 */
export function boardWords(game, signs) {
  /** @type {Map<string, string[]>} */
  const found = new Map();
  for (const [place, text] of [...signs].sort(([one], [other]) => one - other)) {
    for (const sign of text ? text.split(" ") : []) {
      const name = signName(game, sign);
      found.set(name, [...(found.get(name) ?? []), spoken(game, place)]);
    }
  }
  const lines = [...found].map(([name, places]) => `${name}: ${places.join(" ")}`);
  return lines.length ? lines : ["The board is empty."];
}

/**
 * @param {Game} game
 * @param {number} place
 */
function spoken(game, place) {
  const [column, row] = [place % game.columns.length, Math.floor(place / game.columns.length)];
  return game.kind === "cells" && /\d/.test(game.columns[0]) ? `(${game.columns[column]},${game.rows[row]})` : placeName(game, place);
}

let saying = 0;

/**
 * Announce a text to screen readers, but not more often than a person can listen to.
 * @param {string} text
 */
export function announce(text) {
  clearTimeout(saying);
  saying = setTimeout(() => {
    const place = document.getElementById("announce");
    if (place && place.textContent !== text) place.textContent = text;
  }, 400);
}
