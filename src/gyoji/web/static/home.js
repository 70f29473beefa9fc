// The home page: games in progress on boards, all competitions with leaders and last game, games that wait for people.

import "./keys.js";
import "./wall.js";
import { $, all, element } from "./dom.js";
import { about, careful, fetchJson, fetchPart, lasting, listen, path, progress, steeringToken, titlesOf } from "./feed.js";
import { onOtherColours } from "./painter.js";
import { stillBoard } from "./still.js";

/** @import { Summary } from "./feed.js" */

const list = $("competitions");
const known = new Set(JSON.parse(about.competitions));

// Games that were begun on the page are lines: first those in progress or waiting, the others behind a heading.
const begun = new Map(); // the line of each, by name
const place = { playing: $("playing"), over: all("#over ul")[0] };

/** @param {Summary} told @param {Map<string, string>} titles */
function drawBegun(told, titles) {
  const { competition: name, finished, running, remaining, needs_ruling: waiting } = told;
  const isOpen = running || remaining !== 0 || waiting.length > 0;
  const line = begun.get(name) ?? element("li");
  begun.set(name, line);
  const [state, ...more] = progress(told, titles).filter((each) => each.localName !== "progress");
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

// What needs the organiser, of all competitions, with the place where to do it: rulings first, people who are awaited last.
const MOST_RULINGS = 5; // games of a competition that are named
/** The items of each competition: rulings, what is broken, people who are awaited. @type {Map<string, HTMLElement[][]>} */
const needs = new Map();

/** @param {Summary} told @param {Map<string, string>} titles */
function drawNeeds(told, titles) {
  const at = `/c/${path(told.competition)}`;
  const link = (/** @type {string} */ href, /** @type {string} */ text) => element("li", {}, element("a", { href }, `${told.title}: ${text}`));
  const rulings = [
    ...told.needs_ruling.slice(0, MOST_RULINGS).map((game) => link(`${at}/judge?game=${path(game)}`, `${titles.get(game) ?? game} waits for your ruling${told.running ? ", once the run is stopped" : ""}`)),
    ...(told.needs_ruling.length > MOST_RULINGS ? [link(`${at}/judge`, `${told.needs_ruling.length - MOST_RULINGS} more games wait for your ruling`)] : []),
  ];
  const broken = [
    ...(told.trouble ? [link(at, told.trouble)] : []),
    ...(told.failure ? [link(at, told.failure)] : []),
    ...(told.skipped.length ? [link(at, `${told.skipped.length} ${told.skipped.length === 1 ? "game is" : "games are"} skipped`)] : []),
    ...Object.entries(told.suspended).map(([player, why]) => link(at, `${player} is suspended: ${why}`)),
  ];
  const awaited = Object.keys(told.awaited).map((player) => link(`${at}/invitations`, `${player} is awaited at the board`));
  needs.set(told.competition, [rulings, broken, awaited]);
  const all = [0, 1, 2].flatMap((kind) => [...needs.values()].flatMap((each) => each[kind]));
  $("needs").hidden = !all.length || !steeringToken();
  $("needed").replaceChildren(...all);
}

/** The last state of each competition. @type {Map<string, Summary>} */
const states = new Map();

const draw = careful(async (/** @type {Summary} */ told) => {
  if (!known.has(told.competition)) return location.reload(); // its games are not watched yet
  states.set(told.competition, told);
  const titles = await titlesOf(told);
  if (states.get(told.competition) !== told) return; // a newer state came meanwhile
  drawNeeds(told, titles);
  if (told.begun) return drawBegun(told, titles);
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
  card.replaceChildren(element("h2", {}, link), kind, ...about, ...progress(told, titles), more);
  if (card.dataset.version !== versionOf(told)) readMore(card, more, told);
});

/** Return the key of what a card says: the next game is another one whenever a game begins. @param {Summary} told */
const versionOf = ({ version, running, playing }) => `${version} ${running} ${playing}`;

// The leaders, the next game, and the last one that is over, with its last position.
const readMore = careful(async (/** @type {HTMLElement} */ card, /** @type {HTMLElement} */ more, /** @type {Summary} */ told) => {
  card.dataset.version = versionOf(told);
  if (told.trouble || !told.finished && !told.running) return;
  const api = `/api/v1/competitions/${path(told.competition)}`;
  const [leaders, { coming }, { games: [last] }] = await Promise.all([
    told.finished ? fetchPart(`/c/${path(told.competition)}/leaders`) : null, fetchJson(`${api}/schedule`), fetchJson(`${api}/games?most=1`),
  ]);
  const parts = leaders ? [leaders] : [];
  const [next] = told.running ? [...coming.filter((/** @type {{again: boolean}} */ { again }) => !again), ...coming] : [];
  if (next) {
    const when = next.in_seconds === null ? "" : `, in about ${lasting(next.in_seconds)}`;
    parts.push(element("p", { class: "soft next" }, `Next: ${next.players.join(" – ")}${next.again ? " again" : ""}${next.note ? `, ${next.note}` : ""}${when}`));
  }
  if (last) parts.push(await lastGame(api, told.competition, last));
  more.replaceChildren(...parts);
});

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
