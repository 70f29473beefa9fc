// Clocks of a game in progress. A message has the thinking time of the seats to move, and the server's time at which
// it was made (`at`). The offset between that clock and this computer's is taken from the message with the
// shortest delay. So a message that arrives late, or is read late by a sleeping page, does not make a clock wrong.

/** @import { Clock } from "./state.js" */

let offset = -Infinity; // ms from our clock to the server's, as the quickest message told
let isOther = false; // the next message may be of another server
let drift = Date.now() - performance.now(); // changes when this machine has slept or its time was set

/** Forget the offset of the server's clock, because it may be another server. */
export function forgetServer() {
  isOther = true;
}

/**
 * Update the offset of the server's clock from a message that has just arrived.
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
 * Return the ms for which the seats to move have been thinking.
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
 * Return the state of a clock after `used` ms: main time or byo-yomi, the time left of it, and the periods after it.
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
 * Return a clock in words.
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
 * Return in words the time of a clock after the part that it shows; "" if there is none.
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
 * Return a clock in the notation of time controls: 4:10 + 3x30s, 4:10 + 5:00/25, 0:12 + 1x30s, 3:20/17.
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
 * Return the time of a clock after the part that it shows, in the notation of time controls; "" if there is none.
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
 * Return the clocks of some seats, with the ms that each has used since it was asked.
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
