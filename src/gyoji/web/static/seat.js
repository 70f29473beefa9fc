// The state of a person's seats, from the events of the server (docs/how-to/serve.md), and the game as one of them
// sees it. Nothing here judges: positions, offered moves and words come from the server.

// Send a request with the secret of a person's link, and return its JSON answer.
export function asking(secret) {
  return (address, body) => request(address, body, { right: `Seat ${secret}` });
}

// The seats of one person in one game, by number. began: identifies the game, since a replay has new seats.
export class Seats {
  constructor(began = "") {
    this.began = began;
    this.seats = new Map();
    this.said = new Map(); // by seat: the last question that was answered
  }

  // Take the events of one message. again: they are all that is known, sent once more.
  take(events, again) {
    if (again) this.seats.clear();
    for (const event of events) {
      const { seat: number, question } = event;
      if (event.event === "begin") this.seats.set(number, new Seat(event));
      else this.seats.get(number)?.take({ ...event, at: performance.now(), isFresh: !again });
      if (event.event === "refused" || (event.event === "begin" && !again)) this.said.delete(number);
      // The answer may still be on its way when the question is sent once more
      if (event.event === "ask" && this.said.get(number) === question) this.seats.get(number)?.close();
    }
  }

  // Note that an answer was sent: the question is closed, unless the server opens it again.
  answered({ number, question }) {
    this.said.set(number, question.question);
    this.seats.get(number)?.close();
  }

  // Open the question again: its answer may not have arrived.
  unanswered(number) {
    this.said.delete(number);
  }

  // The seat that is asked, or was asked last; undefined if none was.
  get current() {
    const all = [...this.seats.values()];
    return all.find((seat) => seat.question) ?? all.sort((one, other) => other.heard - one.heard)[0];
  }
}

let heard = 0; // events so far, of all seats

class Seat {
  // begin: the first event; asked: the last question; question: the same while it is open, else null; last: the
  // state of the game; refused: why the last answer could not be read.
  constructor(begin) {
    Object.assign(this, { number: begin.seat, begin, asked: null, question: null, last: begin, refused: "", isOver: false });
    this.heard = heard;
    this.frames = [begin.frame ?? []]; // the whole board after each turn; [] if it is unknown
    this.turns = [];
  }

  take(event) {
    const { event: kind } = event;
    this.heard = ++heard;
    if (kind === "ask") this.asked = event;
    this.question = kind === "ask" || kind === "refused" ? this.asked : null;
    this.refused = kind === "refused" ? event.reason : "";
    this.isOver = kind === "end";
    if (kind !== "ask" && kind !== "tell") return;
    this.last = { ...this.last, ...event };
    if (event.news) this.goOn(event);
  }

  close() {
    this.question = null;
  }

  goOn({ news, taken_back: takenBack, frame, turn }) {
    if (takenBack) {
      this.frames.splice(-takenBack);
      this.turns.splice(-takenBack);
      if (!this.frames.length) this.frames.push(this.begin.frame ?? []);
    }
    // Events from before this page was opened may be missing
    while (this.turns.length + news.length < turn) this.push([], []);
    for (const moves of news) this.push(moves.map(([seat, text]) => [seat, text, 0]), []);
    if (frame) this.frames[this.frames.length - 1] = frame;
  }

  push(turn, frame) {
    this.turns.push(turn);
    this.frames.push(frame);
  }

  // Return the game for the viewer while spectators do not see it. values: what the server shows to everybody.
  game(values) {
    const shown = new Map();
    const frames = this.frames.map(([places = [], marks = [], tally = []]) => {
      if (!places.length && !tally.length) return []; // unknown
      const next = new Map();
      for (let index = 0; index < places.length; index += 2) next.set(places[index], places[index + 1]);
      const changes = [...shown.keys()].filter((place) => !next.has(place)).flatMap((place) => [place, ""]);
      for (const [place, sign] of next) if (shown.get(place) !== sign) changes.push(place, sign);
      shown.clear();
      for (const [place, sign] of next) shown.set(place, sign);
      return [changes, marks, tally];
    });
    return { ...values, ...this.begin.scene, frames, turns: this.turns, hidden: false, missing: "", curves: [] };
  }
}

// Return the moves that a place stands for. chosen: places chosen before it for the same move.
export function movesAt(offered, place, chosen) {
  const own = offered.choices.filter(([, , where]) => where === place);
  if (own.length || !offered.points.length) return { choices: own, chosen: [] };
  const next = chosen.includes(place) ? chosen.filter((each) => each !== place) : [...chosen, place];
  return { choices: [], chosen: next.slice(-Math.max(...offered.points)) };
}

// Return the move that these places make together, "" if they are too few.
export function moveOf(offered, scene, chosen) {
  if (!offered.points.includes(chosen.length)) return "";
  return chosen.map((place) => placeName(scene, place)).join(offered.between);
}

export function placeName({ columns, rows }, place) {
  return columns[place % columns.length] + rows[Math.floor(place / columns.length)];
}

// Return a game, or news of one, without what engines think and say of it.
export function withoutThoughts(told) {
  const turns = told.turns?.map((turn) => turn.map(([seat, text, ms, , phase = "", note = ""]) => (
    [seat, text, ms, "", phase, note])));
  return { ...told, turns, curves: [] };
}
