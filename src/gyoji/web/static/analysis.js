// Analysis of a finished game by an engine of its event: a curve, and for each position the best variations.

import { $, button, element, svg, write } from "./dom.js";
import { about, careful, path, request } from "./feed.js";
import { goTo } from "./frames.js";
import { addPanel, markPanel } from "./panels.js";
import { onChange, overlay, state } from "./state.js";
import { addNext } from "./talk.js";
import { tryMoves } from "./trying.js";

/** @import { Over } from "./state.js" */
/** @typedef {{text: string, score: number | null, win: number | null, moves: string[]}} Variation */
/** @typedef {{turn: number, seat: number, lines: Variation[]}} Position */

const { competition, game: id } = about;
const address = `/api/v1/competitions/${path(competition)}/games/${path(id)}/analysis`;
/** The analysis of each position so far. @type {Map<number, Position>} */
const known = new Map();
let player = "";

const engine = element("select", { "aria-label": "engine" });
const seconds = element("input", { type: "number", min: 0.1, max: 10, step: 0.1, value: 1, "aria-label": "seconds for each position" });
const start = button("analyse", careful(begin), { class: "main" });
const form = element("p", { class: "filter" }, engine, " ", seconds, element("small", {}, " s for each position "), start);
const progress = element("p", { class: "soft", role: "status" });
const curve = svg("svg", { class: "chart opinions", "aria-hidden": "true", preserveAspectRatio: "none" });
const lines = element("ol", { class: "variations", "aria-label": "best variations of this position" });
const panel = element("div", { class: "analysis" }, form, progress, curve, lines);
let isThere = false;

async function begin() {
  await request(address, { player: engine.value, seconds: Number(seconds.value) });
  known.clear();
  player = engine.value;
  start.disabled = true;
  draw();
}

/** Read the analysis so far, and who may start one. Call it after the end of the game. */
export const openAnalysis = careful(async () => {
  const told = await request(address);
  if (!told.players.length && !told.positions.length) return;
  if (!isThere) {
    addPanel({ id: "analysis", title: "Analysis", element: panel });
    addNext(button("analyse", () => $("tab-analysis").click()));
  }
  isThere = true;
  player = told.player;
  known.clear();
  for (const each of told.positions) known.set(each.turn, each);
  engine.replaceChildren(...told.players.map((/** @type {string} */ name) => element("option", {}, name)));
  form.hidden = !told.players.length;
  start.disabled = Boolean(told.running);
  draw(told.running && told.running !== `${competition}/${id}` ? `${told.running} is being analysed` : told.problem);
});

/** Handle a message with new analysis. @param {any} news */
export function hearAnalysed(news) {
  if (news.done) {
    start.disabled = false;
    draw(news.problem || `${player} has analysed ${known.size} positions.`);
    return;
  }
  if (!isThere) return void openAnalysis();
  known.set(news.turn, news);
  draw(`${player} has analysed ${known.size} of about ${(state.game?.turns.length ?? 0) + 1} positions.`);
  markPanel("analysis");
}

/** Return the height of the curve, from 1 (the first side wins) to -1. @param {Position} position */
function height({ seat, lines: [best] }) {
  const side = state.game?.seats[seat].side ?? 0;
  if (!best) return 0;
  const own = best.win !== null ? 2 * best.win - 1 : Math.tanh((best.score ?? 0) / (state.game?.kind === "squares" ? 400 : 15));
  return side ? -own : own;
}

function drawCurve() {
  const last = Math.max(state.game?.turns.length ?? 1, 1);
  const found = [...known.values()].sort((one, other) => one.turn - other.turn);
  curve.toggleAttribute("hidden", !found.length);
  curve.setAttribute("viewBox", `0 -1.05 ${last} 2.1`);
  curve.replaceChildren(
    svg("line", { class: "zero", x1: 0, x2: last, y1: 0, y2: 0 }),
    svg("polyline", { points: found.map((each) => `${each.turn},${-height(each)}`).join(" "), stroke: "currentColor" }),
    svg("line", { class: "now", x1: state.turn, x2: state.turn, y1: -1.05, y2: 1.05, "vector-effect": "non-scaling-stroke" }),
  );
}

/** @param {string} [words] */
function draw(words) {
  if (words !== undefined) write(progress, words);
  drawCurve();
  const { turn, variation } = state;
  const here = variation ? undefined : known.get(turn);
  lines.replaceChildren(...(here?.lines ?? []).map((line) => element("li", {}, button(`${line.text}: ${line.moves.slice(0, 8).join(" ")}`,
    () => tryMoves(turn, line.moves), { title: "step through it on the board" }))));
  drawBest(here);
}

/** Draw the first move of each variation on the board. @param {Position | undefined} position */
function drawBest(position) {
  const { game } = state;
  /** @type {Over[]} */
  const overs = [];
  const isOpen = isThere && !panel.hidden;
  if (game && position && isOpen) {
    const count = game.columns.length * game.rows.length;
    const names = new Map(Array.from({ length: count }, (_, place) => [`${game.columns[place % game.columns.length]}${game.rows[Math.floor(place / game.columns.length)]}`.toLowerCase(), place]));
    for (const [index, { moves: [move = ""] }] of position.lines.entries()) {
      const text = move.toLowerCase();
      const [from, to] = [names.get(text), names.get(text.slice(0, 2)) ?? -1];
      const where = names.get(text.slice(2, 4));
      if (from !== undefined) overs.push([from, "label", String(index + 1)]);
      else if (to >= 0 && where !== undefined && !index) overs.push([to, "arrow", where]);
    }
  }
  overlay("analysis", overs);
}

curve.addEventListener("click", (event) => {
  const { left, width } = curve.getBoundingClientRect();
  goTo(Math.round((/** @type {MouseEvent} */ (event).clientX - left) / width * (state.game?.turns.length ?? 0)));
});
onChange((_, changed) => { if (isThere && ["game", "turn", "variation"].some((name) => changed.has(name))) queueMicrotask(() => draw()); });
$("tabs").addEventListener("click", () => { if (isThere) draw(); });
