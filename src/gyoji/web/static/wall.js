
// A board for each game in progress. Boards are drawn when they are seen, and no more often than the screen is.

const name = about.competition;
const wall = document.getElementById("wall");
const games = new Map(); // id -> { game, signs, marks, card, board, isStale }

function open(values) {
  close(values.id);
  const board = values.columns.length ? emptyBoard(values) : null;
  const link = element("a", { href: `/c/${path(name)}/games/${path(values.id)}` });
  const seats = [...new Set(values.seats.map((seat) => seat.name))].join(" – ");
  const card = element("li", {}, link);
  if (board) link.append(board.board);
  board?.board.setAttribute("aria-hidden", "true"); // the words below it say what it is
  link.append(element("span", { class: "who" }, seats), element("span", { class: "count soft" }));
  wall.append(card);
  const entry = { game: values, signs: new Map(), marks: [], card, board };
  games.set(values.id, entry);
  change(entry, { first: 0, frames: values.frames, count: values.count });
  document.getElementById("nothing").hidden = true;
}

function close(id) {
  games.get(id)?.card.remove();
  games.delete(id);
  document.getElementById("nothing").hidden = games.size > 0;
}

const stale = new Set();

function change(entry, news) {
  entry.count = news.count;
  if (news.frames) {
    if (!news.first) entry.frames = [];
    entry.frames.splice(news.first ? news.first + 1 : 0, Infinity, ...news.frames);
    if (!news.first || entry.drawn > news.first + 1) {
      entry.signs.clear();
      entry.drawn = 0;
    }
  }
  if (!stale.size) requestAnimationFrame(drawStale);
  stale.add(entry);
}

function drawStale() {
  for (const entry of stale) {
    entry.card.querySelector(".count").textContent = `${entry.count} turns`;
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

const refresh = careful(async () => {
  const found = await fetchJson(`/api/v1/competitions/${path(name)}/boards`);
  for (const id of [...games.keys()]) if (!found.some((each) => each.id === id)) close(id);
  for (const values of found) open(values);
  document.getElementById("nothing").hidden = games.size > 0;
});

let waiting = 0;

function refreshSoon(told) {
  if (told.competition !== name || waiting) return;
  waiting = setTimeout(() => { waiting = 0; refresh(); }, 300);
}

listen({
  boards: (news) => {
    for (const each of news) if (games.has(each.id)) change(games.get(each.id), each);
  },
  started: refreshSoon,
  running: refreshSoon,
  finished: (told) => { if (told.competition === name) close(told.game); },
  void: (told) => { if (told.competition === name) close(told.game); },
  stopped: refreshSoon,
}, { watch: [`${name}/boards`], read: refresh });

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
