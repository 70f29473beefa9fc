
// A board for each game in progress. Boards are drawn when they are seen, and no more often than the screen is.

// Without a competition in the address it is a wall of all of them.

const names = about.competition ? [about.competition] : JSON.parse(about.competitions);
const wall = document.getElementById("wall");
const games = new Map(); // by competition and id -> { game, signs, card, board, told }

const keyOf = ({ competition, game, id }) => `${competition}/${id ?? game}`;

function open(values) {
  close(keyOf(values));
  const board = values.columns.length ? emptyBoard(values) : null;
  const link = element("a", { href: `/c/${path(values.competition)}/games/${path(values.id)}` });
  const card = element("li", { class: values.kind === "cells" ? "teams" : "" }, link);
  board?.board.setAttribute("aria-hidden", "true"); // the words below it say what it is
  if (board) link.append(board.board);
  for (const side of values.sides.keys()) {
    const players = new Set(values.seats.filter((seat) => seat.side === side).map((seat) => seat.name));
    link.append(element("span", { class: "who" }, dot(side), element("b", {}, [...players].join(" & ")), element("span", { class: "left" })));
  }
  link.append(element("span", { class: "count soft" }));
  wall.append(card);
  const entry = { game: values, signs: new Map(), card, board };
  games.set(keyOf(values), entry);
  change(entry, values);
  document.getElementById("nothing").hidden = true;
}

function close(key) {
  games.get(key)?.card.remove();
  games.delete(key);
  document.getElementById("nothing").hidden = games.size > 0;
}

const stale = new Set();

function change(entry, { count, left, acting, waited, frames, first = 0 }) {
  Object.assign(entry, { count, left, acting, since: performance.now() - waited });
  if (frames) {
    if (!first) entry.frames = [];
    entry.frames.splice(first ? first + 1 : 0, Infinity, ...frames);
    if (!first || entry.drawn > first + 1) {
      entry.signs.clear();
      entry.drawn = 0;
    }
  }
  if (!stale.size) requestAnimationFrame(drawStale);
  stale.add(entry);
}

function drawStale() {
  for (const entry of stale) {
    const label = names.length > 1 ? `${entry.game.competition}, ` : "";
    entry.card.querySelector(".count").textContent = `${label}${entry.count} turns`;
    drawClocksOf(entry);
    if (!entry.board || !entry.frames) continue;
    for (const [changes = []] of entry.frames.slice(entry.drawn ?? 0)) {
      for (let at = 0; at < changes.length; at += 2) entry.signs.set(changes[at], changes[at + 1]);
    }
    entry.drawn = entry.frames.length;
    const [, marks = []] = entry.frames[entry.frames.length - 1] ?? [];
    drawPosition(entry.board.layer, entry.game, entry.signs, marks, new Map());
  }
  stale.clear();
}

// The time that each side has left; those that are to move lose some while we look.
function drawClocksOf(entry) {
  const { seats } = entry.game;
  entry.card.querySelectorAll(".who").forEach((line, side) => {
    const own = [...seats.keys()].filter((seat) => seats[seat].side === side);
    const isActing = own.some((seat) => entry.acting.includes(seat));
    const left = own.map((seat) => entry.left[seat]).find((ms) => ms !== null && ms !== undefined);
    const ms = left === undefined ? null : left - (isActing ? performance.now() - entry.since : 0);
    line.classList.toggle("acting", isActing);
    line.querySelector(".left").textContent = ms === null ? "" : minutes(ms);
  });
}

setInterval(() => { if (!document.hidden) for (const entry of games.values()) drawClocksOf(entry); }, 1000);

const refresh = careful(async () => {
  const found = (await Promise.all(names.map(async (competition) => {
    const boards = await fetchJson(`/api/v1/competitions/${path(competition)}/boards`);
    return boards.map((values) => ({ competition, ...values }));
  }))).flat();
  const known = new Set(found.map(keyOf));
  for (const key of [...games.keys()]) if (!known.has(key)) close(key);
  for (const values of found) open(values);
  document.getElementById("nothing").hidden = games.size > 0;
});

let waiting = 0;

function refreshSoon(told) {
  if (!names.includes(told.competition) || waiting) return;
  waiting = setTimeout(() => { waiting = 0; refresh(); }, 300);
}

listen({
  boards: (news) => {
    for (const each of news) if (games.has(keyOf(each))) change(games.get(keyOf(each)), each);
  },
  started: refreshSoon,
  running: refreshSoon,
  finished: (told) => close(keyOf(told)),
  void: (told) => close(keyOf(told)),
  stopped: refreshSoon,
}, { watch: names.map((each) => `${each}/boards`), read: refresh });

// On a screen that nobody sits at, the boards take turns; a game that ends makes room at once.
const TURN = 12000;

function takeTurns() {
  const cards = [...wall.children];
  const at = cards.findIndex((card) => card.classList.contains("on"));
  cards.forEach((card, index) => card.classList.toggle("on", index === (at + 1) % cards.length));
}

if (new URLSearchParams(location.search).has("tv")) {
  document.body.classList.add("tv");
  new MutationObserver(() => { if (wall.children.length && !wall.querySelector(".on")) takeTurns(); }).observe(wall, { childList: true });
  setInterval(takeTurns, TURN);
}
