// The server's event stream and its JSON answers. A hidden page closes its stream, and opens it when it is shown again.

import { forgetServer, learn } from "./clocks.js";
import { element } from "./dom.js";
import { change } from "./state.js";

/** Update the offset of the server's clock from a message, which may be a list of games. @param {any} told */
function learnFrom(told) {
  const [first] = Array.isArray(told) ? told : [told];
  if (typeof first?.at === "number") learn(first); // the `at` of a game that begins is a date
}

/** Return the data that the server wrote into this page. */
export const about = /** @type {Record<string, string>} */ (document.body.dataset);

/** @param {...string} names */
export function path(...names) {
  return names.map(encodeURIComponent).join("/");
}

/**
 * Show what is wrong with the connection, or the last error; "" if all is well. A page with a game shows it beside
 * the question.
 * @param {string} text
 */
export function tell(text) {
  const place = document.getElementById("connection");
  if (place && place.textContent !== text) place.textContent = text;
  change({ connection: text });
}

/** Return the organiser's token, which steer.js has stored. */
export const steeringToken = () => sessionStorage.getItem("steer");

export const organiser = () => (steeringToken() ? `Steer ${steeringToken()}` : "");

/** An error: the server refused a request, or did not answer. */
export class Refusal extends Error {
  /**
   * @param {string} text
   * @param {number} status of the answer; 0 if there is no connection
   */
  constructor(text, status) {
    super(text);
    this.status = status;
  }
}

/**
 * Return the server's JSON answer. Raises Refusal.
 * @param {string} address
 * @param {any} [body] a File is sent as it is, anything else as JSON
 * @param {{method?: string, right?: string, signal?: AbortSignal}} [how] right: an Authorization, or ""
 * @returns {Promise<any>}
 */
export async function request(address, body, { method = body ? "POST" : "GET", right = organiser(), signal } = {}) {
  const isFile = body instanceof Blob;
  /** @type {Record<string, string>} */
  const headers = right ? { Authorization: right } : {};
  if (body) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
  const sent = { method, headers, signal, body: !body || isFile ? body : JSON.stringify(body) };
  const answer = await fetch(address, sent).catch(() => { throw new Refusal("not connected", 0); });
  const text = await answer.text().catch(() => { throw new Refusal("not connected", 0); });
  if (!answer.ok) throw new Refusal(text || `status ${answer.status}`, answer.status);
  const told = JSON.parse(text);
  learnFrom(told);
  return told;
}

/** @param {string} competition @param {any} command */
export const steer = (competition, command) => request(`/api/v1/competitions/${path(competition)}/control`, command);
/** @param {string} address */
export const fetchJson = (address) => request(address, undefined, { right: "" });

/** Return a part of a page that the server makes. @param {string} address */
export async function fetchPart(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Refusal(await answer.text(), answer.status);
  // The server has escaped every text in it, and the page's policy lets no script in it run.
  const part = element("div");
  part.innerHTML = await answer.text();
  return part;
}

/**
 * Wrap a function that sends a request, so that an error is shown.
 * @template {any[]} T
 * @param {(...given: T) => any} work
 * @returns {(...given: T) => Promise<void>}
 */
export function careful(work) {
  return async (...given) => {
    try {
      await work(...given);
    } catch (error) {
      tell(error instanceof Error ? error.message : String(error));
      if (!(error instanceof Refusal)) console.error(error);
    }
  };
}

/**
 * Wrap a function so that several calls within some ms become one.
 * @param {() => unknown} work
 * @param {number} ms
 */
export function gathered(work, ms) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      work();
    }, ms);
  };
}

/**
 * Call the handler of each event with its data.
 * @param {Record<string, (news: any) => unknown>} handlers
 * @param {{watch?: string[], seat?: string, read?: () => unknown, lost?: () => unknown, stays?: boolean}} [how]
 *     watch: games in progress to hear of; read: reads the current state: it is called once the stream is open, so that
 *     nothing is missed between the two, and whenever events may have been missed; lost: called when the connection is
 *     lost; stays: keep the stream while the page is hidden
 * @returns {{watch: (games: string[], ticket: string) => void}} changes `watch`, and the ticket of a seat
 */
export function listen(handlers, { watch = [], seat = "", read = () => {}, lost = () => {}, stays = false } = {}) {
  /** @type {EventSource | null} */
  let source = null;
  let last = about.last;

  // Marks an address as the organiser's, who may see what engines think; null until it was asked for.
  /** @type {string | null | undefined} */
  let ticket = steeringToken() ? null : "";

  function open() {
    if (ticket === null) {
      ticket = undefined;
      request("/api/v1/ticket").catch(() => ({ ticket: "" })).then((told) => {
        ticket = told.ticket;
        open();
      });
    }
    if (ticket === undefined) return;
    const asked = new URLSearchParams(watch.map((topic) => ["watch", topic]));
    asked.set("after", last);
    if (seat) asked.set("seat", seat);
    if (ticket) asked.set("organiser", ticket);
    const made = source = new EventSource(`/api/v1/events?${asked}`);
    const hear = (/** @type {string} */ name, /** @type {(news: any) => unknown} */ handler) => made.addEventListener(name, (event) => {
      if (event.lastEventId) last = event.lastEventId;
      const told = JSON.parse(event.data);
      learnFrom(told);
      handler(told);
    });
    hear("hello", () => {
      forgetServer();
      tell("");
      read();
    });
    hear("anew", read);
    for (const [name, handler] of Object.entries(handlers)) hear(name, handler);
    made.onerror = () => {
      tell("not connected");
      lost();
      if (made.readyState === EventSource.CLOSED && made === source) setTimeout(open, 2000);
    };
  }

  document.addEventListener("visibilitychange", () => {
    if (stays) return;
    if (document.hidden) {
      source?.close();
    } else if (source?.readyState === EventSource.CLOSED) open();
  });
  // A stream may take minutes to find out that the network is gone; the browser knows at once
  addEventListener("offline", () => {
    tell("not connected");
    lost();
  });
  addEventListener("online", () => {
    source?.close();
    open();
  });
  open();
  return {
    watch(games, seatTicket) {
      if (`${games}` === `${watch}` && seatTicket === seat) return;
      [watch, seat] = [games, seatTicket];
      source?.close();
      open();
    },
  };
}

/** @param {number} seconds */
export function lasting(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} days`;
}

/** Make a link to a game that waits for a ruling: to the judge's page for the organiser. @param {string} competition @param {string} game @param {string} title */
function rulingLink(competition, game, title) {
  const at = `/c/${path(competition)}`;
  const href = steeringToken() ? `${at}/judge?game=${path(game)}` : `${at}/games/${path(game)}`;
  return element("a", { href }, steeringToken() ? `judge ${title}` : title);
}

/** Return the players and the round of each game that waits for a ruling, by its id; empty if they cannot be read. @param {Summary} told @returns {Promise<Map<string, string>>} */
export async function titlesOf(told) {
  if (!told.needs_ruling.length) return new Map();
  const { games } = await fetchJson(`/api/v1/competitions/${path(told.competition)}/judge`).catch(() => ({ games: [] }));
  return new Map(games.map((/** @type {{id: string, title: string}} */ { id, title }) => [id, title]));
}

/**
 * The state of a competition (docs/reference/http-api.md).
 * @typedef {object} Summary
 * @property {string} competition
 * @property {string} title
 * @property {string} game
 * @property {string} format
 * @property {string} description
 * @property {boolean} begun whether it is a game that was begun on the page
 * @property {number} finished
 * @property {boolean} counting
 * @property {number | null} remaining
 * @property {boolean} running
 * @property {number | null} parallel
 * @property {boolean} paused
 * @property {string[]} playing ids of the games in progress
 * @property {number | null} seconds_left
 * @property {number} void
 * @property {string[]} skipped
 * @property {string[]} needs_ruling
 * @property {Record<string, string>} awaited
 * @property {Record<string, boolean>} there
 * @property {Record<string, string>} suspended
 * @property {string} trouble
 * @property {string} failure
 * @property {number} version
 */

/**
 * Make the progress of a competition, in words and as a bar.
 * @param {Summary} told
 * @param {Map<string, string>} titles of the games that wait for a ruling
 * @returns {HTMLElement[]}
 */
export function progress(told, titles) {
  const state = told.trouble ? "cannot be read" : told.paused ? "paused" : told.running ? "running"
    : told.remaining === 0 ? "finished" : "not running";
  const total = told.remaining === null ? null : told.finished + told.remaining;
  const parts = [`${told.finished}${total === null ? "" : ` of ${total}`} games`];
  if (told.counting) parts.push("results are being counted");
  if (told.seconds_left) parts.push(`about ${lasting(told.seconds_left)} left`);
  if (told.void) parts.push(`${told.void} void`);
  const line = element("p", {}, element("b", { class: `state ${told.running ? "running" : ""}` }, state), ` ${parts.join(", ")}`);
  const found = [line];
  if (total) found.push(element("progress", { max: total, value: told.finished, "aria-label": "games played" }));
  const needs = [
    ...Object.keys(told.awaited).map((player) => `${player} is awaited at the board`),
    ...(told.skipped.length ? [`${told.skipped.length} games are skipped`] : []),
    ...Object.entries(told.suspended).map(([player, why]) => `${player} is suspended: ${why}`),
  ];
  const there = (/** @type {boolean} */ isThere) => Object.keys(told.there).filter((player) => told.there[player] === isThere).join(", ");
  const people = [there(true) && `here: ${there(true)}`, there(false) && `not here: ${there(false)}`].filter(Boolean).join("; ");
  if (people && told.remaining !== 0) found.push(element("p", { class: "soft" }, people));
  const rulings = told.needs_ruling.slice(0, 5).flatMap((/** @type {string} */ game, /** @type {number} */ index) => [index ? "; " : " ", rulingLink(told.competition, game, titles.get(game) ?? game)]);
  const { length } = told.needs_ruling;
  if (length) found.push(element("p", { class: "need" }, `${length} ${length === 1 ? "game waits" : "games wait"} for a ruling:`, ...rulings, length > 5 ? " …" : ""));
  for (const need of needs) found.push(element("p", { class: "need" }, need));
  if (told.trouble) found.push(element("p", { class: "loss" }, told.trouble));
  return found;
}
