// The home page: games in progress on boards, all competitions with leaders and last game, games that wait for people.

import "./keys.js";
import "./wall.js";
import { $, all, element } from "./dom.js";
import { about, careful, fetchJson, lasting, listen, path, progress, steeringToken } from "./feed.js";
import { onOtherColours } from "./painter.js";
import { stillBoard } from "./still.js";

/** @import { Summary } from "./feed.js" */

const list = $("competitions");
const known = new Set(JSON.parse(about.competitions));

// Games that were begun on the page are lines: first those in progress or waiting, the others behind a heading.
const begun = new Map(); // the line of each, by name
const place = { playing: $("playing"), over: all("#over ul")[0] };

/** @param {Summary} told */
function drawBegun(told) {
  const { competition: name, finished, running, remaining, needs_ruling: waiting } = told;
  const isOpen = running || remaining !== 0 || waiting.length > 0;
  const line = begun.get(name) ?? element("li");
  begun.set(name, line);
  const [state, ...more] = progress(told).filter((each) => each.localName !== "progress");
  const games = finished > 1 ? `${finished} games ` : "";
  const words = isOpen ? [state.textContent, ...more.map((each) => each.textContent)].join(", ") : games;
  line.replaceChildren(element("a", { href: `/c/${path(name)}` }, told.title), ` ${told.game} `, element("small", { class: "soft" }, words));
  const list = isOpen ? place.playing : place.over;
  if (line.parentElement !== list) list.prepend(line);
  $("begun").hidden = false;
  const over = $("over");
  over.hidden = !place.over.children.length;
  const count = place.over.children.length;
  over.querySelector("summary").textContent = `${count} ${count === 1 ? "game is" : "games are"} over`;
}

// What needs the organiser, of all competitions, with the place where to do it.
const MOST_RULINGS = 5; // games of a competition that are named
const needs = new Map(); // items by competition

const drawNeeds = careful(async (/** @type {Summary} */ told) => {
  const at = `/c/${path(told.competition)}`;
  const names = steeringToken() && told.needs_ruling.length ? await namesOf(told.competition) : new Map();
  const link = (/** @type {string} */ href, /** @type {string} */ text) => element("li", {}, element("a", { href }, `${told.title}: ${text}`));
  const found = [
    ...(told.trouble ? [link(at, told.trouble)] : []),
    ...(told.failure ? [link(at, told.failure)] : []),
    ...told.needs_ruling.slice(0, MOST_RULINGS).map((game) => link(`${at}/judge?game=${path(game)}`, `${names.get(game) ?? game} waits for your ruling${told.running ? ", once the run is stopped" : ""}`)),
    ...(told.needs_ruling.length > MOST_RULINGS ? [link(`${at}/judge`, `${told.needs_ruling.length - MOST_RULINGS} more games wait for your ruling`)] : []),
    ...(told.skipped.length ? [link(at, `${told.skipped.length} ${told.skipped.length === 1 ? "game is" : "games are"} skipped`)] : []),
    ...Object.entries(told.suspended).map(([player, why]) => link(at, `${player} is suspended: ${why}`)),
    ...Object.keys(told.awaited).map((player) => link(`${at}/invitations`, `${player} is awaited at the board`)),
  ];
  needs.set(told.competition, found);
  const all = [...needs.values()].flat();
  $("needs").hidden = !all.length || !steeringToken();
  $("needed").replaceChildren(...all);
});

/** Return the players of each game that waits for the judge, by its id. @param {string} competition @returns {Promise<Map<string, string>>} */
async function namesOf(competition) {
  const { games } = await fetchJson(`/api/v1/competitions/${path(competition)}/judge`);
  return new Map(games.map((/** @type {{id: string, players: string[]}} */ { id, players }) => [id, players.join(" – ")]));
}

/** @param {Summary} told */
function draw(told) {
  if (!known.has(told.competition)) return location.reload(); // its games are not watched yet
  drawNeeds(told);
  if (told.begun) return drawBegun(told);
  let card = [...list.children].find((each) => each.dataset.competition === told.competition);
  if (!card) {
    card = element("li");
    card.dataset.competition = told.competition;
    list.append(card);
  }
  const link = element("a", { href: `/c/${path(told.competition)}` }, told.competition);
  const kind = element("small", {}, `${told.game} ${told.format}`);
  const about = told.description ? [element("p", { class: "soft" }, told.description)] : [];
  const more = card.querySelector(".more") ?? element("div", { class: "more" });
  card.replaceChildren(element("h2", {}, link), kind, ...about, ...progress(told), more);
  if (card.dataset.version !== versionOf(told)) readMore(card, more, told);
}

/** Return the key of what a card says: the next game is another one whenever a game begins. @param {Summary} told */
const versionOf = ({ version, running, playing }) => `${version} ${running} ${playing}`;

// The leaders, the next game, and the last one that is over, with its last position.
const readMore = careful(async (/** @type {HTMLElement} */ card, /** @type {HTMLElement} */ more, /** @type {Summary} */ told) => {
  card.dataset.version = versionOf(told);
  if (told.trouble || !told.finished && !told.running) return;
  const api = `/api/v1/competitions/${path(told.competition)}`;
  const [{ leaders, bracket }, { coming }, { games: [last] }] = await Promise.all([
    fetchJson(`${api}/leaders`), fetchJson(`${api}/schedule`), fetchJson(`${api}/games?most=1`),
  ]);
  const parts = [];
  if (bracket && told.finished) parts.push(bracketTable(bracket, told.title));
  else if (leaders.length && told.finished) {
    parts.push(element("ol", { class: "leaders", "aria-label": "standings" }, ...leaders.map((/** @type {{rank: string, name: string, points: string}} */ { rank, name, points }) => (
      element("li", {}, element("span", {}, `${rank}. ${name}`), element("b", {}, points))))));
  }
  const [next] = told.running ? [...coming.filter((/** @type {{again: boolean}} */ { again }) => !again), ...coming] : [];
  if (next) {
    const when = next.in_seconds === null ? "" : `, in about ${lasting(next.in_seconds)}`;
    parts.push(element("p", { class: "soft next" }, `Next: ${next.players.join(" – ")}${next.again ? " again" : ""}${next.note ? `, ${next.note}` : ""}${when}`));
  }
  if (last) parts.push(await lastGame(api, told.competition, last));
  more.replaceChildren(...parts);
});

/**
 * Make a bracket: a round in each column, and the two places of a match beside the one that they play for.
 * @param {{rounds: string[], rows: [string, string, number][][], note: string}} bracket
 * @param {string} title
 */
function bracketTable({ rounds, rows, note }, title) {
  const head = element("tr", {}, ...rounds.map((name) => element("th", { scope: "col", class: "text" }, name)));
  const body = rows.map((row) => element("tr", {}, ...row.map(([name, score, span]) => (
    element("td", { class: "text", rowspan: span }, name, " ", element("small", { class: "soft" }, score))))));
  const table = element("table", { class: "bracket" }, element("thead", {}, head), element("tbody", {}, ...body));
  const wide = element("div", { class: "wide", role: "group", tabindex: "0", "aria-label": `bracket of ${title}` }, table);
  return element("div", {}, wide, element("small", { class: "soft" }, note));
}

/** @param {string} api @param {string} competition @param {{id: string, result: string}} game */
async function lastGame(api, competition, { id, result }) {
  const link = element("a", { class: "last", href: `/c/${path(competition)}/games/${path(id)}` });
  const values = await fetchJson(`${api}/games/${path(id)}/last`);
  if (values.columns.length) link.append(stillBoard(values));
  link.append(element("small", {}, result));
  return link;
}

const refresh = careful(async () => {
  for (const told of (await fetchJson("/status.json")).competitions) draw(told);
});

let waiting = 0;

function refreshSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 200);
}

onOtherColours(() => {
  for (const card of list.children) card.dataset.version = "";
  refreshSoon();
});
const same = Object.fromEntries(
  ["started", "finished", "void", "running", "stopped", "steered", "reloaded", "awaited"].map((name) => [name, refreshSoon]),
);
listen({ ...same, standings: draw }, { read: refresh });
