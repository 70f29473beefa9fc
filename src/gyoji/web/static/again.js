// The button that plays a game again, for people with a seat in a game that was begun on the page.

import { $, element } from "./dom.js";
import { addNext } from "./talk.js";

let isPlaying = false;
/** @type {HTMLButtonElement} */
const again = element("button", { type: "button", id: "again", hidden: "", class: "main" });
addNext(again);

/**
 * @param {(address: string, body: any) => Promise<any>} ask sends a request of this seat
 * @param {() => unknown} getReady reports the person as ready
 * @param {(work: () => Promise<void>) => () => Promise<void>} report wraps a function so that its errors are shown
 */
export function playAgain(ask, getReady, report) {
  again.addEventListener("click", report(async () => {
    await ask("/api/v1/seat/again", {});
    await getReady();
  }));
}

/**
 * Show the button if the game of the seat is over or was abandoned.
 * @param {any} standing
 * @param {() => void} forget the person has to report ready for the next game anew
 */
export function offerAgain({ again: may, running, game, remaining, failure }, forget) {
  if (may && isPlaying && !game) forget();
  isPlaying = Boolean(game);
  again.hidden = !may || running || Boolean(game);
  again.textContent = remaining ? "go on with this game" : "play again, colours changed";
  if (remaining && !again.hidden) $("readiness").append(again);
  else addNext(again);
  $("failure").textContent = failure;
}

// Readiness survives a reload of this page and a restart of the run.
/** @param {{competition: string, player: string}} standing */
const wish = ({ competition, player }) => `ready ${competition}/${player}`;

/** @param {any} standing @param {boolean} wants */
export function wantToPlay(standing, wants) {
  if (wants) sessionStorage.setItem(wish(standing), "yes");
  else sessionStorage.removeItem(wish(standing));
}

/** @param {any} standing */
export function wantsToPlay(standing) {
  return sessionStorage.getItem(wish(standing)) !== null;
}
