// The bars of the players, with name, counts and a large clock, which goes on by itself between the server's messages.

import { dot } from "./board.js";
import { clockAfter, clockTail, clockWords, minutes, seatClocks, sinceAsked } from "./clocks.js";
import { $, element, write } from "./dom.js";
import { shownGame } from "./frames.js";
import { sound } from "./sound.js";
import { onChange, state } from "./state.js";

/** @import { Clock, Game } from "./state.js" */

const SHORT = 10000; // ms left at which a clock looks and sounds short
const WARNED = [60, 30, 10]; // s left of which a person is told in words

let warned = Infinity; // s left of which the person was told last
let counted = Infinity; // the last second that was sounded

/** Return the side that is shown at the bottom. @param {Game} game */
export function nearSide(game) {
  const own = state.me.length ? game.seats[state.me[0]].side : 0;
  return game.kind === "squares" ? Number(state.flipped) : own;
}

/** @param {Game} game @param {number} side */
function bar(game, side) {
  const seats = seatsOf(game, side);
  const names = [...new Set(seats.map((seat) => `${game.seats[seat].name}${state.me.includes(seat) ? " (you)" : ""}`))].join(" & ");
  const made = element("div", { class: "playerbar", id: `side${side}` });
  const who = element("b", { class: "name" }, dot(side), names || game.sides[side]);
  const clocks = seats.map((seat) => element("span", {
    class: "time", role: "timer", id: `time${seat}`, "aria-label": `clock of ${[game.seats[seat].name, game.seats[seat].role].filter(Boolean).join(", ")}`,
  }, ...(game.seats[seat].role ? [element("small", {}, game.seats[seat].role)] : []), element("b"), element("small", { class: "tail" })));
  const presence = element("span", { class: "presence", "data-seat": seats[0] ?? "" });
  made.append(who, presence, element("span", { class: "tally", id: `tally${side}` }), element("span", { class: "spent", id: `spent${side}` }), ...clocks);
  return made;
}

/** @param {Game} game @param {number} side */
function seatsOf(game, side) {
  return game.seats.flatMap((seat, index) => (seat.side === side ? [index] : []));
}

/** @param {Game} game */
function drawBars(game) {
  const near = nearSide(game);
  const sides = [...game.sides.keys()];
  $("near").replaceChildren(bar(game, near));
  $("far").replaceChildren(...sides.filter((side) => side !== near).reverse().map((side) => bar(game, side)));
}

/** Show the counts of each side after the shown turn, and its total thinking time. @param {Game} game */
function drawTallies(game) {
  const [, , tally = []] = game.frames[state.turn] ?? [];
  for (const side of game.sides.keys()) {
    write($(`tally${side}`), tally[side] === undefined || !game.tally ? "" : `${game.tally}: ${tally[side]}`);
    const ms = game.thought?.length
      ? game.thought.reduce((sum, spent, seat) => sum + (game.seats[seat].side === side ? spent : 0), 0)
      : game.turns.flat().reduce((sum, [seat, , spent]) => sum + (game.seats[seat].side === side ? spent : 0), 0);
    write($(`spent${side}`), game.live ? "" : `thought ${duration(ms)}`);
  }
}

/** @param {number} ms */
export function duration(ms) {
  if (ms < 1) return "less than 1 ms";
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 90000 ? `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s` : `${minutes(ms)} min`;
}

function drawClocks() {
  const { game } = state;
  if (!game) return;
  const isRunning = Boolean(game.live && game.acting?.length);
  const used = isRunning ? sinceAsked(game) : 0;
  for (const seat of game.seats.keys()) {
    const place = document.getElementById(`time${seat}`);
    if (!place) continue;
    const [told] = game.live ? seatClocks(game, [seat], used) : [];
    place.hidden = !told;
    place.classList.toggle("running", isRunning && Boolean(game.acting?.includes(seat)));
    if (told) drawClock(place, told.clock, told.used, seat);
  }
  for (const side of game.sides.keys()) {
    const isActing = isRunning && seatsOf(game, side).some((seat) => game.acting?.includes(seat));
    document.getElementById(`side${side}`)?.classList.toggle("acting", isActing);
  }
}

/** @param {HTMLElement} place @param {Clock} clock @param {number} used @param {number} seat */
function drawClock(place, clock, used, seat) {
  const { now } = clockAfter(clock, used);
  const left = clock.move ? Math.min(now, clock.move - used) : now;
  const tail = clockTail(clock, used);
  const [digits, small] = /** @type {any} */ (place.querySelectorAll(":scope > b, :scope > .tail"));
  write(digits, minutes(left));
  write(small, clock.move && clock.main ? "for this move" : tail && !tail.startsWith("/") ? `+ ${tail}` : tail);
  place.title = clockWords(clock, used);
  place.classList.toggle("short", left <= SHORT);
  if (used && state.me.includes(seat)) warn(left, clock, used);
}

/** Warn the person, in words and by a sound, of a clock that is about to run out. @param {number} left @param {Clock} clock @param {number} used */
function warn(left, clock, used) {
  const isLast = clockAfter(clock, used).rest === 0;
  const second = Math.ceil(left / 1000);
  const soon = WARNED.find((seconds) => second <= seconds && seconds < warned);
  if (soon && isLast) {
    warned = soon;
    write($("warning"), `${soon} seconds left`);
  }
  if (second < counted && (second === 10 || (second <= 5 && second > 0))) {
    counted = second;
    sound("low");
  }
}

/** @type {Game | null} */
let told = null;

onChange(({ game }, changed) => {
  if (!game || !["game", "turn", "variation", "flipped", "me"].some((name) => changed.has(name))) return;
  const before = told;
  if (changed.has("game") && game !== told) {
    if (`${before?.acting}` !== `${game.acting}` || before?.turns.length !== game.turns.length) {
      counted = Infinity;
      const [own] = seatClocks(game, state.me.slice(0, 1), sinceAsked(game));
      warned = own ? Math.min(Infinity, ...WARNED.filter((seconds) => own.clock.left - own.used <= seconds * 1000)) : Infinity;
    }
  }
  const isSame = before && before.id === game.id && `${JSON.stringify(before.seats)}` === JSON.stringify(game.seats);
  if (!isSame || changed.has("flipped") || changed.has("me")) drawBars(game);
  told = game;
  drawTallies(/** @type {Game} */ (shownGame()));
  drawClocks();
});
setInterval(drawClocks, 100);
document.addEventListener("visibilitychange", drawClocks);
