// The judge's table: the page keeps what the judge has said, the server does it anew each time.

const { competition } = about;
const place = (id) => document.getElementById(id);
let game = "";
let commands = [];
let heard = null;

async function tellJudge(more = {}) {
  const answer = await fetch(`/api/v1/competitions/${path(competition)}/judge/${path(game)}`, {
    method: "POST",
    headers: { Authorization: `Steer ${steeringToken()}`, "Content-Type": "application/json" },
    body: JSON.stringify({ commands, who: place("who").value, ...more }),
  });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function placeNamed(name) {
  const { columns, rows } = viewer.game;
  const [letters] = name.match(/^[A-Za-z]+/) ?? [""];
  const column = columns.findIndex((each) => each.toUpperCase() === letters.toUpperCase());
  const row = rows.indexOf(name.slice(letters.length));
  return column < 0 || row < 0 ? -1 : row * columns.length + column;
}

// The stones of a group that touch each other, from one of its places.
function groupOf(first, signs) {
  const width = viewer.game.columns.length;
  const group = new Set([first]);
  for (const at of group) {
    const column = at % width;
    const beside = [at - width, at + width, ...(column ? [at - 1] : []), ...(column < width - 1 ? [at + 1] : [])];
    for (const other of beside) {
      if ((signs.get(other) ?? "")[0]?.toUpperCase() === signs.get(first)[0].toUpperCase()) group.add(other);
    }
  }
  return group;
}

function dead(signs) {
  const found = new Set();
  for (const name of heard.dead) {
    const at = placeNamed(name);
    if (at >= 0 && signs.get(at)) for (const each of groupOf(at, signs)) found.add(each);
  }
  return found;
}

const judge = careful(async (more) => {
  heard = await tellJudge(more);
  tell(heard.refusal);
  if (heard.refusal) commands.pop();
  place("verdict").textContent = heard.accepted || heard.verdict;
  place("said").textContent = [...heard.opening, ...heard.answers, ...heard.troubles].join("\n");
  const { signs } = positionAfter(viewer.game, lastTurn());
  if (viewer.board) drawPosition(viewer.board.layer, viewer.game, signs, [...dead(signs)], new Map());
  if (heard.accepted) list();
});

const open = careful(async (id) => {
  [game, commands] = [id, []];
  showGame(await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(id)}`), Infinity);
  for (const each of ["case", "table", "said"]) place(each).hidden = false;
  await judge();
});

const list = careful(async () => {
  const { games } = await fetchJson(`/api/v1/competitions/${path(competition)}/judge`);
  place("cases").replaceChildren(...games.map((each) => {
    const button = element("button", { type: "button" }, `${each.id}${each.ruled ? " (ruled)" : ""}`);
    button.title = each.result;
    button.addEventListener("click", () => open(each.id));
    return element("li", {}, button);
  }));
  if (!games.length) place("cases").replaceChildren(element("li", {}, "No game waits for a ruling."));
});

function say(command) {
  commands.push(command);
  judge();
}

place("board").addEventListener("click", (event) => {
  if (!heard || !viewer.board) return;
  const meant = placeOf(event);
  const { signs } = positionAfter(viewer.game, lastTurn());
  if (meant && signs.get(meant.place)) say(`${dead(signs).has(meant.place) ? "alive" : "dead"} ${meant.name}`);
});
place("table").addEventListener("submit", (event) => {
  event.preventDefault();
  const command = place("command").value.trim();
  place("command").value = "";
  if (command) say(command);
});
place("back-one").addEventListener("click", () => { commands.pop(); judge(); });
place("accept").addEventListener("click", () => judge({ accept: true }));
steeringToken();
listen({});
list();
