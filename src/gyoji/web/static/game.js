
// The page of one game. The address has the game and, once a turn was chosen, the turn.

import { showLine } from "./line.js";
import { trial, tryMoves } from "./trying.js";

const { competition, game: id } = about;

const address = new URLSearchParams(location.search);
const asked = address.get("move");
let variation = address.getAll("play");
document.body.classList.toggle("embed", address.has("embed"));

// Put what is shown into the address: the game, the turn, and the variation from there.
function addressOf(turn) {
  const url = new URL(location);
  url.searchParams.set("move", trial.game ? trial.from : turn);
  url.searchParams.delete("play");
  for (const move of trial.moves) url.searchParams.append("play", move);
  return url;
}

viewer.name = () => {
  const { game, turn } = viewer;
  const url = addressOf(turn);
  document.getElementById("permalink").href = url;
  if (!trial.game && turn === lastTurn() && (game.live || asked === null)) url.searchParams.delete("move");
  history.replaceState(null, "", url);
  showLine(!trial.game);
};

const load = careful(async () => {
  const game = await request(`/api/v1/competitions/${path(competition)}/games/${path(id)}`);
  if (trial.game) {
    Object.assign(trial, { game }); // the variation stays on the board until it is left
    return;
  }
  const wasAtEnd = !viewer.game || viewer.turn === lastTurn();
  const turn = asked !== null && !viewer.game ? Number(asked) : wasAtEnd ? Infinity : viewer.turn;
  showGame(game, turn);
  document.getElementById("records").replaceChildren(...(game.records ?? []).map((suffix) => (
    element("a", { href: `/api/v1/competitions/${path(competition)}/records/${path(id + suffix)}` }, `record (${suffix})`)
  )));
  document.getElementById("rulings").replaceChildren(...(game.rulings ?? []).flatMap(rulingLines));
  document.getElementById("try").hidden = !viewer.board || game.hidden || game.kind !== "points";
  keptBack();
  clocks();
  if (variation.length) {
    trial.isOn = true;
    tryMoves(variation);
    variation = [];
  }
});

// Show how far a game is whose moves are hidden, and when they will be shown.
function keptBack() {
  const { hidden, count } = viewer.game;
  document.getElementById("viewer").classList.toggle("kept", Boolean(hidden));
  if (viewer.game.thoughts === false) {
    document.getElementById("missing").textContent = "What the engines think of their moves is shown when the game is over.";
  }
  if (hidden) document.getElementById("missing").textContent = `${count} ${count === 1 ? "turn" : "turns"} so far. They are shown when the game is over.`;
}

// Show the judge's rulings and their reasons, the newest first.
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

trial.left = load;
document.getElementById("copy").addEventListener("click", careful(async () => {
  await navigator.clipboard.writeText(document.getElementById("permalink").href);
  announce("The link is copied.");
  document.getElementById("copied").textContent = "copied";
}));

listen({
  move: (news) => {
    if (trial.game) return; // the game is read again when the variation is left
    if (!viewer.game || news.first > viewer.game.turns.length) return; // earlier turns are being read
    if (news.frames) extendGame(news);
    else Object.assign(viewer.game, news);
    keptBack();
    clocks();
  },
  finished: (news) => { if (news.competition === competition && news.game === id) setTimeout(load, 500); },
  void: (news) => { if (news.competition === competition && news.game === id) tell("this game is void and is played again"); },
  running: (news) => { if (news.competition === competition) load(); },
}, { watch: [`${competition}/${id}`], read: load });
