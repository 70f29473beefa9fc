
// The page of one game. The address names the game and, once somebody has chosen one, the position.

const { competition, game: id } = about;

let asked = new URLSearchParams(location.search).get("move");
document.body.classList.toggle("embed", new URLSearchParams(location.search).has("embed"));

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
  document.getElementById("rulings").replaceChildren(...(game.rulings ?? []).flatMap(rulingLines));
  clocks();
});

// What a judge has decided of the game, and why; the newest first.
function rulingLines({ who, when, result, basis, remark, dead }, number) {
  const decided = ` ${basis}, by ${who}, ${when.slice(0, 16).replace("T", " ")}`;
  const lines = [
    element("h2", {}, number ? "An earlier ruling" : "The judge's ruling"),
    element("p", {}, element("b", {}, result), decided),
  ];
  if (remark) lines.push(element("p", {}, `Reasons: ${remark}`));
  if (dead) lines.push(element("p", { class: "soft" }, `Groups that are dead: ${dead}`));
  return lines;
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
