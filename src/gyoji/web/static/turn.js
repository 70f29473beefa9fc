// Shows whose turn it is in the page's title and icon, counts down until a game is ruled on, and measures the network.

import { learn, minutes } from "./clocks.js";
import { $ } from "./dom.js";

const TITLE = document.title;
const icon = /** @type {HTMLLinkElement} */ (document.querySelector("link[rel=icon]"));
const NOTHING = icon.href;
const DOT = "data:image/svg+xml," + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4.5" fill="#d33"/></svg>',
);

/** @param {string} who the person's name @param {boolean} isAsked whether an answer is awaited */
export function tellTurn(who, isAsked) {
  document.title = `${isAsked ? "● Your turn" : TITLE}${who ? ` – ${who}` : ""}`;
  icon.href = isAsked ? DOT : NOTHING;
}

let timer = 0;

/** Show the time left before a game that waits for the person is decided without being played. @param {number} left ms */
export function runDeadline(left) {
  clearInterval(timer);
  const end = Date.now() + left;
  const tick = () => {
    $("deadline").textContent = `${minutes(end - Date.now())} until you lose by not coming`;
  };
  tick();
  timer = setInterval(tick, 500);
}

export function stopDeadline() {
  clearInterval(timer);
  $("deadline").textContent = "";
}

/** Durations of the last requests, in ms. @type {number[]} */
const trips = [];

/** Measure the network delay of a request and its answer. */
export async function measureLag() {
  const began = performance.now();
  const told = await (await fetch("/api/v1/seat/echo", { cache: "no-store" })).json(); // reading all of it frees the connection
  trips.push(performance.now() - began);
  learn(told);
  if (trips.length > 5) trips.shift();
}

/** Return the median of the last delays, in ms. */
export function lag() {
  return trips.length ? [...trips].sort((one, other) => one - other)[Math.floor(trips.length / 2)] : 0;
}
