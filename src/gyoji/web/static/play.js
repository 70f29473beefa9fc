// A person's seat. The fragment of the address is its secret; it is sent in a header, and to nobody else.

import { Seats, moveOf, movesAt } from "./seat.js";

const secret = decodeURIComponent(location.hash.slice(1));
const show = (id, isShown) => { $(id).hidden = !isShown; };
let standing = null; // how things stand, as the server told last
let seats = new Seats();
let seat = null; // the one that is asked, or was last
let values = null; // the game as everybody is told of it
let chosen = []; // places of the board that are to make a move together

async function ask(address, body) {
  const headers = { Authorization: `Seat ${secret}` };
  if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(address, { headers, method: body ? "POST" : "GET", body: body && JSON.stringify(body) });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.json();
}

const answer = careful(async (given) => {
  if (!seat?.question) return;
  const { number, question } = seat;
  seat.answered();
  chosen = [];
  $("move").value = "";
  draw();
  try {
    await ask("/api/v1/seat/say", { seat: number, answer: { question: question.question, ...given } });
  } catch (error) {
    await refresh(); // it may not have arrived
    throw error;
  }
});

// What happened at the seats.
function hear({ game, events, again = false }) {
  if (game !== standing?.game) return;
  seats.take(events, again);
  const before = seat;
  seat = seats.current ?? null;
  if (before !== seat || events.length) chosen = [];
  if (seat) drawOwn();
  draw();
  if (seat?.isOver) setTimeout(refresh, 500);
}

// The name of a seat, as people say it.
function nameOf(number) {
  const game = values ?? viewer.game;
  if (!game) return `seat ${number + 1}`;
  const { name, side, role } = game.seats[number];
  return `${name} (${[game.sides[side], role].filter(Boolean).join(" ")})`;
}

const NOUNS = { "take-back": "to take a move back", draw: "a draw" };
const BUTTONS = { "take-back": "take back", draw: "offer a draw", advice: "hint", resign: "resign" };

// What is asked, in words.
function state() {
  if (!seat) return "";
  const { question, isOver } = seat;
  if (!question) return isOver ? "" : "The other side is to move.";
  const whose = seats.seats.size > 1 ? ` for ${nameOf(seat.number)}` : "";
  if (question.about === "consent") return `${nameOf(question.of)} wishes ${NOUNS[question.wish]}. Do you agree?`;
  if (question.about === "dead") return "Which stones are dead? Name a point of each group, or say that none is.";
  return `It is your turn${whose}.${question.phase ? ` ${question.phase}.` : ""}`;
}

// What was last said to the person.
function told() {
  if (!seat) return "";
  const { last } = seat;
  const moves = (last.news ?? []).flat().filter(([number]) => !seats.seats.has(number));
  return [
    last.taken_back ? `taken back: ${last.taken_back} turn${last.taken_back > 1 ? "s" : ""}` : "",
    ...moves.map(([number, text]) => `${nameOf(number)}: ${text}`),
    seat.question?.notice ?? "",
    seat.refused,
  ].filter(Boolean).join(" · ");
}

function button(text, work, kind = "") {
  const made = element("button", { type: "button", ...(kind && { class: kind }) }, text);
  made.addEventListener("click", work);
  return made;
}

// All that depends on what is asked.
function draw() {
  const question = seat?.question ?? null;
  const isMove = question?.about === "move";
  $("state").textContent = state();
  $("said").textContent = told();
  $("text").textContent = seat?.last.board ?? "";
  show("text-form", Boolean(seat?.last.board));
  show("answer", Boolean(question) && question.about !== "consent");
  $("board").classList.toggle("asked", isMove);
  const buttons = [];
  if (isMove) {
    if (question.advice) buttons.push(button(`play ${question.advice}`, () => answer({ move: question.advice }), "first"));
    const free = question.offered.choices.filter(([, , place]) => place < 0 || !seat.begin.scene);
    for (const [move, words] of free) buttons.push(button(words, () => answer({ move })));
    for (const wish of seat.begin.may) {
      buttons.push(button(BUTTONS[wish], () => {
        if (wish !== "resign" || confirm("Give up this game?")) answer({ wish });
      }));
    }
  }
  if (question?.about === "consent") {
    buttons.push(button("yes", () => answer({ agree: true })), button("no", () => answer({ agree: false })));
  }
  if (question?.about === "dead") buttons.push(button("none is dead", () => answer({ dead: [] })));
  $("words").replaceChildren(...buttons);
  offer([]);
}

// Moves to choose from, of a place that stands for several.
function offer(choices) {
  $("choices").replaceChildren(...choices.map(([move, words]) => button(words, () => answer({ move }))));
}

// The board as the seat sees it, where spectators are shown nothing yet.
function drawOwn() {
  if (values?.hidden && seat.begin.scene) {
    showGame({ ...seat.game(values), live: true }, Infinity);
    drawChosen();
  }
}

// Places that have been named for a move are marked.
function drawChosen() {
  const { board, game } = viewer;
  if (!board) return;
  drawNow();
  for (const place of chosen) {
    const [x, y] = middle(game, place);
    board.layer.append(svg("circle", { class: "chosen", cx: x, cy: y, r: 3 }));
  }
}

const refresh = careful(async () => {
  standing = await ask("/api/v1/seat");
  const { player, competition, game, ready, running, remaining } = standing;
  $("who").textContent = `${player} in ${competition}`;
  show("ready", running && !game && !ready && remaining !== 0);
  show("away", running && !game && ready);
  show("table", Boolean(game));
  if (!game) {
    const over = values?.id;
    seat = values = null;
    seats = new Seats();
    draw();
    if (over) showEnd(over);
    $("state").textContent = !running ? "The competition is not running at the moment; this page says when it is."
      : remaining === 0 ? "There is nothing left to play." : ready ? "You wait for your next game." : "Say when you are ready to play.";
    return;
  }
  await read();
  await ask("/api/v1/seat/say", { again: true });
});

// The game as spectators are shown it.
async function read() {
  const { competition, game } = standing;
  values = await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(game)}`);
  if (values.hidden && seat) drawOwn();
  else showGame(values, Infinity);
  clocks();
  drawChosen();
}

// The game that was played is over: it is shown as it is stored.
async function showEnd(id) {
  try {
    showGame(await fetchJson(`/api/v1/competitions/${path(standing.competition)}/games/${path(id)}`), Infinity);
  } catch {
    if (viewer.game) viewer.game.live = false;
  }
}

// A point of the board by mouse or finger.
$("board").addEventListener("click", (event) => {
  const question = seat?.question;
  if (!question || !viewer.board || viewer.turn !== lastTurn()) return;
  const meant = placeOf(event);
  if (!meant) return;
  if (question.about === "dead") {
    const named = new Set($("move").value.split(/\s+/).filter(Boolean));
    named[named.has(meant.name) ? "delete" : "add"](meant.name);
    $("move").value = [...named].join(" ");
    return;
  }
  if (question.about !== "move") return;
  const found = movesAt({ ...question, scene: seat.begin.scene }, meant.place, chosen);
  chosen = found.chosen;
  if (found.choices.length === 1) return void answer({ move: found.choices[0][0] });
  const move = moveOf(question, seat.begin.scene, chosen);
  const most = Math.max(0, ...question.offered.points);
  if (move && chosen.length === most) return void answer({ move });
  offer(move ? [[move, `play ${move}`]] : found.choices);
  drawChosen();
});
$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("move").value.trim();
  if (!text) return;
  answer(seat?.question?.about === "dead" ? { dead: text.split(/\s+/) } : { move: text });
});
for (const [id, ready] of [["ready", true], ["away", false]]) {
  $(id).addEventListener("click", careful(async () => { await ask("/api/v1/seat/ready", { ready }); }));
}

let reading = 0; // the timer until the game is read again

function readSoon() {
  if (!reading) reading = setTimeout(careful(async () => {
    reading = 0;
    if (standing.game) await read();
  }), 50);
}

const begin = careful(async () => {
  standing = await ask("/api/v1/seat");
  const { competition } = standing;
  const soon = (news) => { if (news.competition === competition) setTimeout(refresh, 100); };
  listen({
    seat: hear,
    boards: (news) => { if (news.some((each) => each.id === standing.game)) readSoon(); },
    started: soon, finished: soon, void: soon, running: soon, stopped: soon, ready: soon,
  }, { watch: [`${competition}/boards`], seat: standing.ticket, read: refresh });
});

if (secret) begin();
else $("state").textContent = "This page needs the link that the organiser has for you.";
