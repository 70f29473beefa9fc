// The page of one game. The address has the game and, after one was chosen, the turn and the variation.

import "./keys.js";
import "./look.js";
import "./bars.js";
import "./beside.js";
import "./moves.js";
import "./talk.js";
import "./curves.js";
import "./panels.js";
import "./operator.js";
import { learn } from "./clocks.js";
import { announce } from "./boardtext.js";
import { $, element } from "./dom.js";
import { about, careful, listen, path, request, tell } from "./feed.js";
import { extendGame, isAtEnd, lastTurn, nextPhase, showGame } from "./frames.js";
import { onVariation } from "./moves.js";
import { addRecords } from "./records.js";
import { change, onChange, state } from "./state.js";
import { canTry, tryMoves } from "./trying.js";
import "./line.js";
import { hearAnalysed, openAnalysis } from "./analysis.js";
import { hearLine, openSpectatorChat } from "./chat.js";
import { hearPresence } from "./presence.js";

const { competition, game: id } = about;
const address = new URLSearchParams(location.search);
const asked = address.get("move");
let variation = address.getAll("play");
let naming = 0;
document.body.classList.toggle("embed", address.has("embed"));
onVariation(tryMoves);

/** Write the shown game, turn and variation into the address. */
function nameTurn() {
  const { game, turn, variation: tried } = state;
  if (!game) return;
  const url = new URL(location.href);
  url.searchParams.set("move", String(tried ? tried.from : turn));
  url.searchParams.delete("play");
  for (const move of tried?.moves ?? []) url.searchParams.append("play", move);
  $("permalink").href = url.href;
  if (isAtEnd() && (game.live || asked === null)) url.searchParams.delete("move");
  history.replaceState(null, "", url);
}

onChange(({ game }, changed) => {
  if (!game || !["game", "turn", "variation"].some((name) => changed.has(name))) return;
  clearTimeout(naming); // browsers refuse to have it changed many times a second
  naming = setTimeout(nameTurn, 300);
  $("try").hidden = !canTry(game);
  $("phase").textContent = isAtEnd() ? nextPhase(game, state.turn) : "";
  $("viewer").classList.toggle("kept", Boolean(game.hidden));
  if (game.thoughts === false) $("missing").textContent = "What the engines think of their moves is shown when the game is over.";
  if (game.hidden) $("missing").textContent = `${game.count} ${game.count === 1 ? "turn" : "turns"} so far. They are shown when the game is over.`;
});

const load = careful(async () => {
  show(await request(`/api/v1/competitions/${path(competition)}/games/${path(id)}`));
});

/** Request the whole game from the server, and show it. @param {any} game */
function show(game) {
  const turn = asked !== null && !state.game ? Number(asked) : isAtEnd() ? Infinity : state.turn;
  if (state.variation) change({ game });
  else showGame(game, turn);
  addRecords(competition, game);
  hearPresence(game.presence);
  if (game.chat) openSpectatorChat(`/api/v1/competitions/${path(competition)}/games/${path(id)}`);
  if (!game.live) openAnalysis();
  $("rulings").replaceChildren(...(game.rulings ?? []).flatMap(rulingLines));
  if (variation.length) tryMoves(Math.min(state.turn, lastTurn()), variation);
  variation = [];
}

/**
 * Show the judge's rulings and their reasons, the newest first.
 * @param {any} ruling
 * @param {number} number
 */
function rulingLines({ who, when, result, basis, remark, dead }, number) {
  const decided = ` ${basis}, by ${who}, ${when.slice(0, 16).replace("T", " ")}`;
  const lines = [
    element("h2", {}, number ? "An earlier ruling" : "The judge's ruling"),
    element("p", {}, element("b", {}, result), decided),
  ];
  if (remark) lines.push(element("p", {}, `Reasons: ${remark}`));
  if (dead) lines.push(element("p", { class: "soft" }, `Groups that are dead: ${dead}`));
  return lines;
}

$("copy").addEventListener("click", careful(async () => {
  await navigator.clipboard.writeText($("permalink").href);
  announce("The link is copied.");
  $("copied").textContent = "copied";
}));

// The page has the game with it. One in progress is read once more when the stream is open, so that nothing is missed
// between the two.
const first = JSON.parse($("game-values").textContent);
let isKnown = !first.live;
learn(first);
show(first);

function read() {
  if (!isKnown) load();
  isKnown = false;
}

const isOurs = (/** @type {any} */ news) => news.competition === competition && news.game === id;
listen({
  move: (news) => {
    if (state.game && news.first <= state.game.turns.length) extendGame(news); // else earlier turns are being read
    else if (state.game && news.first === undefined) extendGame(news);
  },
  finished: (news) => { if (isOurs(news)) setTimeout(load, 500); },
  void: (news) => { if (isOurs(news)) tell("this game is void and is played again"); },
  running: (news) => { if (news.competition === competition) load(); },
  presence: (told) => { if (told.game === id) hearPresence(told); },
  chat: (line) => { if (line.game === id) hearLine(line); },
  analysed: (news) => { if (news.game === id) hearAnalysed(news); },
}, { watch: ["", " chat", " analysis"].map((room) => `${competition}/${id}${room}`), read });
