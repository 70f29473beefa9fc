// The list of a competition's games, the newest first, a page at a time.

import "./keys.js";
import { $, element } from "./dom.js";
import { about, careful, fetchJson, listen, path } from "./feed.js";

const name = about.competition;
const form = $("filter");
const more = $("more");
const PAGE = 50;
/** Number of the oldest game in the list. @type {number | null} */
let before = null;

/** @param {{id: string, number: number, players: string[], result: string, detail: string, turns: number, seconds: number, started: string}} game */
function row(game) {
  const link = element("a", { href: `/c/${path(name)}/games/${path(game.id)}` }, game.id);
  return element("tr", {},
    element("th", { scope: "row", class: "text" }, link),
    element("td", { class: "text" }, game.players.join(", ")),
    element("td", { class: "text", title: game.detail }, game.result),
    element("td", {}, String(game.turns)),
    element("td", {}, game.seconds.toFixed(1)),
    element("td", { class: "text" }, game.started.slice(0, 16).replace("T", " ")));
}

const load = careful(async (/** @type {boolean} */ isMore) => {
  const asked = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]).filter(([, value]) => value));
  history.replaceState(null, "", asked.size ? `?${asked}` : location.pathname);
  asked.set("most", String(PAGE));
  if (isMore && before !== null) asked.set("before", String(before));
  const { games } = await fetchJson(`/api/v1/competitions/${path(name)}/games?${asked}`);
  const place = $("games");
  if (!isMore) place.replaceChildren();
  place.append(...games.map(row));
  before = games.length ? games[games.length - 1].number : before;
  more.hidden = games.length < PAGE;
});

for (const [key, value] of new URLSearchParams(location.search)) {
  if (form.elements[key]) form.elements[key].value = value;
}
form.addEventListener("input", () => load(false));
form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
more.addEventListener("click", () => load(true));
listen({});
load(false);
