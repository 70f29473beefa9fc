// The agreement on dead stones after both players have passed: groups marked by clicks, the marks of each side, and the
// result that they give. Every mark is sent; the server answers with groups, territory and result (event `counted`).

import { answer } from "./asking.js";
import { $, button, element } from "./dom.js";
import { careful } from "./feed.js";
import { tableOf } from "./beside.js";
import { isAtEnd, placeName } from "./frames.js";
import { onChange, overlay, state } from "./state.js";
import { onPlace } from "./viewer.js";
import { nameOf } from "./wording.js";

/** @type {(address: string, body: any) => Promise<any>} */
let ask = () => Promise.reject(new Error("not connected"));

/** @param {typeof ask} work sends a request of this seat */
export function markBy(work) {
  ask = work;
}

const mark = careful(async (/** @type {string} */ point) => {
  const { seat, question, standing } = state;
  const answer = { question: question.question, turn: point };
  await ask("/api/v1/seat/say", { seat: seat.number, game: standing.game, began: standing.began, answer });
});

/** Return stones in words, one for each group. @param {string[]} points */
function pointWords(points) {
  if (!points.length) return "no stone is dead";
  return `${points.slice(0, 8).join(" ")}${points.length > 8 ? " …" : ""} ${points.length === 1 ? "is" : "are"} dead`;
}

/** Show the dead stones by each side, side by side. @param {any} question */
function opinions({ claims, dead }) {
  const rows = claims.map((/** @type {[number, string[]]} */ [seat, points]) => [nameOf(state.game, seat), pointWords(points)]);
  rows.push(["you, as marked", pointWords(dead)]);
  return element("table", { class: "opinions-of" }, element("tbody", {}, ...rows.map((/** @type {string[]} */ [who, said]) => (
    element("tr", {}, element("th", { scope: "row", class: "text" }, who), element("td", { class: "text" }, said))))));
}

/** @param {any} question */
function draw(question) {
  const agrees = question.claims.length > 0 && question.claims.every((/** @type {any} */ [, points]) => `${[...points].sort()}` === `${[...question.dead].sort()}`);
  const done = button(agrees ? "agree and count" : question.claims.length ? "send, although we differ" : question.dead.length ? "send: these are dead" : "send: no stone is dead",
    () => answer({ dead: question.dead }, "Your answer which stones are dead"), { class: "main", id: "count-now" });
  const lines = [
    opinions(question),
    element("p", {}, "As marked: ", element("b", { id: "counted" }, question.result), "."),
    element("p", { class: "buttons" }, done),
    ...(question.table?.length ? [tableOf(question.table)] : []),
    element("p", { class: "soft" }, `If the two of you differ, play goes on. ${question.cost}`),
  ];
  const box = element("div", { id: "counting", class: "counting", role: "group", "aria-label": "counting" }, ...lines);
  $("extra").replaceChildren(box);
}

/** The question that is shown. @type {any} */
let drawn = null;

onChange(({ question, pending }, changed) => {
  if (!changed.has("question") && !changed.has("pending")) return;
  const now = question?.about === "dead" && question.dead && !pending ? question : null;
  if (now === drawn) return;
  drawn = now;
  overlay("counting", now?.overlay ?? []);
  $("viewer").classList.toggle("counted", Boolean(now));
  $("move").placeholder = now ? "a dead stone" : "your move";
  /** @type {Element} */ ($("move").nextElementSibling).textContent = now ? "mark" : "send";
  if (now) draw(now);
  else document.getElementById("counting")?.remove();
});

// A point that is typed marks its group, as a click does.
$("answer").addEventListener("submit", (/** @type {SubmitEvent} */ event) => {
  if (!drawn) return;
  event.preventDefault();
  event.stopImmediatePropagation();
  const point = $("move").value.trim();
  $("move").value = "";
  if (point) mark(point);
}, { capture: true });

onPlace((place) => {
  const { question, pending, seat } = state;
  if (question?.about !== "dead" || !question.dead || pending || !isAtEnd()) return false;
  mark(placeName(seat.begin.scene, place));
  return true;
});
