// Clocks of a game in progress. The server says how long the seats to move had thought when it made a message, and
// what its own clock was then (`at`). How far that clock is from ours, we learn from the message that came quickest:
// so a message that was on its way for long, or lay in a sleeping page, does not make a clock wrong.

/** @import { Clock } from "./state.js" */

let offset = -Infinity; // ms from our clock to the server's, as the quickest message told
let isOther = false; // the next message may be of another server
let drift = Date.now() - performance.now(); // changes when this machine has slept or its time was set

/** Forget how far the server's clock is: it may be another server. */
export function forgetServer() {
  isOther = true;
}

/**
 * Learn how far the server's clock is, from a message that has just come.
 * @param {{at?: number}} told
 */
export function learn({ at }) {
  if (at === undefined) return;
  const now = Date.now();
  const moved = now - performance.now();
  if (isOther || Math.abs(moved - drift) > 100) offset = -Infinity;
  [drift, isOther] = [moved, false];
  offset = Math.max(offset, at - now);
}

/**
 * How many ms the seats to move have thought by now.
 * @param {{waited?: number, at?: number}} told
 */
export function sinceAsked({ waited = 0, at }) {
  return at === undefined || offset === -Infinity ? waited : Date.now() + offset - at + waited;
}

/** @param {number} ms */
export function minutes(ms) {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  const whole = Math.floor(seconds / 60);
  return whole < 60 ? `${whole}:${rest}` : `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}:${rest}`;
}

/**
 * The state of a clock after so many ms: main time or byo-yomi, what is left of it, and the periods after it.
 * @param {Clock} clock
 * @param {number} used
 */
export function clockAfter({ left, main, period, periods }, used) {
  if (!periods) return { isMain: true, now: (main || left) - used, rest: 0 };
  if (used < main) return { isMain: true, now: main - used, rest: periods };
  let [over, rest] = [used - main, periods - 1];
  while (over > period && rest) [over, rest] = [over - period, rest - 1];
  return { isMain: false, now: period - over, rest };
}

/**
 * A clock in words.
 * @param {Clock} clock
 * @param {number} used
 */
export function clockWords(clock, used) {
  const { now } = clockAfter(clock, used);
  const rest = clockRest(clock, used);
  if (clock.move && !clock.main && !clock.periods) return `${minutes(now)} left for this move`;
  return `${minutes(now)} left${rest && (rest.startsWith("and ") || rest.startsWith("in ") || rest.startsWith("for ") ? ` ${rest}` : `, ${rest}`)}`;
}

/**
 * What a clock has besides the time that it shows, in words; "" for nothing.
 * @param {Clock} clock
 * @param {number} used
 */
export function clockRest(clock, used) {
  const { main, period, periods, stones, move } = clock;
  const { isMain, now, rest } = clockAfter(clock, used);
  if (move && !main && !periods) return "for this move";
  if (!isMain) {
    const more = `and ${rest} more period${rest > 1 ? "s" : ""}`;
    return stones ? `for ${stones} move${stones > 1 ? "s" : ""}` : rest ? more : "in the last period";
  }
  const byoyomi = stones ? `${minutes(period)} for ${stones} moves` : `${periods} periods of ${minutes(period)}`;
  const limit = move && move - used < now ? `${minutes(move - used)} for this move` : "";
  return [rest ? `then ${byoyomi}` : "", limit].filter(Boolean).join(", ");
}

/**
 * A clock in brief, as time controls are written: 4:10 + 3x30s, 4:10 + 5:00/25, 0:12 + 1x30s, 3:20/17.
 * @param {Clock} clock
 * @param {number} used
 */
export function clockSigns(clock, used) {
  const { isMain, now } = clockAfter(clock, used);
  if (clock.stones && !isMain) return `${minutes(now)}/${clock.stones}`;
  const after = clockTail(clock, used);
  return `${minutes(now)}${after && ` + ${after}`}`;
}

/**
 * What comes after the time that a clock shows, in brief; "" for nothing.
 * @param {Clock} clock
 * @param {number} used
 */
export function clockTail(clock, used) {
  const { period, stones } = clock;
  const { isMain, rest } = clockAfter(clock, used);
  if (stones && !isMain) return `/${stones}`;
  const length = period < 60000 ? `${period / 1000}s` : minutes(period);
  return rest ? (stones ? `${minutes(period)}/${stones}` : `${rest}x${length}`) : "";
}

/**
 * The clocks of some seats, with the ms that each has used since it was asked.
 * @param {{left?: (number | null)[], acting?: number[], clocks?: (Clock | null)[]}} told
 * @param {number[]} seats
 * @param {number} since ms for which the seats to move have thought
 * @returns {{clock: Clock, used: number, seat: number}[]}
 */
export function seatClocks({ left = [], acting = [], clocks = [] }, seats, since) {
  return seats.flatMap((seat) => {
    const all = left[seat];
    if (all === null || all === undefined) return [];
    const simple = { left: all, main: all, period: 0, periods: 0, stones: 0, move: 0 };
    return [{ clock: clocks[seat] ?? simple, used: acting.includes(seat) ? since : 0, seat }];
  });
}
