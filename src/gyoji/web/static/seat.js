// The state of a person's seats, from the events of the server (docs/reference/http-api.md), and the game as one of
// them sees it. It has no rules: positions, offered moves and texts come from the server.

import { request } from "./feed.js";

/**
 * Send requests with the secret of a person's link: returns a function that returns the server's JSON answer.
 * @param {string} secret
 */
export function asking(secret) {
  return (/** @type {string} */ address, /** @type {any} */ body = undefined, /** @type {any} */ how = {}) => (
    request(address, body, { ...how, right: `Seat ${secret}` }));
}

/** The seats of one person in one game, by number. */
export class Seats {
  /** @param {string} began identifies the game, since a replay has new seats */
  constructor(began = "") {
    this.began = began;
    /** @type {Map<number, Seat>} */
    this.seats = new Map();
  }

  /**
   * Handle the events of one message.
   * @param {any[]} events
   * @param {boolean} again they are all that is known, sent once more
   */
  take(events, again) {
    if (again) this.seats.clear();
    for (const event of events) {
      if (event.event === "begin") this.seats.set(event.seat, new Seat(event));
      else this.seats.get(event.seat)?.take(event);
    }
  }

  /** Return the seat that is asked, or was asked last; undefined if none was. */
  get current() {
    const all = [...this.seats.values()];
    return all.find((seat) => seat.question) ?? all.sort((one, other) => other.heard - one.heard)[0];
  }
}

let heard = 0; // events so far, of all seats

export class Seat {
  /** @param {any} begin the first event */
  constructor(begin) {
    this.number = begin.seat;
    this.begin = begin;
    /** The last question. @type {any} */
    this.asked = null;
    /** The last question, while it is open. @type {any} */
    this.question = null;
    /** The state of the game. */
    this.last = begin;
    /** The request that the others were asked to agree to, until that is decided: "take-back", "draw" or "". */
    this.wish = "";
    /** Why an answer could not be read, and its move. @type {{reason: string, move: string | null} | null} */
    this.refused = null;
    this.isOver = false;
    this.heard = heard;
    /** The whole board after each turn; [] if it is unknown. @type {any[][]} */
    this.frames = [begin.frame ?? []];
    /** @type {any[][]} */
    this.turns = [];
  }

  /** @param {any} event */
  take(event) {
    const { event: kind } = event;
    this.heard = ++heard;
    if (kind === "ask") this.asked = event;
    if (kind === "counted") this.asked = { ...this.asked, ...event, event: "ask" };
    this.question = ["ask", "refused", "counted"].includes(kind) ? this.asked : null;
    this.wish = kind === "answered" ? event.request ?? "" : "";
    this.refused = kind === "refused" ? event : null;
    this.isOver = kind === "end";
    if (kind !== "ask" && kind !== "tell") return;
    this.last = { ...this.last, ...event };
    if (event.scene) this.begin = { ...this.begin, scene: event.scene }; // a board that appears in the game
    if (event.news) this.goOn(event);
  }

  /** @param {any} event */
  goOn({ news, taken_back: takenBack, frame, turn }) {
    if (takenBack) {
      this.frames.splice(-takenBack);
      this.turns.splice(-takenBack);
      if (!this.frames.length) this.frames.push(this.begin.frame ?? []);
    }
    // Events from before this page was opened may be missing
    while (this.turns.length + news.length < turn) this.push([], []);
    for (const moves of news) this.push(moves.map((/** @type {any} */ [seat, text]) => [seat, text, 0]), []);
    if (frame) this.frames[this.frames.length - 1] = frame;
  }

  /** @param {any[]} turn @param {any[]} frame */
  push(turn, frame) {
    this.turns.push(turn);
    this.frames.push(frame);
  }

  /** The game for the viewer while spectators do not see it. @param {any} values what the server shows to everybody */
  game(values) {
    /** @type {Map<number, string>} */
    const shown = new Map();
    const frames = this.frames.map(([places = [], marks = [], tally = [], ...beside]) => {
      if (!places.length && !tally.length && !beside.length) return []; // unknown
      /** @type {Map<number, string>} */
      const next = new Map();
      for (let index = 0; index < places.length; index += 2) next.set(places[index], places[index + 1]);
      const changes = [...shown.keys()].filter((place) => !next.has(place)).flatMap((place) => [place, ""]);
      for (const [place, sign] of next) if (shown.get(place) !== sign) changes.push(place, sign);
      shown.clear();
      for (const [place, sign] of next) shown.set(place, sign);
      return [changes, marks, tally, ...beside];
    });
    return { ...values, ...this.begin.scene, frames, turns: this.turns, hidden: false, missing: "", curves: [] };
  }
}

/** Return a game, or a message about one, without the engines' evaluations and comments. @param {any} told */
export function withoutThoughts(told) {
  const turns = told.turns?.map((/** @type {any[]} */ turn) => turn.map(([seat, text, ms, , phase = "", note = ""]) => (
    [seat, text, ms, "", phase, note])));
  return { ...told, turns, curves: [] };
}
