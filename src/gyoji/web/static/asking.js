// The question to a person, and the answer by click, touch or typing. Buttons do not appear or move, but are enabled
// and disabled, so that nothing moves under the pointer. All events of a seat may be told again at any time; buttons that
// they do not change stay (`fill`).

import { clicked, leadsTo, moveButton, placesOf } from "./choosing.js";
import { $, button, element, fill, write } from "./dom.js";
import { isAtEnd, placeName, positionAfter } from "./frames.js";
import { drop, noticeText, send, tryingText } from "./outbox.js";
import { choosePiece } from "./pieces.js";
import { change, onChange, overlay, state } from "./state.js";
import { lag } from "./turn.js";
import { addOvers, onPlace, pointed } from "./viewer.js";
import { REQUESTS, lastText, questionText, waitingText } from "./wording.js";

/** @import { Over } from "./state.js" */

/**
 * Answer the open question.
 * @param {any} given one of move, request, agree, dead
 * @param {string} text the answer in words
 * @param {number} [place] where it will stand on the board
 */
export function answer(given, text, place = -1) {
  const { seat, question, standing } = state;
  if (!seat || !question || state.pending) return;
  change({ chosen: [] });
  show([]);
  overlay("hover", []);
  $("move").value = "";
  send({ seat: seat.number, question: question.question, game: standing.game, began: standing.began,
    answer: { lag: lag(), ...given }, text, place, turn: state.game?.turns.length ?? 0 });
}

/** @param {string} move */
function play(move) {
  const { question, game, chosen } = state;
  const places = question?.offered && game ? placesOf(question.offered, game, move) : [];
  answer({ move }, `Your move ${move}`, places.length === 1 ? places[0] : chosen.at(-1) ?? -1);
}

/** @param {string} request */
const wish = (request) => answer({ request }, `Your wish to ${REQUESTS[request]}`);

// The buttons of a game

/** Enable a button or a field, or grey it and say why. @param {HTMLButtonElement | HTMLInputElement} made @param {string} why "" to enable it */
export function enable(made, why) {
  made.disabled = Boolean(why);
  made.title = why;
}

/** Return why no question about one of these things can be answered now; "" if one can. @param {...string} abouts */
function whyNot(...abouts) {
  const { seat, question, pending } = state;
  if (seat?.isOver) return "The game is over.";
  if (pending) return "Your last answer is on its way.";
  if (!question) return "You can do this when it is your turn.";
  return abouts.includes(question.about) ? "" : "First answer the question above.";
}

function drawWords() {
  const { seat, question, leaves, connection } = state;
  /** @type {string[]} */
  const wishes = (seat?.begin.may ?? []).filter((/** @type {string} */ name) => name !== "resign");
  if (seat) fill($("words"), wishes, () => wishes.map((name) => button(REQUESTS[name], () => wish(name), { "data-wish": name })));
  for (const each of /** @type {HTMLButtonElement[]} */ ([...$("words").children])) enable(each, whyNot("move"));
  $("resign").hidden = !seat?.begin.may.includes("resign");
  // Moves wait for the connection, and can be withdrawn. To give up is not put off.
  enable($("resign"), leaves ? "You resign as soon as it is your turn." : connection === "not connected" ? "You can resign when the connection is back."
    : question || state.pending || seat?.isOver ? whyNot("move") : "");
}

/** Make the buttons of moves that are not a place on the board, and of other answers. */
function drawChoices() {
  const { seat, question, pending } = state;
  const choices = (seat?.asked?.about === "move" && seat.asked.offered?.choices) || [];
  const isPlaced = (/** @type {any} */ [, , place]) => place >= 0 && seat.begin.scene;
  const free = choices.filter((/** @type {any} */ each) => !isPlaced(each));
  const placed = question ? choices.filter(isPlaced) : [];
  const open = pending ? null : question;
  const asked = [seat?.number, seat?.asked?.question];
  fill($("choices"), [...asked, free, open?.hint, open?.about, open?.dead, whyNot("move")], () => {
    const made = free.map(choiceButton);
    for (const each of made) enable(each, whyNot("move"));
    if (open?.hint) made.push(choiceButton([open.hint, `play ${open.hint}`]));
    if (open?.about === "consent") made.push(...consents());
    if (open?.about === "dead" && !open.dead) made.push(button("none is dead", () => answer({ dead: [] }, "Your answer that no stone is dead")));
    return [...made, extra];
  });
  fill($("plans"), [...asked, placed], () => placed.map(choiceButton));
  $("viewer").classList.toggle("planned", placed.length > 0);
}

/** @returns {HTMLButtonElement[]} */
function consents() {
  return [
    button("yes, agree", () => answer({ agree: true }, "Your agreement"), { class: "main" }),
    button("no, decline", () => answer({ agree: false }, "Your refusal")),
  ];
}

/** Make a button for a move. @param {any} choice [move, words, place, key] @returns {HTMLButtonElement} */
function choiceButton([move, words, , key]) {
  const made = button(words, () => play(move), key ? { "data-key": key, "data-about": words } : {});
  if (key) made.append(" ", element("kbd", { "aria-hidden": "true" }, key));
  return made;
}

const extra = element("span", { id: "chosen", class: "buttons" }); // moves that the last click left open

let isPiece = false; // whether the open moves are shown as pieces on the board

/** Show buttons for several moves. @param {[string, string, string][]} moves move, words, sign */
function show(moves) {
  isPiece = choosePiece(moves, play, cancel);
  const open = isPiece ? [] : moves;
  const asks = open.length > 1 ? [element("b", {}, "Which move?")] : [];
  const cancels = open.length > 1 ? [button("cancel", cancel, { "data-key": "Escape", "data-about": "cancel the move" })] : [];
  extra.replaceChildren(...asks, ...open.map((each) => moveButton(each, play)), ...cancels);
  if (open.length && !matchMedia("(pointer: coarse)").matches) extra.querySelector("button").focus();
}

/** Forget the clicks so far. */
function cancel() {
  change({ chosen: [] });
  show([]);
}

// A click beside the choice cancels it; one on a place of the board begins another move.
document.addEventListener("pointerdown", (event) => {
  const isBeside = (isPiece || extra.children.length > 1) && !extra.contains(/** @type {Node} */ (event.target)) && pointed(event) < 0;
  if (isBeside) cancel();
});

/** Resign: now, or as soon as the seat is asked for a move. */
function resign() {
  if (!confirm("Give up this game?")) return;
  change({ leaves: true });
  leave();
}

export function leave() {
  if (state.leaves && state.question?.about === "move") answer({ request: "resign" }, "Your resignation");
}

// Clicks

onPlace((place, event, isDrawn) => {
  const { question, seat, game, pending } = state;
  if (!question || pending || !game || !isAtEnd()) return false;
  if (question.about === "dead") {
    const chosen = state.chosen.includes(place) ? state.chosen.filter((each) => each !== place) : [...state.chosen, place];
    $("move").value = chosen.map((each) => placeName(seat.begin.scene, each)).join(" ");
    change({ chosen });
    return true;
  }
  if (question.about !== "move") return false;
  overlay("hover", []);
  const confirms = state.look.confirm;
  const meant = clicked(question.offered, seat.begin.scene ?? game, isDrawn ? [] : state.chosen, place, confirms);
  if (meant.move) {
    change({ chosen: meant.chosen });
    play(meant.move);
  } else {
    change({ chosen: meant.chosen });
    show(meant.moves);
  }
  return true;
});

$("board").addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
  hover(event.pointerType === "mouse" ? pointed(event) : -1);
});
$("board").addEventListener("pointerleave", () => hover(-1));

/** Show the piece that a click would put on a place. @param {number} place */
function hover(place) {
  const { question, game, chosen, pending } = state;
  const signs = question?.about === "move" && !pending && isAtEnd() ? question.offered.signs : [];
  const isFree = game && signs.length && place >= 0 && !positionAfter(game, state.turn).signs.get(place) && !chosen.includes(place);
  overlay("hover", isFree ? [[place, `ghost:${signs[chosen.length % signs.length]}`]] : []);
}

/** Return the drawings over the board for the question. @returns {Over[]} */
function overs() {
  const { question, chosen, pending, seat } = state;
  const signs = seat?.asked?.offered?.signs ?? [];
  if (pending) return pending.place >= 0 ? [[pending.place, signs[0] ? `ghost:${signs[0]}` : "chosen"]] : [];
  if (!question || !isAtEnd()) return [];
  const { offered, hint } = question;
  /** @type {Over[]} */
  const found = chosen.map((place, index) => [place, signs.length ? `ghost:${signs[index % signs.length]}` : "chosen"]);
  if (signs.length) found.push(...chosen.map((place) => /** @type {Over} */ ([place, "chosen"])));
  if (!offered) return found;
  const placed = offered.choices.map((/** @type {any} */ [, , place]) => place).filter((/** @type {number} */ place) => place >= 0);
  found.push(...[...new Set(placed)].map((place) => /** @type {Over} */ ([Number(place), "offered"])));
  found.push(...leadsTo(offered, chosen).map((place) => /** @type {Over} */ ([place, "dot"])));
  const [from, to] = hint && state.game ? placesOf(offered, state.game, hint) : [];
  if (from !== undefined) found.push(to === undefined ? [from, "advice"] : [from, "arrow", to]);
  return found;
}

// The second click of a double click does nothing at a button that came under the pointer by the first one.
/** @type {EventTarget | null} */
let pressed = null;
$("status").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  if (event.detail > 1 && event.target !== pressed) event.stopImmediatePropagation();
  else pressed = event.target;
}, { capture: true });

// Drawing

let asked = ""; // the key of the open question

onChange((_, changed) => {
  const names = ["seat", "question", "pending", "notice", "chosen", "standing", "game", "turn", "leaves", "connection"];
  if (!names.some((name) => changed.has(name))) return;
  const { seat, question, standing, leaves, pending, game } = state;
  if (isPiece && !state.chosen.length) show([]);
  const isPlaying = Boolean(standing?.game);
  const hadFocus = $("table").contains(document.activeElement);
  write($("state"), !standing ? "" : !isPlaying ? waitingText(standing) : leaves ? "You resign as soon as it is your turn."
    : pending ? `${pending.text} ${pending.trouble ? "is not sent yet." : "is on its way."}` : isPiece ? "Choose a piece for the pawn." : questionText(seat, game, state.me.length === 1));
  write($("noticed"), noticeText() || (isPlaying && state.connection === "not connected" ? `There is no connection. ${tryingText()} You can resign when it is back.` : ""));
  $("withdraw").hidden = !pending?.trouble;
  write($("said"), isPlaying ? lastText(seat, game, (number) => state.me.includes(number)) : "");
  $("text").textContent = seat && !seat.begin.scene ? seat.last.board ?? "" : "";
  $("table").hidden = !isPlaying || !seat;
  const why = whyNot("move", "dead");
  for (const field of $("answer").querySelectorAll("#move, #move + button")) enable(field, why);
  $("board").classList.toggle("asked", question?.about === "move" && !pending);
  drawWords();
  if (["seat", "question", "pending"].some((name) => changed.has(name))) drawChoices();
  const now = question ? `${seat.number} ${question.question}` : "";
  if (hadFocus && !why && now !== asked && document.activeElement === document.body) $("move").focus();
  asked = now;
});

addOvers(overs);
$("answer").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const text = $("move").value.trim();
  if (!text) { // a point that was clicked, where more points could follow
    const open = extra.querySelectorAll("button");
    if (open.length === 1) open[0].click();
    return;
  }
  if (state.question?.about === "dead") answer({ dead: text.split(/\s+/) }, `Your answer ${text}`);
  else play(text);
});
$("resign").addEventListener("click", resign);
$("withdraw").addEventListener("click", () => drop());
