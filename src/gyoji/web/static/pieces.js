// The choice of a piece on the board, such as what a pawn becomes: the pieces stand on the place where the move ends
// and towards the middle of the board, the likeliest first.

import { extent, middle } from "./board.js";
import { moveButton } from "./choosing.js";
import { $, button, element } from "./dom.js";
import { PLACE } from "./shapes.js";
import { state } from "./state.js";

const box = element("div", { id: "pieces", class: "pieces", role: "group", "aria-label": "choose a piece" });
// A click on it is none on the board below it, and none beside it.
for (const kind of ["pointerdown", "pointerup"]) box.addEventListener(kind, (/** @type {Event} */ event) => event.stopPropagation());

// A finger's click comes after its pointerup, which shows the choice: it would take the piece that is now below it.
let isPressed = false;
box.addEventListener("pointerdown", () => { isPressed = true; });
box.addEventListener("click", (/** @type {MouseEvent} */ event) => { if (event.detail && !isPressed) event.stopPropagation(); }, { capture: true });

/**
 * Show several moves of the chosen places instead of those before, if they differ in a piece. Return whether they do.
 * @param {[string, string, string][]} moves move, words, sign
 * @param {(move: string) => void} take
 * @param {() => void} cancel
 */
export function choosePiece(moves, take, cancel) {
  const { game, chosen, flipped } = state;
  const place = chosen.at(-1);
  box.remove();
  if (!game || place === undefined || moves.length < 2 || !moves.some(([, , sign]) => sign)) return false;
  const scene = { ...game, flipped };
  const [[width, height], [x, y]] = [extent(scene), middle(scene, place)];
  const isLow = y > height / 2;
  const edge = `${100 * ((isLow ? height - y : y) - PLACE / 2) / height}%`;
  Object.assign(box.style, { left: `${100 * (x - PLACE / 2) / width}%`, width: `${100 * PLACE / width}%`, top: isLow ? "" : edge, bottom: isLow ? edge : "" });
  box.classList.toggle("low", isLow);
  box.replaceChildren(...moves.map((each) => moveButton(each, take)), button("cancel", cancel, { "data-key": "Escape", "data-about": "cancel the move" }));
  isPressed = false;
  $("board").append(box);
  if (!matchMedia("(pointer: coarse)").matches) box.querySelector("button").focus();
  return true;
}
