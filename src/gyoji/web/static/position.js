// A position before the first move: drawn by clicks, typed, or from a file. The server checks it.

import { drawPosition, emptyBoard, placeUnder } from "./board.js";
import { $, element } from "./dom.js";
import { request } from "./feed.js";
import { placeName } from "./frames.js";

/** @type {any} */
export const position = {
  opening: "", // the value that the form sends
  given: null, // the opening that came with the address, until it is read
  about: null, // game and settings of the form
  shown: null, // the board from the server
  reading: Promise.resolve(), // done when what was drawn or typed last has been read
  stones: new Map(), // place -> "B" or "W"
  tool: "",
};

const TOOLS = [["", "by turns"], ["B", "black"], ["W", "white"], ["-", "take off"]];

/** @param {{game: string, settings: () => any, draws: boolean, reads: boolean, sides: string[]}} about the game of the form */
export function setupPosition(about) {
  Object.assign(position, { about, opening: "", shown: null, tool: "" });
  position.stones.clear();
  const { draws, reads, sides } = about;
  $("how").textContent = [draws ? "Click points of the board, or type stones" : "Type it as text",
    ...(reads ? ["choose a file with a game"] : [])].join(", or ") + ".";
  $("file").parentElement.hidden = !reads;
  const tools = draws ? TOOLS.map(([tool, label]) => toolButton(tool, label)) : [];
  const toMove = element("select", { id: "mover", "aria-label": "who is to move" });
  const movers = [["", "the usual side is to move"], ...sides.map((side, number) => [String(number), `${side} is to move`])];
  toMove.append(...movers.map(([value, label]) => element("option", { value }, label)));
  toMove.addEventListener("change", drawnPosition);
  $("tools").replaceChildren(...tools, ...(draws ? [toMove] : []));
  $("drawing").replaceChildren();
  $("opening").value = "";
  if ($("setup").open) readPosition();
}

/** @param {string} tool @param {string} label */
function toolButton(tool, label) {
  const button = element("button", { type: "button", "aria-pressed": String(tool === position.tool) }, label);
  button.addEventListener("click", () => {
    position.tool = tool;
    for (const each of $("tools").querySelectorAll("button")) {
      each.setAttribute("aria-pressed", String(each === button));
    }
  });
  return button;
}

export function readPosition(/** @type {any} */ means = position.given ?? { opening: position.opening }) {
  position.reading = askPosition(means);
  return position.reading;
}

// Return whether the game can begin: what was typed has been read, and was understood.
export async function isPositionRead() {
  await position.reading;
  const isWrong = $("setup").open && $("problem").textContent !== "";
  if (isWrong) $("opening").focus();
  return !isWrong;
}

// Ask the server for a position, and show it.
async function askPosition(/** @type {any} */ means) {
  const { about } = position;
  if (!about || !$("setup").open) return;
  const problem = $("problem");
  try {
    const { opening, to_move: toMove, board } = await request("/api/v1/newgame/position", {
      game: about.game, settings: about.settings(), ...means,
    });
    position.opening = opening;
    position.given = null;
    problem.textContent = "";
    showPosition(board);
    $("opening").value = typeof opening === "string" ? opening : "as in the file";
    $("acting").textContent = board === null ? "It is drawn at random when the game begins."
      : toMove === null ? "" : `${about.sides[toMove]} is to move`;
  } catch (error) {
    problem.textContent = /** @type {Error} */ (error).message;
    if (position.shown) showPosition(position.shown);
  }
}

/** @param {any} values a game whose only frame is the position; null: it is drawn at random */
function showPosition(values) {
  position.shown = values;
  position.stones.clear();
  if (!values) return $("drawing").replaceChildren();
  const signs = new Map();
  const [changes = []] = values.frames[0] ?? [];
  for (let index = 0; index < changes.length; index += 2) {
    signs.set(changes[index], changes[index + 1]);
    if (/^[BW]$/.test(changes[index + 1])) position.stones.set(changes[index], changes[index + 1]);
  }
  const { board, layer } = emptyBoard(values);
  board.setAttribute("aria-label", `the position: ${position.stones.size} stones`);
  drawPosition(layer, values, signs, [], new Map());
  board.addEventListener("click", (event) => placeStone(event, board));
  $("drawing").replaceChildren(board);
}

// Make the drawn stones the position.
function drawnPosition() {
  const name = (/** @type {number} */ at) => placeName(position.shown, at);
  const mover = $("mover").value;
  readPosition({
    stones: [...position.stones].map(([at, sign]) => [sign, name(at)]),
    to_move: mover === "" ? null : Number(mover),
  });
}

/** @param {MouseEvent} event @param {SVGSVGElement} board */
function placeStone(event, board) {
  if (!position.about.draws) return;
  const meant = placeUnder(event, position.shown, board);
  if (meant < 0) return;
  const count = (/** @type {string} */ sign) => [...position.stones.values()].filter((each) => each === sign).length;
  const next = position.tool || (count("B") > count("W") ? "W" : "B");
  if (next === "-" || position.stones.get(meant) === next || (!position.tool && position.stones.has(meant))) {
    position.stones.delete(meant);
  } else {
    position.stones.set(meant, next);
  }
  drawnPosition();
}

$("setup").addEventListener("toggle", () => readPosition());
$("opening").addEventListener("change", (/** @type {any} */ event) => readPosition({ opening: event.target.value.trim() }));
$("opening").addEventListener("keydown", (/** @type {any} */ event) => { // Enter does not send the form
  if (event.key !== "Enter") return;
  event.preventDefault();
  readPosition({ opening: event.target.value.trim() });
});
$("clear").addEventListener("click", () => readPosition({ opening: "" }));
$("file").addEventListener("change", async (/** @type {any} */ event) => {
  const [file] = event.target.files;
  if (file) await readPosition({ file: { name: file.name, text: await file.text() } });
  event.target.value = "";
});
