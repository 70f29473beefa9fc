
// The page of one game. The address names the game and, once somebody has chosen one, the position.

const { competition, game: id } = about;

let asked = new URLSearchParams(location.search).get("move");
document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));
let told = 0; // when the clocks were told
let ticking = 0;

viewer.name = () => {
  const { game, turn } = viewer;
  const atEnd = turn === lastTurn() && (game.live || asked === null);
  const url = new URL(location);
  if (atEnd) url.searchParams.delete("move");
  else url.searchParams.set("move", turn);
  history.replaceState(null, "", url);
};

const load = careful(async () => {
  const game = await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(id)}`);
  const wasAtEnd = !viewer.game || viewer.turn === lastTurn();
  const turn = asked !== null && !viewer.game ? Number(asked) : wasAtEnd ? Infinity : viewer.turn;
  showGame(game, turn);
  document.getElementById("records").replaceChildren(...(game.records ?? []).map((suffix) => (
    element("a", { href: `/api/v1/competitions/${path(competition)}/records/${path(id + suffix)}` }, `record (${suffix})`)
  )));
  clocks();
});

function minutes(ms) {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

// The clocks of a game in progress run on from what was told last.
function clocks() {
  told = performance.now();
  clearInterval(ticking);
  if (!viewer.game.live) return;
  drawClocks();
  if (viewer.game.acting.length && viewer.game.left.some((ms) => ms !== null)) ticking = setInterval(drawClocks, 100);
}

function drawClocks() {
  const { game } = viewer;
  const since = performance.now() - told + game.waited;
  game.sides.forEach((_, side) => {
    const seats = game.seats.flatMap((seat, index) => (seat.side === side ? [index] : []));
    const isActing = seats.some((seat) => game.acting.includes(seat));
    const left = seats.map((seat) => game.left[seat]).find((ms) => ms !== null && ms !== undefined);
    const cell = document.getElementById(`time${side}`);
    if (cell && left !== undefined) cell.textContent = `${minutes(left - (isActing ? since : 0))} left`;
    cell?.parentElement.classList.toggle("acting", isActing);
  });
}

listen({
  move: (news) => {
    if (!viewer.game || news.first > viewer.game.turns.length) return; // what comes before it is being read
    if (news.frames) extendGame(news);
    else Object.assign(viewer.game, news);
    clocks();
  },
  finished: (news) => { if (news.competition === competition && news.game === id) setTimeout(load, 500); },
  void: (news) => { if (news.competition === competition && news.game === id) tell("this game came to nothing and is played again"); },
  running: (news) => { if (news.competition === competition) load(); },
}, { watch: [`${competition}/${id}`], read: load });
