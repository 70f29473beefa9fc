// A move for the next turn, chosen while the other side thinks: by clicks, or typed. It is played at once if it is legal
// then, and dropped if it is not. Whether a clicked one is legal follows from the moves that the server offers; a typed
// one is sent, and the server refuses it as it refuses any other text.

import { answer, enable } from "./asking.js";
import { clicked } from "./choosing.js";
import { $ } from "./dom.js";
import { isAtEnd, placeName } from "./frames.js";
import { onKey } from "./keys.js";
import { change, onChange, overlay, state } from "./state.js";
import { onPlace } from "./viewer.js";

/** @import { Offered } from "./state.js" */

/** Places of the move so far: none, that of the piece, or that and its destination. @type {number[]} */
let places = [];
let typed = ""; // the move as text; "" if it is clicked, or there is none

/** Return whether a move can be chosen at present: in games with pieces, while the other side is to move. */
function isPossible() {
  const { game, seat, question, pending, standing } = state;
  return Boolean(game?.live && game.kind === "squares" && standing?.game && seat && !seat.isOver && !seat.wish && !question && !pending && isAtEnd());
}

const CHOSEN = "Your move is played as soon as it is your turn. Click the board or press Escape to forget it.";

/** @param {number[]} next */
function set(next) {
  if (typed) type("");
  if (places.length === 2 || next.length === 2) change({ notice: next.length === 2 ? CHOSEN : "" });
  places = next;
  overlay("premove", next.length === 2 ? [[next[0], "arrow", next[1]], [next[1], "chosen"]] : next.map((place) => [place, "chosen"]));
}

/** @param {string} text */
function type(text) {
  typed = text;
  change({ notice: text ? `Your move ${text} is played as soon as it is your turn. Send an empty field to forget it.` : "" });
}

$("answer").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  if (!isPossible()) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const field = /** @type {HTMLInputElement} */ ($("move"));
  set([]);
  type(field.value.trim());
  field.value = "";
}, { capture: true });

onPlace((place) => {
  if (!isPossible()) return false;
  if (places.length === 1 && places[0] !== place) set([places[0], place]);
  else set(places.length ? [] : [place]);
  return true;
});
onKey("Escape", "forget the move for the next turn", () => set([]));

/** Return the offered move with these places; "" if there is none. @param {Offered} offered */
function moveOf(offered) {
  const scene = state.seat.begin.scene ?? state.game;
  const first = clicked(offered, scene, [], places[0], false);
  const meant = first.chosen.length ? clicked(offered, scene, first.chosen, places[1], false) : first;
  return meant.move || meant.moves[0]?.[0] || ""; // of several, the first one: a pawn becomes a queen
}

onChange(({ question, game }, changed) => {
  if (changed.has("game") && !game?.live && (places.length || typed)) queueMicrotask(() => set([]));
  if (isPossible()) for (const each of $("answer").querySelectorAll("#move, #move + button")) enable(each, "");
  if (!changed.has("question") || !question || question.about !== "move") return;
  if (typed) {
    const move = typed;
    typed = "";
    queueMicrotask(() => answer({ move }, `Your move ${move}`));
  }
  if (!places.length) return;
  const chosen = places.length === 2 ? places : [];
  const move = chosen.length ? moveOf(question.offered) : "";
  queueMicrotask(() => { // views only draw
    const words = chosen.map((place) => placeName(/** @type {any} */ (state.game), place)).join("");
    set([]);
    if (move) answer({ move }, `Your move ${move}`, chosen[1]);
    else if (chosen.length) change({ notice: `Your move ${words} is not possible any more.` });
  });
});
