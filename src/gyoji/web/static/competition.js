// The page of one competition: its state, its games in progress, and its tables when they change.

import "./keys.js";
import "./upload.js";
import { $, all, element } from "./dom.js";
import { about, careful, fetchJson, fetchPart, gathered, lasting, listen, path, progress, steer, steeringToken, tell, titlesOf } from "./feed.js";

const name = about.competition;
/** @typedef {{id: string, players: string[], note: string, in_seconds: number | null, again: boolean}} Coming */

const refreshSummary = careful(async () => {
  const told = await fetchJson(`/api/v1/competitions/${path(name)}`);
  $("summary").replaceChildren(...progress(told, await titlesOf(told)));
  showSteering(told);
  const [plan, { games }] = await Promise.all([
    fetchJson(`/api/v1/competitions/${path(name)}/schedule`),
    fetchJson(`/api/v1/competitions/${path(name)}/games?most=6`),
  ]);
  const ofTwo = (/** @type {string[]} */ players) => players.join(" – ");
  showList("running", "playing", plan.playing, (/** @type {{id: string, title: string}} */ game) => [gameLink(game.id, game.title)]);
  showList("next", "coming", told.running ? plan.coming.slice(0, 6) : [], (/** @type {Coming} */ game) => [
    ofTwo(game.players), game.again ? " again" : "", ` ${game.note}`,
    ...(game.in_seconds === null ? [] : [element("small", {}, ` in about ${lasting(game.in_seconds)}`)]),
  ]);
  showList("newest", "results", games, (/** @type {{id: string, result: string}} */ game) => [gameLink(game.id, game.result)]);
});

/** @param {string} id @param {string} text */
function gameLink(id, text) {
  return element("a", { href: `/c/${path(name)}/games/${path(id)}` }, text);
}

/**
 * List games in a section that is hidden while there are none.
 * @template T
 * @param {string} section
 * @param {string} list
 * @param {T[]} games
 * @param {(game: T) => (Node | string)[]} parts
 */
function showList(section, list, games, parts) {
  $(section).hidden = !games.length;
  $(list).replaceChildren(...games.map((game) => element("li", {}, ...parts(game))));
}

/** Show the organiser's buttons that make sense now. @param {import("./feed.js").Summary} told */
function showSteering(told) {
  const place = $("steering");
  place.hidden = !steeringToken();
  /** @type {Record<string, boolean>} */
  const makesSense = {
    start: !told.running, pause: told.running && !told.paused, resume: told.paused, stop: told.running,
    reload: told.running, parallel: told.running, retry: told.skipped.length > 0,
  };
  for (const button of all("[data-do]", place)) button.hidden = !makesSense[button.dataset.do];
  place.querySelector("label").hidden = !told.running;
  const parallel = $("parallel");
  if (document.activeElement !== parallel) parallel.value = told.parallel ?? "";
}

for (const button of all("#steering [data-do]")) {
  button.addEventListener("click", careful(async () => {
    const games = Number($("parallel").value);
    if (button.dataset.do === "reload") tell("new players are being tried …");
    await steer(name, { do: button.dataset.do, ...(games ? { games } : {}) });
    tell("");
  }));
}

// The standings as a text, to be pasted into a forum or a document.
for (const button of all("[data-post]")) {
  button.addEventListener("click", careful(async () => {
    const answer = await fetch(`/api/v1/competitions/${path(name)}/post/${button.dataset.post}`);
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    await navigator.clipboard.writeText(text);
    $("posted").textContent = "copied";
  }));
}
$("print").addEventListener("click", () => window.print());

// Show the machines of a cluster. Of many games, name the first.
const MOST_NAMED = 8;

const refreshHosts = careful(async () => {
  const { hosts } = await fetchJson(`/api/v1/competitions/${path(name)}/hosts`);
  $("machines").hidden = !hosts.length;
  $("hosts").replaceChildren(...hosts.map(hostRow));
});

/** @param {{name: string, slots: number, playing: string[], played: number, silent: number, trouble: string}} host */
function hostRow(host) {
  const games = host.playing.slice(0, MOST_NAMED).flatMap((id) => [gameLink(id, id), " "]);
  const more = host.playing.length - MOST_NAMED;
  if (more > 0) games.push(`and ${more} more`);
  const words = host.trouble ? [element("span", { class: "loss" }, host.trouble)] : games;
  return element("tr", {},
    element("th", { scope: "row", class: "text" }, host.name),
    element("td", {}, `${host.slots}`),
    element("td", { class: "text" }, ...words),
    element("td", {}, `${host.played}`),
    element("td", { class: "text" }, host.silent < 10 ? "now" : `${lasting(host.silent)} ago`),
  );
}

const refreshTables = careful(async () => {
  const tables = await fetchPart(`/c/${path(name)}/parts`);
  const { scrollX, scrollY } = window;
  $("parts").replaceChildren(...tables.children);
  window.scrollTo(scrollX, scrollY);
});

/** Return a handler that calls a function once for several events of this competition. @param {() => unknown} work @param {number} ms */
function soon(work, ms) {
  const later = gathered(work, ms);
  return (/** @type {{competition: string}} */ told) => { if (told.competition === name) later(); };
}

const summarySoon = soon(refreshSummary, 250);
const handlers = Object.fromEntries(
  ["started", "finished", "void", "running", "stopped", "steered", "reloaded", "awaited", "ready", "owner"].map((each) => [each, summarySoon]),
);
const tablesSoon = soon(refreshTables, 1000);
const hostsSoon = soon(refreshHosts, 250);
listen({ ...handlers, hosts: hostsSoon, stopped: (told) => { summarySoon(told); hostsSoon(told); }, standings: (told) => { summarySoon(told); tablesSoon(told); } }, {
  read: () => { refreshSummary(); refreshHosts(); refreshTables(); },
});
