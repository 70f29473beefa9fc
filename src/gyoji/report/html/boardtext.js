"use strict";
// A position in letters and in words, for whoever does not see the board.

const LETTERS = { B: "X", W: "O", b: "x", w: "o" };
const LOOKS = ["down", "down left", "left", "up left", "up", "up right", "right", "down right"];

function placeName(game, place) {
  const [column, row] = [game.columns[place % game.columns.length], game.rows[Math.floor(place / game.columns.length)]];
  return game.kind === "cells" ? `(${column},${row})` : column + row;
}

// A place in a few letters: of stones X and O, small ones for those that are dead; else the signs themselves.
function placeLetters(signs) {
  const [first] = signs.split(" ");
  if (LETTERS[first]) return LETTERS[first];
  if (first[0] === "M") return first[1] === "0" ? first[2] : first[2].toLowerCase();
  return first[0] === "+" ? "bw"[first[1]] : signs.replaceAll(" ", "");
}

function boardText(game, signs) {
  const names = [...game.rows, ...game.columns];
  const cells = [...signs.values()].map((text) => (text ? placeLetters(text) : ""));
  const width = Math.max(1, ...names.concat(cells).map((text) => text.length));
  const line = (texts) => texts.map((text) => text.padStart(width)).join(" ");
  const lines = game.rows.map((name, row) => line([name, ...game.columns.map((_, column) => {
    const text = signs.get(row * game.columns.length + column);
    return text ? placeLetters(text) : ".";
  })]));
  return [line(["", ...game.columns]), ...lines].join("\n");
}

// What a sign is called: as the legend has it, but for where a piece looks.
function signName(game, sign) {
  const [team, look] = [game.sides[Number(sign[1])], LOOKS[Number(sign[2])]];
  const [, text = sign] = game.legend.find(([each]) => each[0] === sign[0] && (sign[0] !== "+" || each === sign)) ?? [];
  if (/^[BW]$/i.test(sign)) return `${/[bw]/.test(sign) ? "faded " : ""}${game.sides["BW".indexOf(sign.toUpperCase())]}`;
  if (sign[0] === "S" || sign[0] === "D") return `${team}'s ${text.split(",")[0]}, looking ${look},`;
  return /^[TU]/.test(sign) ? `${text} ${sign.slice(1)}` : text;
}

// Lines of words: each kind of sign with its places.
function boardWords(game, signs) {
  const found = new Map();
  for (const [place, text] of [...signs].sort(([one], [other]) => one - other)) {
    for (const sign of text ? text.split(" ") : []) {
      const name = signName(game, sign);
      found.set(name, [...(found.get(name) ?? []), placeName(game, place)]);
    }
  }
  const lines = [...found].map(([name, places]) => `${name}: ${places.join(" ")}`);
  return lines.length ? lines : ["The board is empty."];
}

// Says what is new, but not more often than somebody can hear it.
let saying = 0;

function announce(text) {
  clearTimeout(saying);
  saying = setTimeout(() => { document.getElementById("announce").textContent = text; }, 400);
}
