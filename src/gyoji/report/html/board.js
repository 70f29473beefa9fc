"use strict";
// Boards as SVG. A place is 10 units wide; what stands on it is told by signs (gyoji/core/game.py).
// Text from games only ever becomes text: nothing here parses markup.

const PLACE = 10;
const MARGIN = 7;

function svg(name, attributes = {}, text = "") {
  const element = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== "") element.textContent = text;
  return element;
}

// The middle of a place, in units from the top left corner of the board.
function middle(game, place) {
  const columns = game.columns.length;
  return [MARGIN + (place % columns + 0.5) * PLACE, MARGIN + (Math.floor(place / columns) + 0.5) * PLACE];
}

// The width and the height of a board.
function extent(game) {
  return [game.columns.length * PLACE + 2 * MARGIN, game.rows.length * PLACE + 2 * MARGIN];
}

// The outline of each chessman around (0, 0), as in boards.py, and the foot on which all stand.
const MEN = {
  P: "M0-2.6a1.35 1.35 0 0 1 .9 2.4L1.9 2.6H-1.9L-.9-.2A1.35 1.35 0 0 1 0-2.6z",
  N: "M-.6-3.6L.2-3c2 .2 2.9 2.2 2.4 5.6h-4.4c0-1.7.9-2.1 1.5-3.2-.9.3-1.6.5-2.1 1.1l-.8-.6c.1-1.6 1-2.6 1.8-3.3z",
  B: "M0-3.7a.55.55 0 0 1 .35.95C1.7-1.7 2-.2 1.2 1l.7 1.6h-3.8l.7-1.6C-2-.2-1.7-1.7-.35-2.75A.55.55 0 0 1 0-3.7z",
  R: "M-2.4-3.2h1.2v.9h.8v-.9h.8v.9h.8v-.9h1.2v2l-.7.5.4 3.3h-4.2l.4-3.3-.7-.5z",
  Q: "M-3-2.1l1.3 2.2-.1-3 1.2 2.7L0-3.4l.6 3.2 1.2-2.7-.1 3L3-2.1l-.9 4.7h-4.2z",
  K: "M-.35-4h.7v.6h.6v.7h-.6v.9C1.4-2.6 3-2.2 2.9-.7 2.8.5 2 1.3 2 2.6h-4C-2 1.3-2.8.5-2.9-.7-3-2.2-1.4-2.6-.35-1.8v-.9h-.6v-.7h.6z",
};
const FOOT = "M-2.8 3.7v-.8h5.6v.8z";

// The board without anything on it, and an empty layer for what will be.
function emptyBoard(game) {
  const [columns, rows] = [game.columns.length, game.rows.length];
  const [width, height] = extent(game);
  const board = svg("svg", { class: "board", viewBox: `0 0 ${width} ${height}`, role: "img" });
  board.append(svg("rect", { class: game.kind, width, height }), lines(game, columns, rows));
  for (const place of game.stars) {
    const [x, y] = middle(game, place);
    board.append(svg("circle", { class: "star", cx: x, cy: y, r: 1 }));
  }
  game.columns.forEach((name, column) => {
    const x = MARGIN + (column + 0.5) * PLACE;
    for (const y of [MARGIN / 2, height - MARGIN / 2]) board.append(svg("text", { class: "name", x, y }, name));
  });
  game.rows.forEach((name, row) => {
    const y = MARGIN + (row + 0.5) * PLACE;
    for (const x of [MARGIN / 2, width - MARGIN / 2]) board.append(svg("text", { class: "name", x, y }, name));
  });
  const layer = svg("g");
  board.append(layer);
  return { board, layer };
}

// Points lie where lines cross, cells between them.
function lines(game, columns, rows) {
  if (game.kind === "squares") return darkSquares(game, columns * rows);
  const inset = game.kind === "points" ? PLACE / 2 : 0;
  const last = game.kind === "points" ? 0 : 1;
  const [left, top] = [MARGIN + inset, MARGIN + inset];
  const [right, bottom] = [MARGIN + columns * PLACE - inset, MARGIN + rows * PLACE - inset];
  let path = "";
  for (let column = 0; column < columns + last; column++) path += `M${left + column * PLACE} ${top}V${bottom}`;
  for (let row = 0; row < rows + last; row++) path += `M${left} ${top + row * PLACE}H${right}`;
  return svg("path", { class: game.kind === "points" ? "lines" : "grid", d: path });
}

// The dark squares of a chessboard.
function darkSquares(game, count) {
  let path = "";
  for (let place = 0; place < count; place++) {
    const [x, y] = middle(game, place);
    const isDark = (place + Math.floor(place / game.columns.length)) % 2;
    if (isDark) path += `M${x - PLACE / 2} ${y - PLACE / 2}h${PLACE}v${PLACE}h-${PLACE}z`;
  }
  return svg("path", { class: "dark", d: path });
}

// What each sign looks like around (x, y), by its first letter; `rest` is what follows that.
const SIGNS = {
  B: (x, y) => [svg("circle", { class: "black", cx: x, cy: y, r: 4.7 })],
  W: (x, y) => [svg("circle", { class: "white", cx: x, cy: y, r: 4.7 })],
  b: (x, y) => [svg("circle", { class: "black faded", cx: x, cy: y, r: 4.7 })],
  w: (x, y) => [svg("circle", { class: "white faded", cx: x, cy: y, r: 4.7 })],
  "+": (x, y, rest) => [svg("rect", { class: `owner${rest}`, x: x - 1.3, y: y - 1.3, width: 2.6, height: 2.6 })],
  H: (x, y) => [svg("ellipse", { class: "hole", cx: x, cy: y + 0.5, rx: 3.9, ry: 3.1 })],
  T: (x, y, rest) => coin(x, y, rest, "coin"),
  U: (x, y, rest) => coin(x, y, rest, "coin buried"),
  S: (x, y, rest) => piece(x, y, rest, svg("circle", { cx: x, cy: y, r: 3.9 })),
  M: (x, y, rest) => [svg("path", { class: `man${rest[0]}`, transform: `translate(${x} ${y})`, d: (MEN[rest[1]] ?? "") + FOOT })],
  D: (x, y, rest) => piece(x, y, rest, svg("rect", { x: x - 2.8, y: y - 2.8, width: 5.6, height: 5.6, rx: 1.2 })),
};

function coin(x, y, amount, kind) {
  return [svg("circle", { class: kind, cx: x, cy: y, r: 3.7 }), svg("text", { class: "ink", x, y }, amount)];
}

// The eight directions, from straight down, clockwise.
const DIRECTIONS = [[0, 1], [-1, 1], [-1, 0], [-1, -1], [0, -1], [1, -1], [1, 0], [1, 1]];

// A piece in its side's colour with a dot where it looks. rest: side, direction.
function piece(x, y, rest, body) {
  body.setAttribute("class", `team${rest[0]}`);
  const [dx, dy] = DIRECTIONS[Number(rest[1])] ?? [0, 0];
  const step = 2.2 / (Math.hypot(dx, dy) || 1);
  return [body, svg("circle", { class: "face", cx: x + dx * step, cy: y + dy * step, r: 1.1 })];
}

// All signs of a place; one that is not known is written out.
function pictured(signs, x, y) {
  return signs.split(" ").flatMap((sign) => {
    const draw = SIGNS[sign[0]];
    return draw ? draw(x, y, sign.slice(1)) : [svg("text", { class: "ink", x, y }, sign)];
  });
}

function drawSigns(layer, signs, x, y) {
  layer.append(...pictured(signs, x, y));
}

const standing = new WeakMap(); // of a layer: { places: place -> { text, number, parts }, marks }

// The whole position, of which only what has changed is drawn anew. signs: place -> signs; marks: places;
// numbers: place -> what is written on its stone.
function drawPosition(layer, game, signs, marks, numbers) {
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
    const [x, y] = middle(game, place);
    const [number, parts] = [numbers.get(place), pictured(text, x, y)];
    if (number !== undefined) parts.push(svg("text", { class: /^[Bb]/.test(text) ? "on-black" : "on-white", x, y }, number));
    drawn.places.set(place, { text, number, parts });
    layer.append(...parts);
  }
  drawn.marks = marks.map((place) => mark(game, ...middle(game, place), numbers.has(place) ? 4.3 : 2.2));
  layer.append(...drawn.marks);
}

// What shows that a place was played last. radius: of the circle, where places are points.
function mark(game, x, y, radius = 2.2) {
  return game.kind === "points"
    ? svg("circle", { class: "mark", cx: x, cy: y, r: radius })
    : svg("rect", { class: "mark", x: x - 4.6, y: y - 4.6, width: 9.2, height: 9.2, rx: 0.8 });
}

// More that is drawn over the position, until the next one is.
function drawOver(layer, ...parts) {
  standing.get(layer).marks.push(...parts);
  layer.append(...parts);
}

// The colour of a side.
function dot(side) {
  const picture = svg("svg", { class: "dot", viewBox: "0 0 10 10", "aria-hidden": "true" });
  picture.append(svg("circle", { class: `side${side}`, cx: 5, cy: 5, r: 4.4, stroke: "#777", "stroke-width": 0.6 }));
  return picture;
}
