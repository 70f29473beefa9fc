// The agreement on dead stones after both players have passed: groups marked by clicks, the marks of each side, and the
// result that they give. Every mark is sent; the server answers with groups, territory and result (event `counted`).

import { answer } from "./asking.js";
import { $, button, element, fill } from "./dom.js";
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

/** Return stones in words. @param {string[]} points */
function pointWords(points) {
  return points.length ? `${points.slice(0, 8).join(" ")}${points.length > 8 ? " …" : ""}` : "none";
}

/** Return whether every other side calls a point dead, too; false if none has said anything. @param {any} claims @param {string} point */
const isAgreed = (claims, point) => claims.length > 0 && claims.every((/** @type {[number, string[]]} */ [, points]) => points.includes(point));

/** Show the dead stones on which the sides agree, and those that one of them calls dead. @param {any} question */
function opinions({ claims, dead }) {
  const agreed = dead.filter((/** @type {string} */ point) => isAgreed(claims, point));
  const own = dead.filter((/** @type {string} */ point) => !isAgreed(claims, point));
  const rows = claims.length ? [["dead for both (thin cross)", pointWords(agreed)], ["only for you (red cross)", pointWords(own)]] : [["dead, as you marked", pointWords(dead)]];
  for (const [seat, points] of claims) rows.push([`only for ${nameOf(state.game, seat)}`, pointWords(points.filter((/** @type {string} */ point) => !dead.includes(point)))]);
  return element("table", { class: "opinions-of" }, element("tbody", {}, ...rows.map((/** @type {string[]} */ [who, said]) => (
    element("tr", claims.length && said === "none" ? { class: "none" } : {}, element("th", { scope: "row", class: "text" }, who), element("td", { class: "text" }, said))))));
}

/** @param {any} question */
function boxOf(question) {
  const agrees = question.claims.length > 0 && question.claims.every((/** @type {any} */ [, points]) => `${[...points].sort()}` === `${[...question.dead].sort()}`);
  const done = button(agrees ? "agree and count" : question.claims.length ? "send, although we differ" : question.dead.length ? "send: these are dead" : "send: no stone is dead",
    () => answer({ dead: question.dead }, "Your answer which stones are dead"), { class: "main", id: "count-now" });
  const lines = [
    opinions(question),
    element("p", {}, "As marked: ", element("b", { id: "counted" }, question.result), "."),
    element("p", { class: "buttons" }, done),
    ...(question.table?.length ? [tableOf(question.table)] : []),
    ...(question.note ? [element("p", { class: "soft", id: "neutral" }, question.note)] : []),
    element("p", { class: "soft" }, `If the two of you differ, play goes on. ${question.cost}`),
  ];
  return element("div", { id: "counting", class: "counting", role: "group", "aria-label": "counting" }, ...lines);
}

/** The question that is shown. @type {any} */
let drawn = null;

onChange(({ question, pending }, changed) => {
  if (!changed.has("question") && !changed.has("pending")) return;
  const now = question?.about === "dead" && question.dead && !pending ? question : null;
  if (now === drawn) return;
  drawn = now;
  overlay("counting", (now?.overlay ?? []).map((/** @type {[number, string]} */ [place, sign]) => (
    [place, sign === "dead" && isAgreed(now.claims, placeName(state.seat.begin.scene, place)) ? "agreed" : sign])));
  $("viewer").classList.toggle("counted", Boolean(now));
  $("move").placeholder = now ? "a dead stone" : "your move";
  /** @type {Element} */ ($("move").nextElementSibling).textContent = now ? "mark" : "send";
  fill($("extra"), [state.seat?.number, now], () => (now ? [boxOf(now)] : []));
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
