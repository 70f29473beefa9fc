// A board for each game in progress. A board is drawn only while it is visible, and at most once per screen frame.

import "./keys.js";
import "./look.js";
import { dot } from "./board.js";
import { clockSigns, seatClocks, sinceAsked } from "./clocks.js";
import { $, element } from "./dom.js";
import { about, careful, fetchJson, listen, path } from "./feed.js";
import { fit, onOtherColours, paintedBoard, show } from "./painter.js";

/** @import { Game } from "./state.js" */
/** @import { Painted } from "./painter.js" */
/** A game in progress of a competition. @typedef {Game & {competition: string}} Live */
/**
 * A game with its card: `signs` by place, after `drawn` frames; `changed`: places to paint; `sides` and `turns`: the
 * elements that show them; `isSeen`: whether the card is visible; `size`: pixels of the board, null if unknown.
 * @typedef {object} Entry
 * @property {Live} game its last values
 * @property {Map<number, string>} signs
 * @property {number} drawn
 * @property {Set<number>} changed
 * @property {HTMLElement} card
 * @property {Painted | null} board
 * @property {{line: HTMLElement, seats: number[], left: HTMLElement}[]} sides
 * @property {HTMLElement} turns
 * @property {boolean} isSeen
 * @property {[number, number] | null} size
 */

// Without a competition in the address, the wall has the games of all.

/** @type {string[]} */
const names = about.competition ? [about.competition] : JSON.parse(about.competitions);
const wall = $("wall");
/** The entries by competition and id. @type {Map<string, Entry>} */
const games = new Map();
const SLICE = 8; // ms for painting boards before the browser shows them: half a frame at 60 Hz

const keyOf = (/** @type {{competition: string, game?: string, id?: string}} */ { competition, game, id }) => `${competition}/${id ?? game}`;

/** @type {Record<string, string>} */
const CLASSES = { cells: "teams", squares: "men" };

/** Make the card of a game. @param {Live} values */
function open(values) {
  const board = values.columns.length ? paintedBoard(values) : null;
  const link = element("a", { href: `/c/${path(values.competition)}/games/${path(values.id)}` });
  const card = element("li", { class: CLASSES[values.kind] ?? "" }, link);
  /** @type {Entry} */
  const entry = {
    game: values, signs: new Map(), drawn: 0, changed: new Set(),
    card, board, sides: [], turns: label("count soft"), isSeen: false, size: null,
  };
  if (board) link.append(board.canvas);
  if (values.hidden) link.append(element("small", { class: "soft" }, "The board is shown when the game is over."));
  for (const side of values.sides.keys()) {
    const seats = [...values.seats.keys()].filter((seat) => values.seats[seat].side === side);
    const players = new Set(seats.map((seat) => values.seats[seat].name));
    const line = element("span", { class: "who" }, dot(side), element("b", {}, [...players].join(" & ")));
    entry.sides.push({ line, seats, left: label("left") });
    line.append(entry.sides[side].left);
    link.append(line);
  }
  link.append(entry.turns);
  games.set(keyOf(values), entry);
  shown.set(card, entry);
  wall.append(card);
  sight.observe(card);
  if (board) {
    board.canvas.setAttribute("aria-hidden", "true"); // the words below it describe it
    shown.set(board.canvas, entry);
    sizes.observe(board.canvas);
  }
}

/** @param {string} key */
function close(key) {
  const entry = games.get(key);
  games.delete(key);
  coming.delete(key);
  if (entry) {
    stale.delete(entry);
    sight.unobserve(entry.card);
    if (entry.board) sizes.unobserve(entry.board.canvas);
    entry.card.remove();
  }
  $("nothing").hidden = games.size + coming.size > 0;
}

// Set a text that changes often. An equal text touches nothing.
/** @param {string} kind */
function label(kind) {
  return element("span", { class: kind });
}

/** @param {Element} place @param {string} text */
function write(place, text) {
  if (place.textContent !== text) place.textContent = text;
}

/** Take news of a game, drawn or not. @param {string} key @param {any} news */
function change(key, { count, left, acting, waited, at, clocks, frames, first = 0 }) {
  const entry = games.get(key);
  const game = coming.get(key) ?? entry?.game;
  if (!game) return;
  if (first && first >= game.frames.length) { // earlier frames are missing
    readSoon({ competition: game.competition, game: game.id });
    return;
  }
  Object.assign(game, { count, left, acting, waited, at, clocks });
  if (frames) game.frames.splice(first ? first + 1 : 0, Infinity, ...frames);
  if (frames && entry && (!first || entry.drawn > first + 1)) {
    for (const place of entry.signs.keys()) entry.changed.add(place);
    entry.signs.clear();
    entry.drawn = 0;
  }
  if (entry?.isSeen) soon(entry);
}

/** The entry of an element. @type {WeakMap<Element, Entry>} */
const shown = new WeakMap();
/** Games without a card yet. @type {Map<string, Live>} */
const coming = new Map();
/** Visible entries that are not drawn as they are. @type {Set<Entry>} */
const stale = new Set();
let isAwaited = false;

/** @param {Entry} [entry] */
function soon(entry) {
  if (entry) stale.add(entry);
  if (!isAwaited) requestAnimationFrame(work);
  isAwaited = true;
}

// Paint what fits into a slice. The rest waits for the next frame.
function work() {
  const end = performance.now() + SLICE;
  isAwaited = false;
  for (const [key, values] of coming) {
    coming.delete(key);
    open(values);
    if (performance.now() > end) return soon();
  }
  for (const entry of stale) {
    stale.delete(entry);
    draw(entry);
    if (performance.now() > end) return soon();
  }
}

/** @param {Entry} entry */
function draw(entry) {
  const { game, board, signs, changed } = entry;
  write(entry.turns, `${names.length > 1 ? `${game.competition}, ` : ""}${game.count} ${game.count === 1 ? "turn" : "turns"}`);
  drawClocks(entry);
  for (const [changes = []] of game.frames.slice(entry.drawn)) {
    for (let at = 0; at < changes.length; at += 2) {
      signs.set(changes[at], changes[at + 1]);
      changed.add(changes[at]);
    }
  }
  entry.drawn = game.frames.length;
  if (!board || !entry.size) return;
  if (!board.pen) {
    fit(board, ...entry.size);
    for (const place of signs.keys()) changed.add(place);
  }
  const [, marks = []] = game.frames[game.frames.length - 1] ?? [];
  show(board, signs, changed, marks);
  changed.clear();
}

/** Show the time left of each side. It runs for the seats that are to move. @param {Entry} entry */
function drawClocks({ game, sides }) {
  for (const { line, seats, left } of sides) {
    const isActing = seats.some((seat) => game.acting?.includes(seat));
    const texts = seatClocks(game, seats, sinceAsked(game)).map(({ clock, used }) => clockSigns(clock, used));
    line.classList.toggle("acting", isActing);
    left.classList.toggle("long", Boolean(game.clocks) || texts.length > 1);
    write(left, texts.join(" / "));
  }
}

// As often as the clocks of one game (bars.js). A text that stays as it is touches nothing.
setInterval(() => {
  if (document.hidden) return;
  for (const entry of games.values()) if (entry.isSeen) drawClocks(entry);
}, 100);

// Draw a board when it becomes visible, as it is then.
const sight = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    const entry = shown.get(target);
    if (!entry) continue;
    entry.isSeen = isIntersecting;
    if (isIntersecting) soon(entry);
    else stale.delete(entry);
  }
}, { rootMargin: "200px" });

const sizes = new ResizeObserver((resized) => {
  for (const { target, contentRect: { width, height } } of resized) {
    const entry = shown.get(target);
    if (!entry?.board) continue;
    entry.size = width && height ? [width * devicePixelRatio, height * devicePixelRatio] : null;
    entry.board.pen = null;
    if (entry.isSeen) soon(entry);
  }
});

onOtherColours(() => {
  for (const entry of games.values()) {
    if (entry.board) entry.board.pen = null;
    if (entry.isSeen) soon(entry);
  }
});

/** Read the boards of a competition, or of some of its games. @param {string} competition @param {string[]} ids @returns {Promise<Live[]>} */
async function read(competition, ids) {
  const asked = new URLSearchParams(ids.map((id) => ["game", id]));
  const boards = await fetchJson(`/api/v1/competitions/${path(competition)}/boards?${asked}`);
  return boards.map((/** @type {Game} */ values) => ({ competition, ...values }));
}

/** @param {Live[]} found */
function take(found) {
  for (const values of found) {
    if (!games.has(keyOf(values))) coming.set(keyOf(values), { ...values, frames: [] });
    change(keyOf(values), values);
  }
  if (coming.size) soon();
  $("nothing").hidden = games.size + coming.size > 0;
}

const refresh = careful(async () => {
  const found = (await Promise.all(names.map((name) => read(name, [])))).flat();
  const known = new Set(found.map(keyOf));
  for (const key of [...games.keys(), ...coming.keys()]) if (!known.has(key)) close(key);
  take(found);
});

/** New games that have to be read, by competition. @type {Map<string, Set<string>>} */
const begun = new Map();
let waiting = 0;

const readBegun = careful(async () => {
  const asked = [...begun];
  begun.clear();
  waiting = 0;
  take((await Promise.all(asked.map(([competition, ids]) => read(competition, [...ids])))).flat());
});

/** @param {{competition: string, game: string}} told */
function readSoon({ competition, game }) {
  if (!names.includes(competition)) return;
  begun.set(competition, (begun.get(competition) ?? new Set()).add(game));
  waiting ||= setTimeout(readBegun, 300);
}

/** @param {{competition: string}} told */
function readAll(told) {
  if (names.includes(told.competition)) refresh();
}

listen({
  boards: (news) => {
    for (const each of news) change(keyOf(each), each);
  },
  started: readSoon,
  running: readAll,
  finished: (told) => close(keyOf(told)),
  void: (told) => close(keyOf(told)),
  stopped: readAll,
}, { watch: names.map((each) => `${each}/boards`), read: refresh });

// On a screen without a user, the boards take turns. A finished game makes room at once.
const TURN = 12000;

function takeTurns() {
  const cards = [...wall.children];
  const at = cards.findIndex((card) => card.classList.contains("on"));
  cards.forEach((card, index) => card.classList.toggle("on", index === (at + 1) % cards.length));
}

// Between the boards, the table of the event.
const drawTable = careful(async () => {
  const [name] = names;
  const { leaders } = await fetchJson(`/api/v1/competitions/${path(name)}/leaders`);
  if (!leaders.length) return;
  const rows = leaders.map((/** @type {{rank: string, name: string, points: string}} */ { rank, name: player, points }) => element("tr", {},
    element("td", {}, rank), element("th", { scope: "row", class: "text" }, player), element("td", {}, points)));
  const card = element("li", { class: "standing", id: "standing" }, element("h2", {}, "Standings"),
    element("table", {}, element("tbody", {}, ...rows)));
  const old = $("standing");
  if (old) old.replaceChildren(...card.children);
  else wall.append(card);
});

if (new URLSearchParams(location.search).has("tv")) {
  if (about.competition) {
    drawTable();
    listen({ standings: (told) => { if (told.competition === about.competition) drawTable(); } });
  }
  document.body.classList.add("tv");
  new MutationObserver(() => { if (wall.children.length && !wall.querySelector(".on")) takeTurns(); }).observe(wall, { childList: true });
  setInterval(takeTurns, TURN);
}
