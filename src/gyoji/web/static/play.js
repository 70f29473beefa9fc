
// A person's seat. The fragment of the address is its secret; it is sent in a header, and to nobody else.

const secret = decodeURIComponent(location.hash.slice(1));
const show = (id, isShown) => { document.getElementById(id).hidden = !isShown; };
let standing = null;
let isAsked = false;
let asksConsent = false;

async function ask(address, body) {
  const headers = { Authorization: `Seat ${secret}` };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(address, { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

function state(text) {
  document.getElementById("state").textContent = text;
}

async function say(text) {
  document.getElementById("move").value = "";
  await careful(() => ask("/api/v1/seat/say", { text }))();
}

// What the game says: lines, the last of them a question if it has no end.
function hear({ text = "", again = false, is_over: isOver = false, game }) {
  if (game !== standing.game) return;
  const talk = document.getElementById("talk");
  talk.textContent = (again ? "" : talk.textContent) + text;
  talk.scrollTop = talk.scrollHeight;
  isAsked = !isOver && talk.textContent.length > 0 && !talk.textContent.endsWith("\n");
  const lines = text.split("\n").filter((line) => line && !/^ *\d* ?([.(]|[A-Z] [A-Z])/.test(line));
  const question = isAsked ? lines.pop() ?? "" : "";
  asksConsent = question.startsWith("yes or no");
  const told = lines.filter((line) => !/^(You are|A move is|Type help)/.test(line)).slice(-2).join(" · ");
  document.getElementById("said").textContent = told;
  for (const button of document.querySelectorAll("#words button")) {
    button.hidden = button.classList.contains("consent") !== asksConsent;
    button.disabled = !isAsked;
  }
  document.getElementById("board").classList.toggle("asked", isAsked && !asksConsent);
  state(isOver ? "" : asksConsent ? "You are asked whether you agree." : isAsked ? "It is your turn." : "The other side is to move.");
  if (isOver) setTimeout(refresh, 800);
}

const refresh = careful(async () => {
  standing = await ask("/api/v1/seat");
  const { player, competition, game, ready, running, remaining } = standing;
  document.getElementById("who").textContent = `${player} in ${competition}`;
  show("ready", running && !game && !ready && remaining !== 0);
  show("away", running && !game && ready);
  show("table", Boolean(game));
  if (!game) {
    isAsked = false;
    document.getElementById("board").classList.remove("asked");
    if (viewer.game?.live) showEnd(viewer.game.id);
    state(!running ? "The competition is not running at the moment; this page says when it is."
      : remaining === 0 ? "There is nothing left to play." : ready ? "You wait for your next game." : "Say when you are ready to play.");
    return;
  }
  const values = await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(game)}`);
  showGame(values, Infinity);
  clocks();
  await ask("/api/v1/seat/say", { again: true });
});

// The game that was played is over: it is shown as it is stored.
async function showEnd(id) {
  try {
    showGame(await fetchJson(`/api/v1/competitions/${path(standing.competition)}/games/${path(id)}`), Infinity);
  } catch {
    viewer.game.live = false;
  }
}

// A point of the board by mouse or finger.
document.getElementById("board").addEventListener("click", (event) => {
  const { game, board } = viewer;
  if (!isAsked || asksConsent || !board || game.kind !== "points") return;
  const meant = placeOf(event);
  if (meant) say(meant.name);
});
document.getElementById("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = document.getElementById("move").value.trim();
  if (text) say(text);
});
for (const button of document.querySelectorAll("[data-say]")) {
  button.addEventListener("click", () => {
    if (!button.dataset.sure || confirm(`${button.textContent}?`)) say(button.dataset.say);
  });
}
for (const [id, ready] of [["ready", true], ["away", false]]) {
  document.getElementById(id).addEventListener("click", careful(async () => {
    await ask("/api/v1/seat/ready", { ready });
  }));
}

const begin = careful(async () => {
  standing = await ask("/api/v1/seat");
  const { competition } = standing;
  const soon = (news) => { if (news.competition === competition) setTimeout(refresh, 100); };
  listen({
    words: hear,
    boards: (news) => { for (const each of news) if (each.id === standing.game) reload(each); },
    started: soon, finished: soon, void: soon, running: soon, stopped: soon, ready: soon,
  }, { watch: [`${competition}/boards`], seat: standing.ticket, read: refresh });
});

// The whole game again: what is said of it comes with it.
let reloading = 0;

function reload() {
  if (reloading) return;
  reloading = setTimeout(careful(async () => {
    reloading = 0;
    const { competition, game } = standing;
    if (!game) return;
    showGame(await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(game)}`), Infinity);
    clocks();
  }), 50);
}

if (secret) begin();
else state("This page needs the link that the organiser has for you.");
