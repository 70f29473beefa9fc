// SVG shapes of the pieces on a place, around its centre. Signs represent the pieces (gyoji/core/game.py).

import { svg } from "./dom.js";

export const PLACE = 10;
export const HEX = PLACE / Math.sqrt(3); // from the middle of a hex to a corner

/**
 * Gradients of round pieces, lit from the top left: [offset, colour] of each step.
 * @type {Record<string, [number, string][]>}
 */
export const LIGHT = {
  black: [[0, "#62666d"], [0.45, "#25282d"], [1, "#08090a"]],
  white: [[0, "#ffffff"], [0.65, "#f4f3ef"], [1, "#cfccc4"]],
};

/** Make the gradients that all boards of the page use, once. */
export function lights() {
  if (document.getElementById("lights")) return;
  const made = svg("svg", { id: "lights", width: 0, height: 0, "aria-hidden": "true" });
  for (const [name, stops] of Object.entries(LIGHT)) {
    const light = svg("radialGradient", { id: `light-${name}`, cx: 0.36, cy: 0.32, r: 0.72 });
    light.append(...stops.map(([offset, colour]) => svg("stop", { offset, "stop-color": colour })));
    made.append(light);
  }
  document.body.append(made);
}

// The outline of each chessman around (0, 0), as in boards.py, and the foot on which all stand.
/** @type {Record<string, string>} */
const MEN = {
  P: "M0-2.6a1.35 1.35 0 0 1 .9 2.4L1.9 2.6H-1.9L-.9-.2A1.35 1.35 0 0 1 0-2.6z",
  N: "M-.6-3.6L.2-3c2 .2 2.9 2.2 2.4 5.6h-4.4c0-1.7.9-2.1 1.5-3.2-.9.3-1.6.5-2.1 1.1l-.8-.6c.1-1.6 1-2.6 1.8-3.3z",
  B: "M0-3.7a.55.55 0 0 1 .35.95C1.7-1.7 2-.2 1.2 1l.7 1.6h-3.8l.7-1.6C-2-.2-1.7-1.7-.35-2.75A.55.55 0 0 1 0-3.7z",
  R: "M-2.4-3.2h1.2v.9h.8v-.9h.8v.9h.8v-.9h1.2v2l-.7.5.4 3.3h-4.2l.4-3.3-.7-.5z",
  Q: "M-3-2.1l1.3 2.2-.1-3 1.2 2.7L0-3.4l.6 3.2 1.2-2.7-.1 3L3-2.1l-.9 4.7h-4.2z",
  K: "M-.35-4h.7v.6h.6v.7h-.6v.9C1.4-2.6 3-2.2 2.9-.7 2.8.5 2 1.3 2 2.6h-4C-2 1.3-2.8.5-2.9-.7-3-2.2-1.4-2.6-.35-1.8v-.9h-.6v-.7h.6z",
};
const FOOT = "M-2.8 3.7v-.8h5.6v.8z";

/**
 * Return the SVG path of a hexagon.
 * @param {number} x
 * @param {number} y
 */
export function hexAt(x, y) {
  const half = PLACE / 2;
  return `M${x} ${y - HEX}L${x + half} ${y - HEX / 2}V${y + HEX / 2}L${x} ${y + HEX}L${x - half} ${y + HEX / 2}V${y - HEX / 2}Z`;
}

// What each sign looks like around (x, y), by its first letter; `rest` is what follows that.
/** @type {Record<string, (x: number, y: number, rest: string) => SVGGraphicsElement[]>} */
const SIGNS = {
  B: (x, y) => stone(x, y, "black"),
  W: (x, y) => stone(x, y, "white"),
  b: (x, y) => [svg("circle", { class: "black faded", cx: x, cy: y, r: 4.7, fill: "url(#light-black)" })],
  w: (x, y) => [svg("circle", { class: "white faded", cx: x, cy: y, r: 4.7, fill: "url(#light-white)" })],
  "+": (x, y, rest) => [svg("rect", { class: `owner${rest}`, x: x - 1.3, y: y - 1.3, width: 2.6, height: 2.6 })],
  H: (x, y) => [svg("ellipse", { class: "hole", cx: x, cy: y + 0.5, rx: 3.9, ry: 3.1 })],
  T: (x, y, rest) => coin(x, y, rest, "coin"),
  U: (x, y, rest) => coin(x, y, rest, "coin buried"),
  S: (x, y, rest) => piece(x, y, rest, svg("circle", { cx: x, cy: y, r: 3.9 })),
  M: (x, y, rest) => [svg("path", { class: `man${rest[0]}`, transform: `translate(${x} ${y}) scale(1.16)`, d: (MEN[rest[1]] ?? "") + FOOT })],
  "=": (x, y, rest) => [svg("rect", { class: `fill${rest}`, x: x - PLACE / 2, y: y - PLACE / 2, width: PLACE, height: PLACE })],
  "'": (x, y, rest) => [svg("text", { class: "ink", x, y }, rest)],
  D: (x, y, rest) => piece(x, y, rest, svg("rect", { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6, rx: 1.2 })),
};

/**
 * @param {number} x
 * @param {number} y
 * @param {string} colour
 */
function stone(x, y, colour) {
  return [
    svg("circle", { class: "shade", cx: x + 0.3, cy: y + 0.55, r: 4.6 }),
    svg("circle", { class: colour, cx: x, cy: y, r: 4.7, fill: `url(#light-${colour})` }),
  ];
}

/**
 * @param {number} x
 * @param {number} y
 * @param {string} amount
 * @param {string} kind
 */
function coin(x, y, amount, kind) {
  return [svg("circle", { class: kind, cx: x, cy: y, r: 3.7 }), svg("text", { class: "ink", x, y }, amount)];
}

// The eight directions, from straight down, clockwise.
const DIRECTIONS = [[0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0], [1, 1]];

/**
 * Make a piece in the colour of its side, with a dot in the direction that it faces.
 * @param {number} x
 * @param {number} y
 * @param {string} rest side, direction
 * @param {SVGGraphicsElement} body
 */
function piece(x, y, rest, body) {
  body.setAttribute("class", `team${rest[0]}`);
  const [dx, dy] = DIRECTIONS[Number(rest[1])] ?? [0, 0];
  const step = 2.2 / (Math.hypot(dx, dy) || 1);
  return [body, svg("circle", { class: "face", cx: x + dx * step, cy: y + dy * step, r: 1.1 })];
}

/**
 * Make the shapes of all signs of a place. An unknown sign is shown as text.
 * @param {string} signs
 * @param {number} x
 * @param {number} y
 * @param {string} [kind] of the board
 */
export function pictured(signs, x, y, kind = "cells") {
  return signs.split(" ").flatMap((sign) => {
    if (sign[0] === "=" && kind === "hexes") return [svg("path", { class: `fill${sign.slice(1)}`, d: hexAt(x, y) })];
    const draw = SIGNS[sign[0]];
    return draw ? draw(x, y, sign.slice(1)) : [svg("text", { class: "ink", x, y }, sign)];
  });
}
