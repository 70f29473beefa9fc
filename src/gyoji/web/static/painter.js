// Boards painted on a canvas, for pages with many boards: a change needs no layout. The shapes are those of board.js
// in the colours of page.css. Each is made once as SVG, and then painted wherever it occurs.

import { emptyBoard, extent, markAt, middle } from "./board.js";
import { LIGHT, PLACE, pictured } from "./shapes.js";
import { svg } from "./dom.js";

/** @import { Scene } from "./board.js" */
/** @typedef {CanvasRenderingContext2D} Pen */
/**
 * A shape, ready to be painted: a text at (x, y), or a path.
 * @typedef {{fill: string | CanvasGradient, stroke: string, text: string, x: number, y: number, line: number, alpha: number, dash: number[], font: string, path: Path2D | null}} Shape
 */
/**
 * A painted board: `pen` and `ground`, the empty board, are null until its size is known; scale: pixels to a unit.
 * @typedef {{game: Scene, canvas: HTMLCanvasElement, pen: Pen | null, ground: HTMLCanvasElement | null, scale: number, marks: number[]}} Painted
 */

const sample = svg("svg", { class: "board", hidden: "" }); // shapes get their style in it
document.body.append(sample);

/** The shapes of each sign. @type {Map<string, Shape[]>} */
const shapes = new Map();
/** The empty board, by kind of board and scale. @type {Map<string, HTMLCanvasElement>} */
const grounds = new Map();

/** Return the shapes of a sign. @param {string} name @param {() => SVGGraphicsElement[]} make @returns {Shape[]} */
function shapesOf(name, make) {
  let found = shapes.get(name);
  if (!found) {
    const parts = make();
    sample.replaceChildren(...parts);
    found = parts.filter((part) => part.localName !== "g").map(shapeOf);
    shapes.set(name, found);
  }
  return found;
}

/** @param {SVGGraphicsElement} part @returns {Shape} */
function shapeOf(part) {
  const style = getComputedStyle(part);
  const { fill, stroke, fontFamily: family, strokeDasharray: dashes } = style;
  const number = (/** @type {string} */ name) => Number(part.getAttribute(name) ?? 0);
  const [x, y] = [number("x"), number("y")];
  const text = part.localName === "text" ? part.textContent ?? "" : "";
  return {
    fill: fill.startsWith("url(") ? lit(part, fill) : fill, stroke, text, x, y,
    line: parseFloat(style.strokeWidth), alpha: Number(style.opacity),
    dash: dashes === "none" ? [] : dashes.split(",").map(parseFloat),
    font: text && `${style.fontSize} ${family}`, path: text ? null : outline(part, number),
  };
}

/** Return the gradient that a circle is filled with, as board.js has it. @param {SVGGraphicsElement} part @param {string} fill */
function lit(part, fill) {
  const stops = LIGHT[fill.match(/light-(\w+)/)?.[1] ?? ""];
  const [x, y, r] = ["cx", "cy", "r"].map((name) => Number(part.getAttribute(name)));
  const [left, top] = [x - 0.28 * r, y - 0.36 * r];
  const light = (/** @type {CanvasRenderingContext2D} */ (document.createElement("canvas").getContext("2d"))).createRadialGradient(left, top, 0, left, top, 1.44 * r);
  for (const [offset, colour] of stops) light.addColorStop(offset, colour);
  return light;
}

/** @param {SVGGraphicsElement} part @param {(name: string) => number} number reads an attribute */
function outline(part, number) {
  if (part.localName === "path") {
    const path = new Path2D();
    path.addPath(new Path2D(part.getAttribute("d") ?? ""), part.transform.baseVal.consolidate()?.matrix ?? new DOMMatrix());
    return path;
  }
  const path = new Path2D();
  const [cx, cy] = [number("cx"), number("cy")];
  if (part.localName === "circle") path.arc(cx, cy, number("r"), 0, 2 * Math.PI);
  else if (part.localName === "ellipse") path.ellipse(cx, cy, number("rx"), number("ry"), 0, 0, 2 * Math.PI);
  else path.roundRect(number("x"), number("y"), number("width"), number("height"), number("rx"));
  return path;
}

/** @param {Pen} pen @param {Shape} shape */
function paint(pen, { fill, stroke, text, x, y, line, alpha, dash, font, path }) {
  pen.globalAlpha = alpha;
  if (fill !== "none") {
    pen.fillStyle = fill;
    if (path) {
      pen.fill(path);
    } else {
      Object.assign(pen, { font, textAlign: "center", textBaseline: "middle" });
      pen.fillText(text, x, y);
    }
  }
  if (path && stroke !== "none") {
    Object.assign(pen, { strokeStyle: stroke, lineWidth: line });
    pen.setLineDash(dash);
    pen.stroke(path);
  }
}

/** Return an empty board as a picture. Boards of one kind and size share it. @param {Scene} game @param {number} scale */
function groundOf(game, scale) {
  const { kind, columns, rows, stars } = game;
  const key = JSON.stringify([kind, columns, rows, stars, scale]);
  let ground = grounds.get(key);
  if (!ground) {
    if (grounds.size > 20) grounds.clear();
    ground = document.createElement("canvas");
    const pen = sized(ground, game, scale);
    const parts = () => /** @type {SVGGraphicsElement[]} */ ([...emptyBoard(game).board.children]);
    for (const shape of shapesOf(key, parts)) paint(pen, shape);
    grounds.set(key, ground);
  }
  return ground;
}

/** Return the pen of a canvas as large as a board. @param {HTMLCanvasElement} canvas @param {Scene} game @param {number} scale pixels to a unit */
function sized(canvas, game, scale) {
  [canvas.width, canvas.height] = extent(game).map((length) => Math.max(Math.round(length * scale), 1));
  const pen = /** @type {Pen} */ (canvas.getContext("2d"));
  pen.scale(scale, scale);
  return pen;
}

/** Make the empty board of a game. It is painted once its size is known. @param {Scene} game @returns {Painted} */
export function paintedBoard(game) {
  const canvas = document.createElement("canvas");
  canvas.className = "board";
  const [width, height] = extent(game);
  canvas.style.aspectRatio = `${width} / ${height}`;
  return { game, canvas, pen: null, ground: null, scale: 0, marks: [] };
}

/** Set the size in pixels. The board is empty afterwards. @param {Painted} board @param {number} width @param {number} height */
export function fit(board, width, height) {
  const [wide, high] = extent(board.game);
  board.scale = Math.min(width / wide, height / high);
  board.ground = groundOf(board.game, board.scale);
  board.pen = sized(board.canvas, board.game, board.scale);
  board.pen.drawImage(board.ground, 0, 0, wide, high);
}

/**
 * Paint places that have changed, on a board whose size is known.
 * @param {Painted} board
 * @param {Map<number, string>} signs the signs of each place
 * @param {Iterable<number>} changed
 * @param {number[]} marks places of the last moves
 */
export function show(board, signs, changed, marks) {
  for (const place of new Set([...changed, ...board.marks, ...marks])) {
    paintPlace(board, place, signs.get(place) ?? "", marks.includes(place));
  }
  board.marks = marks;
}

/** @param {Painted} board @param {number} place @param {string} text its signs @param {boolean} isMarked */
function paintPlace({ game, pen, ground, scale }, place, text, isMarked) {
  if (!pen || !ground) return;
  const [x, y] = middle(game, place);
  const [left, top] = [x - PLACE / 2, y - PLACE / 2];
  pen.drawImage(ground, left * scale, top * scale, PLACE * scale, PLACE * scale, left, top, PLACE, PLACE);
  pen.save();
  pen.translate(x, y);
  for (const shape of text ? shapesOf(text, () => pictured(text, 0, 0)) : []) paint(pen, shape);
  if (isMarked) for (const shape of shapesOf(`mark ${game.kind}`, () => [markAt(game, 0, 0)])) paint(pen, shape);
  pen.restore();
}

/** Call a function when the page changes its colours: boards have to be painted again. @param {() => unknown} work */
export function onOtherColours(work) {
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => {
    shapes.clear();
    grounds.clear();
    work();
  });
}
