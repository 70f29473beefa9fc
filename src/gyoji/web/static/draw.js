// The editor of openings: the page keeps the opening; the server makes each change and lists what is wrong.

import "./keys.js";
import { drawPosition, emptyBoard, placeUnder } from "./board.js";
import { pictured } from "./shapes.js";
import { $, element, svg } from "./dom.js";
import { about, careful, fetchJson, path, request, steeringToken, tell } from "./feed.js";

const { game } = about;
const place = $;
const address = `/api/v1/drawing/${path(game)}`;
/** The server's answers, one for each step of drawing. @type {any[]} */
const steps = [];
let at = -1; // the step that is shown
/** What the server says of the game's openings: tools, ranges, commands, symmetries. @type {any} */
let told = {};
/** @type {any} */
let tool = null;
/** @type {any} */
let board = null;
let cursor = 0; // the place that keys act on
/** @type {any} */
let stroke = null; // of a mouse or a finger: its place, and the piece that it moves
/** Changes that wait for the answer to an earlier one. @type {any[]} */
const pending = [];
let isSending = false;

const drawn = () => steps[at];
const post = (/** @type {any} */ body) => request(address, body);

// Send changes one request at a time. Changes made meanwhile go together in the next.
const send = careful(async () => {
  if (isSending || !pending.length) return;
  isSending = true;
  try {
    take(await post({ opening: drawn().opening, changes: pending.splice(0) }));
  } finally {
    isSending = false;
  }
  send();
});

/** @param {string} what @param {any} more */
function change(what, more = {}) {
  pending.push({
    do: what, amount: Number(place("amount").value) || 0, symmetry: place("symmetry").value,
    seed: Math.floor(Math.random() * 2 ** 31), ...more,
  });
  send();
}

/** @param {any} answer */
function take(answer) {
  tell("");
  place("refused").textContent = answer.refused ?? "";
  if (at < 0 || answer.file !== drawn().file) {
    steps.splice(at + 1, Infinity, answer);
    at = steps.length - 1;
  }
  show();
  if (document.activeElement === place("board")) announce();
}

/** @param {number} step */
function go(step) {
  if (!steps[at + step]) return;
  at += step;
  show();
}

function show() {
  const now = drawn();
  if (!board || board.size !== now.columns.length) {
    board = { ...emptyBoard(now), size: now.columns.length };
    board.board.setAttribute("aria-hidden", "true"); // a live region names the place of the cursor instead
    place("board").replaceChildren(board.board);
    cursor = Math.min(cursor, now.places.length - 1);
  }
  const [changes = []] = now.frame;
  const signs = new Map();
  for (let index = 0; index < changes.length; index += 2) signs.set(changes[index], changes[index + 1]);
  drawPosition(board.layer, now, signs, document.activeElement === place("board") ? [cursor] : [], new Map());
  place("about").textContent = now.about;
  place("flaws").replaceChildren(...now.flaws.map((/** @type {string} */ text) => element("li", { class: "loss" }, text)), ...now.remarks.map((/** @type {string} */ text) => element("li", { class: "soft" }, text)));
  place("verdict").textContent = now.flaws.length ? "The rules exclude it." : "The rules allow it.";
  place("verdict").className = now.flaws.length ? "loss" : "win";
  place("text").textContent = now.text;
  for (const { name } of told.ranges) if (document.activeElement !== place(`number-${name}`)) place(`number-${name}`).value = now.numbers[name];
  place("undo").disabled = !at;
  place("redo").disabled = !steps[at + 1];
  localStorage.setItem(`drawn ${game}`, now.file);
}

/** @param {any} chosen */
function pick(chosen) {
  tool = chosen;
  for (const button of place("tools").children) button.setAttribute("aria-checked", String(button.value === tool.name));
  place("counted").hidden = !tool.counted;
}

function announce() {
  const { columns, rows, places } = drawn();
  const name = `${columns[cursor % columns.length]}, ${rows[Math.floor(cursor / columns.length)]}`;
  place("said").textContent = `${name}: ${places[cursor] || "nothing"}`;
}

// Build the tools and settings that the server lists for this game.
function lay() {
  place("tools").replaceChildren(...told.tools.map((/** @type {{name: string, label: string, key: string, sign: string}} */ each) => {
    const picture = svg("svg", { viewBox: "0 0 10 10", class: "board", "aria-hidden": "true" });
    picture.append(svg("rect", { class: drawn().kind, width: 10, height: 10 }));
    if (each.sign) picture.append(...pictured(each.sign, 5, 5));
    const button = element("button", { type: "button", role: "radio", value: each.name, "data-key": each.key, "data-about": each.label }, picture, each.label, " ", element("kbd", {}, each.key));
    button.addEventListener("click", () => pick(each));
    return button;
  }));
  for (const { name, label } of told.symmetries) place("symmetry").append(element("option", { value: name }, label));
  place("ranges").replaceChildren(...told.ranges.map((/** @type {{name: string, label: string, least: number, most: number}} */ { name, label, least, most }) => {
    const input = element("input", { id: `number-${name}`, type: "number", min: least, max: most });
    input.addEventListener("change", () => change(name, { amount: Number(input.value) }));
    return element("label", {}, input, ` ${label}`);
  }));
  place("commands").replaceChildren(...told.commands.map((/** @type {{name: string, label: string}} */ { name, label }) => {
    const button = element("button", { type: "button" }, label);
    button.addEventListener("click", () => change(name));
    return button;
  }));
  pick(told.tools[0]);
}

// A click uses the tool; a stroke uses it at each place. A click turns a single piece, and a stroke moves it.
/** @param {PointerEvent} event */
function meant(event) {
  const where = placeUnder(event, drawn(), board.board);
  return where < 0 ? undefined : where;
}

const single = (/** @type {number} */ where) => Object.entries(drawn().singles).find(([, stands]) => stands === where)?.[0];

place("board").addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
  const where = meant(event);
  if (where === undefined || event.button) return;
  place("board").setPointerCapture(event.pointerId);
  stroke = { where, piece: single(where) };
  cursor = where;
  if (!stroke.piece) change(tool.name, { place: where });
});
place("board").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  const where = stroke && meant(event);
  if (!stroke || where === undefined || where === stroke.where) return;
  Object.assign(stroke, { where, hasMoved: true });
  if (!stroke.piece && !tool.single) change(tool.name, { place: where, stays: true });
});
place("board").addEventListener("pointerup", () => {
  if (stroke?.piece) change(stroke.piece, { place: stroke.where, stays: Boolean(stroke.hasMoved) });
  stroke = null;
});
place("board").addEventListener("pointercancel", () => { stroke = null; });
for (const name of ["focus", "blur"]) place("board").addEventListener(name, () => { if (drawn()) show(); });

/** @type {Record<string, [number, number]>} */
const STEP = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

/** @param {[number, number]} step */
function moveCursor([dx, dy]) {
  const size = [drawn().columns.length, drawn().rows.length];
  const x = Math.min(Math.max((cursor % size[0]) + dx, 0), size[0] - 1);
  const y = Math.min(Math.max(Math.floor(cursor / size[0]) + dy, 0), size[1] - 1);
  cursor = y * size[0] + x;
  show();
  announce();
}

place("board").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || !drawn()) return;
  if (STEP[event.key]) moveCursor(STEP[event.key]);
  else if (event.key === "Enter" || event.key === " ") change(tool.name, { place: cursor });
  else if (event.key === "+" || event.key === "-") place("amount")[event.key === "+" ? "stepUp" : "stepDown"]();
  else return;
  event.preventDefault();
  event.stopPropagation();
});
document.addEventListener("keydown", (event) => {
  if (!(event.ctrlKey || event.metaKey) || /** @type {Element} */ (event.target).closest("input, textarea")) return;
  const key = event.key.toLowerCase();
  if (key !== "z" && key !== "y") return;
  event.preventDefault();
  go(key === "y" || event.shiftKey ? 1 : -1);
});
place("undo").addEventListener("click", () => go(-1));
place("redo").addEventListener("click", () => go(1));

// Files: of this machine; for the organiser, also of the folder of the competitions.
const read = careful(async (text) => { take(await post({ file: text })); });
place("open").addEventListener("change", careful(async () => {
  const [file] = place("open").files;
  if (file) await read(await file.text());
  if (file) place("name").value = file.name.replace(/\.[^.]*$/, "");
  place("open").value = "";
}));
place("download").addEventListener("click", () => {
  const link = element("a", { href: URL.createObjectURL(new Blob([drawn().file])), download: `${place("name").value || "drawn"}${told.suffix}` });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
});
place("copy").addEventListener("click", careful(async () => { await navigator.clipboard.writeText(drawn().file); }));
place("save").addEventListener("click", careful(async () => {
  const file = `${place("name").value || "drawn"}${told.suffix}`;
  const body = { opening: drawn().opening, replace: place("replace").checked };
  place("refused").textContent = `saved: ${(await request(`${address}/files/${path(file)}`, body, { method: "PUT" })).saved}`;
}));

const begin = careful(async () => {
  const kept = new URLSearchParams(location.search).has("new") ? null : localStorage.getItem(`drawn ${game}`);
  told = await fetchJson(address);
  localStorage.setItem(`suffix ${game}`, told.suffix);
  steps.push(told);
  at = 0;
  lay();
  show();
  place("organiser").hidden = !steeringToken();
  if (kept && kept !== drawn().file) await read(kept);
});
begin();
