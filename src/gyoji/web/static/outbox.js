// The outbox: the person's answer until the server has it. There is at most one.
//
//              send                 the server has it
//     (none) --------> (sending) --------------------------> (none)
//       ^ ^               |   ^
//       | |  no connection,   | every RETRY ms, and at once when the connection is back
//       | |  or no game yet   |
//       | |               v   |
//       | '---------- (waiting)
//       |  withdrawn by the person
//       '--- the server says that the question is not open any more: the answer is dropped
//
// An answer names its game and question, so it cannot count in a later one, and one that arrives twice counts once:
// gyoji/protocols/human.py. The page shows an answer only when the server has sent its effect.

import { seatClocks } from "./clocks.js";
import { Refusal } from "./feed.js";
import { change, state } from "./state.js";

/** @import { Pending } from "./state.js" */

const RETRY = 1500;
const PATIENCE = 8000; // ms after which a request without an answer is given up

/** @type {(address: string, body: any, how: {signal: AbortSignal}) => Promise<any>} */
let ask = () => Promise.reject(new Refusal("not connected", 0));
let timer = 0;
/** @type {AbortController | null} */
let flight = null;

/** @param {typeof ask} work sends a request of this seat */
export function sendBy(work) {
  ask = work;
}

/**
 * Send an answer.
 * @param {Omit<Pending, "trouble">} given
 */
export function send(given) {
  change({ pending: { ...given, trouble: "" }, notice: "" });
  attempt();
}

/** Send again at once, because the connection is back. */
export function retry() {
  if (state.pending && !flight) attempt();
}

async function attempt() {
  clearTimeout(timer);
  const given = state.pending;
  if (!given) return;
  const { seat, question, game, began, answer } = given;
  const own = flight = new AbortController();
  const limit = setTimeout(() => own.abort(), PATIENCE);
  try {
    await ask("/api/v1/seat/say", { seat, game, began, answer: { question, ...answer } }, { signal: own.signal });
  } catch (error) {
    if (flight === own) fail(/** @type {any} */ (error));
  } finally {
    clearTimeout(limit);
    if (flight === own) flight = null;
  }
}

/** @param {Refusal} error */
function fail({ message, status }) {
  const { pending } = state;
  if (!pending) return;
  if (status && status < 500 && status !== 409) { // it will never be taken
    drop(message);
    return;
  }
  // 409: the server, just started, has not found the game yet, or it is over; that the server tells, too
  change({ pending: { ...pending, trouble: status ? message : "no connection" } });
  timer = setTimeout(attempt, RETRY);
}

/** Forget the answer. @param {string} [notice] what the person should know of it */
export function drop(notice = "") {
  clearTimeout(timer);
  flight?.abort();
  flight = null;
  change({ pending: null, notice });
}

/** Return the text beside the question. */
export function noticeText() {
  const { pending, notice } = state;
  if (!pending) return notice;
  if (!pending.trouble) return "";
  const reason = pending.trouble === "no connection" ? "There is no connection" : `The server says: ${pending.trouble}`;
  return `${reason}. ${tryingText()}`;
}

/** Return what happens while there is no connection. */
export function tryingText() {
  const { game, me } = state;
  return game && seatClocks(game, me, 0).length ? "Trying again; your clock goes on running." : "Trying again.";
}
