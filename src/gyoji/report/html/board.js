// Boards as SVG. A place is 10 units wide. Signs represent the pieces on it (gyoji/core/game.py).

import { svg } from "./dom.js";
import { HEX, PLACE, hexAt, lights, pictured } from "./shapes.js";

/** @import { Game, Over } from "./state.js" */
/** A board as it is drawn, turned or not. @typedef {Pick<Game, "kind" | "columns" | "rows" | "stars"> & {flipped?: boolean}} Scene */
/** @typedef {{board: SVGSVGElement, layer: SVGGraphicsElement, over: SVGGraphicsElement}} Board */

export const MARGIN = 4.5;
const STEP = Math.sqrt(3) / 2; // from a row of hexes to the next, in places

/**
 * Return the centre of a place, in units from the top left corner of the board.
 * @param {Scene} scene
 * @param {number} place
 * @returns {[number, number]}
 */
export function middle({ kind, columns, rows, flipped }, place) {
  const at = flipped ? columns.length * rows.length - 1 - place : place;
  if (kind === "hexes") {
    const row = Math.floor(at / columns.length);
    return [MARGIN + (at % columns.length + row / 2 + 0.5) * PLACE, MARGIN + (row * STEP + 0.5) * PLACE];
  }
  return [MARGIN + (at % columns.length + 0.5) * PLACE, MARGIN + (Math.floor(at / columns.length) + 0.5) * PLACE];
}

/**
 * Return the width and the height of a board in units.
 * @param {Pick<Scene, "kind" | "columns" | "rows">} scene
 * @returns {[number, number]}
 */
export function extent({ kind, columns, rows }) {
  if (kind === "hexes") {
    const last = rows.length - 1;
    return [(columns.length + last / 2) * PLACE + 2 * MARGIN, (last * STEP + 1) * PLACE + 2 * MARGIN];
  }
  return [columns.length * PLACE + 2 * MARGIN, rows.length * PLACE + 2 * MARGIN];
}

/**
 * Return the place of a board at a mouse pointer or finger; -1 if there is none.
 * @param {{clientX: number, clientY: number}} event
 * @param {Scene} scene
 * @param {SVGGraphicsElement} board
 */
export function placeUnder(event, scene, board) {
  const { kind, columns, rows, flipped } = scene;
  const screen = board.getScreenCTM();
  if (!screen) return -1;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(screen.inverse());
  if (kind === "hexes") {
    const far = Array.from({ length: columns.length * rows.length }, (_, place) => {
      const [x, y] = middle(scene, place);
      return Math.hypot(x - at.x, y - at.y);
    });
    const nearest = far.indexOf(Math.min(...far));
    return far[nearest] <= HEX ? nearest : -1;
  }
  const [column, row] = [Math.floor((at.x - MARGIN) / PLACE), Math.floor((at.y - MARGIN) / PLACE)];
  if (columns[column] === undefined || rows[row] === undefined) return -1;
  const place = row * columns.length + column;
  return flipped ? columns.length * rows.length - 1 - place : place;
}

/**
 * Make an empty board, with a layer for the position and a layer for drawings over it.
 * @param {Scene} scene
 * @returns {Board}
 */
export function emptyBoard(scene) {
  lights();
  const [width, height] = extent(scene);
  const board = /** @type {any} */ (svg("svg", { class: scene.columns.length < 12 ? "board few" : "board", viewBox: `0 0 ${width} ${height}`, role: "img" }));
  board.append(svg("rect", { class: scene.kind, width, height }), lines(scene));
  for (const place of scene.stars) {
    const [x, y] = middle(scene, place);
    board.append(svg("circle", { class: "star", cx: x, cy: y, r: 0.9 }));
  }
  board.append(...names(scene, width, height));
  const [layer, over] = [svg("g"), svg("g", { class: "over" })];
  board.append(layer, over);
  return { board, layer, over };
}

/**
 * Make the names of columns and rows at all four sides.
 * @param {Scene} scene
 * @param {number} width
 * @param {number} height
 */
function names({ kind, columns, rows, flipped }, width, height) {
  const turned = (/** @type {string[]} */ all) => (flipped ? [...all].reverse() : all);
  if (kind === "hexes") {
    const above = turned(columns).map((name, column) => svg("text", { class: "name", x: MARGIN + (column + 0.5) * PLACE, y: 2.4 }, name));
    return above.concat(turned(rows).map((name, row) => (
      svg("text", { class: "name", x: row / 2 * PLACE + 2.4, y: MARGIN + (row * STEP + 0.5) * PLACE }, name))));
  }
  const found = turned(columns).flatMap((name, column) => (
    [2.4, height - 2.4].map((y) => svg("text", { class: "name", x: MARGIN + (column + 0.5) * PLACE, y }, name))));
  return found.concat(turned(rows).flatMap((name, row) => (
    [2.4, width - 2.4].map((x) => svg("text", { class: "name", x, y: MARGIN + (row + 0.5) * PLACE }, name)))));
}

/**
 * Make the lines of the board. Points are at their intersections, cells between them.
 * @param {Scene} scene
 */
function lines(scene) {
  const [columns, rows] = [scene.columns.length, scene.rows.length];
  if (scene.kind === "squares") return darkSquares(scene, columns * rows);
  if (scene.kind === "hexes") {
    return svg("path", { class: "grid", d: Array.from({ length: columns * rows }, (_, place) => hexAt(...middle(scene, place))).join("") });
  }
  const inset = scene.kind === "points" ? PLACE / 2 : 0;
  const last = scene.kind === "points" ? 0 : 1;
  const [left, top] = [MARGIN + inset, MARGIN + inset];
  const [right, bottom] = [MARGIN + columns * PLACE - inset, MARGIN + rows * PLACE - inset];
  let path = "";
  for (let column = 0; column < columns + last; column++) path += `M${left + column * PLACE} ${top}V${bottom}`;
  for (let row = 0; row < rows + last; row++) path += `M${left} ${top + row * PLACE}H${right}`;
  return svg("path", { class: scene.kind === "points" ? "lines" : "grid", d: path });
}

/**
 * Make the dark squares of a chessboard.
 * @param {Scene} scene
 * @param {number} count
 */
function darkSquares(scene, count) {
  let path = "";
  for (let place = 0; place < count; place++) {
    const [x, y] = middle(scene, place);
    const isDark = (place + Math.floor(place / scene.columns.length)) % 2;
    if (isDark) path += `M${x - PLACE / 2} ${y - PLACE / 2}h${PLACE}v${PLACE}h-${PLACE}z`;
  }
  return svg("path", { class: "dark", d: path });
}

/** The shapes drawn on each layer. @type {WeakMap<SVGGraphicsElement, {places: Map<number, {text: string, number: number | undefined, parts: SVGGraphicsElement[]}>, marks: SVGGraphicsElement[]}>} */
const standing = new WeakMap();

/**
 * Draw a position. Only changed places are drawn again.
 * @param {SVGGraphicsElement} layer
 * @param {Scene} scene
 * @param {Map<number, string>} signs by place
 * @param {number[]} marks places of the last turn
 * @param {Map<number, number>} numbers by place: what is written on its stone
 * @param {number[]} [before] places of the turn before the last one
 */
export function drawPosition(layer, scene, signs, marks, numbers, before = []) {
  const drawn = standing.get(layer) ?? { places: new Map(), marks: [] };
  standing.set(layer, drawn);
  for (const part of drawn.marks) part.remove();
  for (const [place, { text, number, parts }] of drawn.places) {
    if (signs.get(place) === text && numbers.get(place) === number) continue;
    for (const part of parts) part.remove();
    drawn.places.delete(place);
  }
  for (const [place, text] of signs) {
    if (!text || drawn.places.has(place)) continue;
    const [x, y] = middle(scene, place);
    const [number, parts] = [numbers.get(place), pictured(text, x, y, scene.kind)];
    if (number !== undefined) parts.push(svg("text", { class: /^[Bb]/.test(text) ? "on-black" : "on-white", x, y }, number));
    drawn.places.set(place, { text, number, parts });
    layer.append(...parts);
  }
  const older = before.filter((place) => !marks.includes(place));
  drawn.marks = [
    ...older.map((place) => mark(scene, place, { kind: "mark before", isNumbered: numbers.has(place) })),
    ...marks.map((place) => mark(scene, place, { isNumbered: numbers.has(place) })),
  ];
  if (scene.kind === "points") layer.append(...drawn.marks);
  else layer.prepend(...drawn.marks);
}

/**
 * Make the mark of the last move: a ring on a stone, or a frame around a cell.
 * @param {Scene} scene
 * @param {number} place
 * @param {{kind?: string, isNumbered?: boolean}} [how]
 */
export function mark(scene, place, { kind = "mark", isNumbered = false } = {}) {
  const [x, y] = middle(scene, place);
  return markAt(scene, x, y, kind, isNumbered ? 4.3 : kind === "mark" ? 2.2 : 1.2);
}

/**
 * @param {{kind: string}} scene
 * @param {number} x
 * @param {number} y
 * @param {string} [kind]
 * @param {number} [radius] of the ring, where places are points
 */
export function markAt(scene, x, y, kind = "mark", radius = 2.2) {
  if (scene.kind === "hexes") return svg("path", { class: `${kind} cell`, d: hexAt(x, y) });
  return scene.kind === "points"
    ? svg("circle", { class: kind, cx: x, cy: y, r: radius })
    : svg("rect", { class: `${kind} cell`, x: x - 5, y: y - 5, width: 10, height: 10 });
}

/**
 * Replace the drawings over the position.
 * @param {SVGGraphicsElement} layer
 * @param {Scene} scene
 * @param {Over[]} overs
 */
export function drawOvers(layer, scene, overs) {
  layer.replaceChildren(...overs.flatMap((over) => overShapes(scene, over)));
}

/**
 * @param {Scene} scene
 * @param {Over} over
 * @returns {SVGGraphicsElement[]}
 */
function overShapes(scene, [place, kind, more = ""]) {
  const [x, y] = middle(scene, place);
  const [name, sign = ""] = kind.split(":");
  switch (name) {
    case "ghost": return [grouped("ghost", pictured(sign, x, y))];
    case "number": return [grouped("line", [...pictured(sign, x, y), svg("text", { class: sign === "B" ? "on-black" : "on-white", x, y }, more)])];
    case "chosen": return [svg("rect", { class: "chosen", x: x - 4.6, y: y - 4.6, width: 9.2, height: 9.2, rx: scene.kind === "points" ? 4.6 : 0.6 })];
    case "offered": return [svg("rect", { class: "offered", x: x - 4.2, y: y - 4.2, width: 8.4, height: 8.4, rx: 1 })];
    case "dot": return [svg("circle", { class: "legal", cx: x, cy: y, r: 1.5 })];
    case "advice": return [svg("circle", { class: "advice", cx: x, cy: y, r: 4.4 }), ...(more ? [svg("text", { class: "advised", x, y }, more)] : [])];
    case "arrow": return [arrow([x, y], middle(scene, Number(more)))];
    case "dead": case "agreed": return [svg("path", { class: name, d: `M${x - 2.4} ${y - 2.4}l4.8 4.8m0-4.8l-4.8 4.8` })];
    case "owner0": case "owner1": return pictured(`+${name.at(-1)}`, x, y);
    default: return [svg("text", { class: "label", x, y }, more || kind)];
  }
}

/**
 * @param {string} kind
 * @param {SVGGraphicsElement[]} parts
 */
function grouped(kind, parts) {
  const group = svg("g", { class: kind });
  group.append(...parts);
  return group;
}

/**
 * @param {[number, number]} from
 * @param {[number, number]} to
 */
function arrow([x, y], [u, v]) {
  const length = Math.hypot(u - x, v - y) || 1;
  const [dx, dy] = [(u - x) / length, (v - y) / length];
  const [bx, by] = [u - 3.2 * dx, v - 3.2 * dy]; // where the head begins
  const head = `L${bx - 1.9 * dy} ${by + 1.9 * dx}L${u} ${v}L${bx + 1.9 * dy} ${by - 1.9 * dx}L${bx} ${by}`;
  return svg("path", { class: "arrow", d: `M${x} ${y}L${bx} ${by}${head}` });
}

/**
 * Make a dot in the colour of a side.
 * @param {number} side
 */
export function dot(side) {
  const picture = svg("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" });
  picture.append(svg("circle", { class: `side${side}`, cx: 5, cy: 5, r: 4.4, stroke: "#777", "stroke-width": 0.6 }));
  return picture;
}
