// The page of a person's seat. The fragment of its address is the secret, which is sent in a header.

import "./keys.js";
import "./look.js";
import "./curves.js";
import "./panels.js";
import { offerAgain, playAgain, wantToPlay, wantsToPlay } from "./again.js";
import { leave } from "./asking.js";
import { $, element } from "./dom.js";
import { careful, fetchJson, gathered, listen, path } from "./feed.js";
import { extendGame, isAtEnd, showGame } from "./frames.js";
import { drop, retry, sendBy } from "./outbox.js";
import { addRecords } from "./records.js";
import { Seats, asking, withoutThoughts } from "./seat.js";
import { sound } from "./sound.js";
import { change, onChange, state } from "./state.js";
import { measureLag, runDeadline, stopDeadline, tellTurn } from "./turn.js";
import "./bars.js";
import "./beside.js";
import "./moves.js";
import { addNext } from "./talk.js";
import "./notify.js";
import "./premove.js";
import { hearLine, openSeatChat } from "./chat.js";
import { markBy } from "./counting.js";
import { linkLine } from "./links.js";
import { hearPresence } from "./presence.js";

/** @import { Pending } from "./state.js" */

const secret = decodeURIComponent(location.hash.slice(1));
const ask = asking(secret);
let seats = new Seats();
/** The game as spectators see it. @type {any} */
let values = null;
let over = ""; // the id of a finished game that is not shown as stored yet
/** @type {ReturnType<typeof listen> | null} */
let feed = null;

const nextPlaces = element("span", { class: "buttons" }); // where to go when the game is over
addNext(nextPlaces);
markBy(ask);
sendBy((address, body, how) => ask(address, body, how));

/** Handle events of the seats. @param {{game: string, events: any[], again?: boolean}} told */
function hear({ game, events, again = false }) {
  if (game !== state.standing?.game) return;
  seats.take(events, again);
  const before = state.question;
  const seat = seats.current ?? null;
  const question = seat?.question ?? null;
  const isNew = question && (before?.question !== question.question || before?.seat !== question.seat);
  change({ seat, question, ...(isNew || !question ? { chosen: [] } : {}) });
  orient([...seats.seats.keys()]);
  settle(again);
  if (isNew && !again) sound("turn");
  if (seat && keepsBack()) drawOwn();
  if (seat?.isOver) setTimeout(refresh, 500);
  else measureLag().catch(() => {});
  leave();
}

/** Turn the board so that the person's side is at the bottom. @param {number[]} me */
function orient(me) {
  const scene = state.game ?? values;
  if (`${me}` === `${state.me}` || !scene || !me.length) return;
  change({ me, flipped: scene.kind === "squares" && scene.seats[me[0]].side === 1 });
}

/** Compare the answer in the outbox with the state from the server. @param {boolean} isWhole whether all was told again */
function settle(isWhole) {
  const { pending } = state;
  if (!pending) return;
  const seat = seats.seats.get(pending.seat);
  const isOpen = seat?.question?.question === pending.question && pending.began === state.standing?.began;
  const isRefused = Boolean(seat?.refused) && (pending.answer.move ?? null) === seat?.refused?.move; // not an earlier answer
  if (isOpen && !isRefused) {
    if (isWhole) retry();
    return;
  }
  const isKnown = !pending.answer.move || !pending.trouble || isRefused;
  doubted = isKnown || isPlayed(pending) ? null : pending;
  drop(doubted ? unplayed(doubted) : "");
}

/** @type {Pending | null} The last move that a notice called not played. */
let doubted = null;

/** @param {Pending} pending */
const unplayed = ({ text }) => `${text} was not played: the game has gone on.`;

// The turns of the game come by another stream than the questions, and may be later.
onChange(({ notice }, changed) => {
  if (changed.has("game") && doubted && notice === unplayed(doubted) && isPlayed(doubted)) change({ notice: "" });
});

/** Return whether a move whose sending took long has been played. @param {Pending} pending */
function isPlayed({ seat, place, turn, answer: { move } }) {
  const { game } = state;
  return !move || game?.turns.some((moves, number) => number >= turn && moves.some(([mover, text]) => (
    mover === seat && (text.toLowerCase() === move.toLowerCase() || (game.frames[number + 1]?.[1] ?? []).includes(place)))));
}

// Showing the game

/** Return whether a player sees less of the game than spectators, now or later. */
const keepsBack = () => Boolean(values?.hidden || values?.hides);

/** Return the turn to show: the newest, or an earlier one that the person has chosen. @param {string} id */
const turnOf = (id) => (state.game?.id === id && !isAtEnd() ? state.turn : Infinity);

/** Show the board as the seat sees it. */
function drawOwn() {
  const { seat } = state;
  if (values && seat?.begin.scene) showGame({ ...seat.game(values), live: true }, turnOf(values.id));
}

const refresh = careful(async () => {
  const standing = await ask("/api/v1/seat");
  const { competition, game, began, ready, running, remaining } = standing;
  change({ standing });
  $("ready").hidden = !(running && !game && !ready && remaining !== 0);
  $("away").hidden = !(running && !game && ready);
  offerAgain(standing, () => wantToPlay(standing, false));
  feed?.watch(game ? [`${competition}/${game}`] : [], standing.ticket);
  if (!game) {
    rest(standing);
    if (running && !ready && remaining !== 0 && wantsToPlay(standing)) await getReady(true);
    return;
  }
  if (seats.began !== began) seats = new Seats(began);
  stopDeadline();
  await read();
  await ask("/api/v1/seat/say", { again: true });
  openSeatChat(ask);
});

/** Show that no game is in progress: the last one, and what the page waits for. @param {any} standing */
function rest(standing) {
  const { pending } = state;
  over = values?.id ?? (over || standing.last);
  [values, seats] = [null, new Seats()];
  change({ seat: null, question: null, leaves: false, chosen: [] });
  tellTurn(standing.player, false);
  const shown = over ? showEnd(over) : Promise.resolve();
  if (pending && (standing.running || standing.last === pending.game)) {
    shown.then(() => drop(isPlayed(pending) ? "" : `${pending.text} was not played: the game is over.`));
  }
  if (standing.seconds === null) stopDeadline();
  else runDeadline(standing.seconds * 1000);
}

/** Show the game as spectators see it. */
async function read() {
  const { competition, game } = state.standing;
  values = await ask(`/api/v1/competitions/${path(competition)}/games/${path(game)}`);
  over = "";
  hearPresence(values.presence);
  if (keepsBack() && state.seat) drawOwn();
  else if (keepsBack()) showGame({ ...values, columns: [], frames: [[]], turns: [], curves: [] }, 0);
  else showGame(state.look.thoughts ? values : withoutThoughts(values), turnOf(game));
}

/** Handle a message about the game, as spectators get it. */
const follow = careful(async (/** @type {any} */ news) => {
  if (news.id !== state.standing.game || !values) return;
  if (keepsBack()) {
    const { left, acting, waited, at, clocks } = news;
    Object.assign(values, { left, acting, waited, at, clocks });
    extendGame({ left, acting, waited, at, clocks });
  } else if (!state.game || news.first > state.game.turns.length) await read();
  else {
    const count = state.game.turns.length;
    extendGame(state.look.thoughts ? news : withoutThoughts(news));
    if (state.game && news.first + (news.turns?.length ?? 0) > count) sound("move");
  }
});

/** Show the finished game as it is stored. @param {string} id */
async function showEnd(id) {
  const { competition, player } = state.standing;
  try {
    const game = await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(id)}`);
    if (state.standing.game) return; // another one has begun meanwhile
    const me = state.me.length && state.game?.id === id ? state.me
      : game.seats.flatMap((/** @type {any} */ { name }, /** @type {number} */ seat) => (name === player ? [seat] : []));
    showGame(game, Infinity);
    orient(me);
    addRecords(competition, game);
    nextPlaces.replaceChildren(
      element("a", { class: "button", href: `/c/${path(competition)}/games/${path(id)}` }, "replay, try moves"),
      element("a", { class: "button", href: `/c/${path(competition)}` }, "back to the event"),
    );
    if (!game.live) over = "";
  } catch {
    if (state.game) change({ game: { ...state.game, live: false } });
  }
}

onChange(({ standing, question, pending, game }, changed) => {
  if ((changed.has("standing") || changed.has("game")) && standing) {
    const { player, competition, title } = standing;
    $("who").replaceChildren(element("a", { href: `/c/${path(competition)}` }, heading(player, title || game?.title, competition)));
  }
  if (changed.has("standing") || changed.has("question") || changed.has("pending")) tellTurn(standing?.player, Boolean(question && !pending));
});

/** Return the players of the game, and the name of the person if it is not among them. @param {string} player @param {string | undefined} title @param {string} competition */
function heading(player, title, competition) {
  if (!title) return `${player} in ${competition}`;
  return title.includes(player) ? title : `${player}: ${title}`;
}

/** @param {boolean} ready */
async function getReady(ready) {
  wantToPlay(state.standing, ready);
  await ask("/api/v1/seat/ready", { ready });
}
for (const id of ["ready", "away"]) $(id).addEventListener("click", careful(() => getReady(id === "ready")));
$("thoughts").addEventListener("change", careful(() => state.standing?.game && read()));

playAgain(ask, () => wantToPlay(state.standing, true), careful);

$("viewer").hidden = false; // the question is in it
$("viewer").classList.add("boardless");
const begin = careful(async () => {
  const standing = await ask("/api/v1/seat");
  change({ standing });
  $("more-places").append(element("p", { class: "soft" }, "Your link, to go on with another device. Anybody who has it plays in your name."), linkLine(standing.player, location.href));
  const later = gathered(refresh, 100);
  const soon = (/** @type {any} */ news) => { if (news.competition === standing.competition) later(); };
  /** @type {Record<string, (news: any) => unknown>} */
  const handlers = {
    seat: hear, move: follow,
    chat: (line) => { if (line.game === state.standing?.game) hearLine(line); },
    presence: (told) => { if (told.game === state.standing?.game) hearPresence(told); },
  };
  for (const each of ["started", "standings", "finished", "void", "running", "stopped", "ready", "awaited", "failed"]) handlers[each] = soon;
  feed = listen(handlers, { seat: standing.ticket, read: refresh, lost: () => change({ connection: "not connected" }), stays: true });
});

if (secret) begin();
else $("state").textContent = "This page needs the link that the organiser gives you.";
