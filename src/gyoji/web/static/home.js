// @ts-nocheck: not typed yet
// All competitions: their progress, and what waits for a person.

import "./keys.js";
import { element } from "./dom.js";
import { careful, fetchJson, listen, path, progress, steeringToken } from "./feed.js";

steeringToken();
const list = document.getElementById("competitions");

// Games that were begun on the page are lines: first those in progress or waiting, the others behind a heading.
const begun = new Map(); // the line of each, by name
const place = { playing: document.getElementById("playing"), over: document.querySelector("#over ul") };

function drawBegun(told) {
  const { competition: name, finished, running, remaining, awaited, needs_ruling: waiting } = told;
  const isOpen = running || remaining !== 0 || waiting.length > 0;
  const line = begun.get(name) ?? element("li");
  begun.set(name, line);
  const [state, ...more] = progress(told).filter((each) => each.localName !== "progress");
  const games = finished > 1 ? `${finished} games ` : "";
  const words = isOpen ? [state.textContent, ...more.map((each) => each.textContent)].join(", ") : games;
  line.replaceChildren(element("a", { href: `/c/${path(name)}` }, name), ` ${told.game} `, element("small", { class: "soft" }, words));
  const list = isOpen ? place.playing : place.over;
  if (line.parentElement !== list) list.prepend(line);
  document.getElementById("begun").hidden = false;
  const over = document.getElementById("over");
  over.hidden = !place.over.children.length;
  const count = place.over.children.length;
  over.querySelector("summary").textContent = `${count} ${count === 1 ? "game is" : "games are"} over`;
}

function draw(told) {
  if (told.begun) {
    drawBegun(told);
    return;
  }
  let card = [...list.children].find((each) => each.dataset.competition === told.competition);
  if (!card) {
    card = element("li");
    card.dataset.competition = told.competition;
    list.append(card);
  }
  const link = element("a", { href: `/c/${path(told.competition)}` }, told.competition);
  const kind = element("small", {}, `${told.game} ${told.format}`);
  const about = told.description ? [element("p", { class: "soft" }, told.description)] : [];
  card.replaceChildren(element("h2", {}, link), kind, ...about, ...progress(told));
}

const refresh = careful(async () => {
  for (const told of (await fetchJson("/status.json")).competitions) draw(told);
});

let waiting = 0;

function refreshSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 200);
}

const same = Object.fromEntries(
  ["started", "finished", "void", "running", "stopped", "steered", "reloaded", "awaited"].map((name) => [name, refreshSoon]),
);
listen({ ...same, standings: draw }, { read: refresh });
