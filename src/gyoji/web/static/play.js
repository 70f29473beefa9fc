// The page of a person's seat. The fragment of its address is the secret, which is sent in a header.

import { offerAgain, playAgain, wantToPlay, wantsToPlay } from "./again.js";
import { choiceButton, outline, showPlans, wordButton } from "./plans.js";
import { Seats, asking, moveOf, movesAt, placeName, withoutThoughts } from "./seat.js";
import { lag, measureLag, runClock, runDeadline, stopClock, tellTurn } from "./turn.js";
import { REQUESTS, lastText, questionText, waitingText } from "./wording.js";

const secret = decodeURIComponent(location.hash.slice(1));
const ask = asking(secret);
const show = (id, isShown) => { $(id).hidden = !isShown; };
let standing = null; // the last state of the seat from the server
let seats = new Seats();
let seat = null; // the seat that is asked, or was asked last
let values = null; // the game as spectators see it
let chosen = []; // places of the board that make a move together
let asked = ""; // the key of the open question
let leaves = false; // the person gives up the game
let over = ""; // the id of a finished game that is not shown as stored yet
let feed = null;

const answer = careful(async (given) => {
  if (!seat?.question) return;
  const { number, question } = seat;
  seats.answered(seat);
  chosen = [];
  $("move").value = "";
  draw();
  try {
    await ask("/api/v1/seat/say", { seat: number, answer: { question: question.question, lag: lag(), ...given } });
  } catch (error) {
    seats.unanswered(number);
    await refresh();
    throw error;
  }
});

// Take events of the seats.
function hear({ game, events, again = false }) {
  if (game !== standing?.game) return;
  seats.take(events, again);
  seat = seats.current ?? null;
  settle();
  if (seat) drawOwn();
  draw();
  if (seat?.isOver) setTimeout(refresh, 500);
  else measureLag().catch(() => {});
  leave();
}

const play = (move) => answer({ move });

// Show everything that depends on the open question.
function draw() {
  const question = seat?.question ?? null;
  const isMove = question?.about === "move";
  const hadFocus = $("table").contains(document.activeElement);
  const game = values ?? viewer.game;
  $("state").textContent = leaves ? "You resign as soon as it is your turn." : questionText(seat, game, seats.seats.size === 1);
  $("said").textContent = lastText(seat, game, (number) => seats.seats.has(number));
  tellTurn(standing?.player, Boolean(question));
  $("text").textContent = seat && !seat.begin.scene ? seat.last.board ?? "" : "";
  show("answer", Boolean(question) && question.about !== "consent");
  $("board").classList.toggle("asked", isMove);
  const buttons = [];
  if (isMove) {
    if (question.hint) buttons.push(choiceButton([question.hint, `play ${question.hint}`], play));
    const free = question.offered.choices.filter(([, , place]) => place < 0 || !seat.begin.scene);
    buttons.push(...free.map((choice) => choiceButton(choice, play)));
    const requests = seat.begin.may.filter((request) => request !== "resign");
    buttons.push(...requests.map((request) => wordButton(REQUESTS[request], () => answer({ request }))));
  }
  const canLeave = seat && !seat.isOver && !leaves && question?.about !== "dead";
  if (canLeave && seat.begin.may.includes("resign")) buttons.push(wordButton(REQUESTS.resign, resign));
  if (question?.about === "consent") {
    buttons.push(wordButton("yes", () => answer({ agree: true })), wordButton("no", () => answer({ agree: false })));
  }
  if (question?.about === "dead") buttons.push(wordButton("none is dead", () => answer({ dead: [] })));
  $("words").replaceChildren(...buttons);
  showPlans(isMove && seat.begin.scene ? question.offered.choices : [], play);
  settle();
  if (hadFocus && question && !$("answer").hidden) $("move").focus();
  if (isMove) runClock(question.clock, waited());
  else stopClock();
}

// Give up the game: now, or as soon as the seat is asked for a move.
function resign() {
  if (!confirm("Give up this game?")) return;
  leaves = true;
  draw();
  leave();
}

function leave() {
  if (leaves && seat?.question?.about === "move") answer({ request: "resign" });
}

// Return the ms since the open question was asked, as far as it is known.
function waited() {
  const { isFresh, at } = seat.question;
  if (isFresh || !values?.live) return performance.now() - at;
  return values.waited + performance.now() - told;
}

// Drop the places chosen so far: they were for another question.
function settle() {
  const now = seat?.question ? `${seat.number} ${seat.question.question}` : "";
  if (now !== asked) offer([]);
  if (now !== asked) [asked, chosen] = [now, []];
}

// Show moves to choose from, for a place that stands for several, or a move to confirm.
function offer(choices) {
  $("choices").replaceChildren(...choices.map(([move, words]) => choiceButton([move, words], play)));
  $("choices").firstChild?.focus();
}

// Return whether a player sees less than spectators are shown, now or later.
const keepsBack = () => Boolean(values?.hidden || values?.hides);

// Return the turn to show: the newest, or an earlier one that the person looks at.
const turnOf = (id) => (viewer.game?.id === id && viewer.turn < lastTurn() ? viewer.turn : Infinity);

// Show the board as the seat sees it.
function drawOwn() {
  if (keepsBack() && seat.begin.scene) {
    showGame({ ...seat.game(values), live: true }, turnOf(values.id));
    drawChosen();
  }
}

// Mark the places that were chosen for a move.
function drawChosen() {
  if (!viewer.board) return;
  drawNow();
  if (viewer.turn === lastTurn()) outline(viewer, seat?.question?.offered?.choices ?? [], chosen);
}

const refresh = careful(async () => {
  standing = await ask("/api/v1/seat");
  const { player, competition, game, began, ready, running, remaining } = standing;
  $("who").textContent = `${player} in ${competition}`;
  show("ready", running && !game && !ready && remaining !== 0);
  show("away", running && !game && ready);
  show("table", Boolean(game));
  offerAgain(standing, () => wantToPlay(standing, false));
  feed?.watch(game ? [`${competition}/${game}`] : [], standing.ticket);
  if (!game) {
    over = values?.id ?? over;
    [seat, values, leaves, seats] = [null, null, false, new Seats()];
    draw();
    if (over) showEnd(over);
    $("state").textContent = waitingText(standing);
    if (standing.seconds !== null) runDeadline(standing.seconds * 1000);
    if (running && !ready && remaining !== 0 && wantsToPlay(standing)) await getReady(true);
    return;
  }
  if (seats.began !== began) seats = new Seats(began);
  await read();
  await ask("/api/v1/seat/say", { again: true });
});

// Show the game as spectators see it.
async function read() {
  const { competition, game } = standing;
  values = await ask(`/api/v1/competitions/${path(competition)}/games/${path(game)}`);
  if (keepsBack() && seat) drawOwn();
  else if (keepsBack()) showGame({ ...values, columns: [], frames: [[]], turns: [], curves: [] }, 0);
  else showGame($("thoughts").checked ? values : withoutThoughts(values), turnOf(game));
  clocks();
  drawChosen();
}

// Take news of the game, as spectators get them.
const follow = careful(async (news) => {
  if (news.id !== standing.game || !values) return;
  if (keepsBack()) {
    const { left, acting, waited: since, clocks: parts } = news;
    for (const each of [values, viewer.game]) Object.assign(each, { left, acting, clocks: parts, waited: since });
  } else if (news.first > viewer.game.turns.length) await read();
  else extendGame($("thoughts").checked ? news : withoutThoughts(news));
  clocks();
  drawChosen();
});

// Show the finished game as it is stored.
async function showEnd(id) {
  try {
    showGame(await fetchJson(`/api/v1/competitions/${path(standing.competition)}/games/${path(id)}`), Infinity);
    clocks();
    if (!viewer.game.live) over = "";
  } catch {
    if (viewer.game) viewer.game.live = false;
  }
}

// Take a click on the board.
$("board").addEventListener("click", (event) => {
  const question = seat?.question;
  if (!question || !viewer.board || viewer.turn !== lastTurn()) return;
  const meant = placeOf(event);
  if (!meant) return;
  if (question.about === "dead") {
    chosen = chosen.includes(meant.place) ? chosen.filter((each) => each !== meant.place) : [...chosen, meant.place];
    $("move").value = chosen.map((place) => placeName(seat.begin.scene, place)).join(" ");
    drawChosen();
  } else if (question.about === "move") choose(meant.place);
});

// Choose a place for a move. A move that needs a confirmation is played when its place is chosen again.
function choose(place) {
  const { question, begin: { scene } } = seat;
  const isAgain = chosen.length === 1 && chosen[0] === place;
  const found = movesAt(question.offered, place, chosen);
  const isSure = !$("confirm").checked || isAgain;
  if (found.choices.length === 1 && isSure) return answer({ move: found.choices[0][0] });
  const isKept = found.choices.length || (isAgain && $("confirm").checked && moveOf(question.offered, scene, chosen));
  chosen = isKept ? [place] : found.chosen;
  const move = found.choices.length ? "" : moveOf(question.offered, scene, chosen);
  if (move && chosen.length === Math.max(...question.offered.points) && (isSure || chosen.length > 1)) return answer({ move });
  offer(move ? [[move, `play ${move}`]] : found.choices);
  return drawChosen();
}

$("answer").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("move").value.trim();
  if (text) answer(seat?.question?.about === "dead" ? { dead: text.split(/\s+/) } : { move: text });
});

async function getReady(ready) {
  wantToPlay(standing, ready);
  await ask("/api/v1/seat/ready", { ready });
}
for (const id of ["ready", "away"]) $(id).addEventListener("click", careful(() => getReady(id === "ready")));
$("thoughts").addEventListener("change", careful(read));

// A finger is less exact than a mouse, so a touch needs a confirmation.
$("confirm").checked = (localStorage.getItem("confirm") ?? String(matchMedia("(pointer: coarse)").matches)) === "true";
$("confirm").addEventListener("change", () => localStorage.setItem("confirm", $("confirm").checked));

playAgain(ask, () => wantToPlay(standing, true), careful);

const begin = careful(async () => {
  standing = await ask("/api/v1/seat");
  const later = gathered(refresh, 100);
  const soon = (news) => { if (news.competition === standing.competition) later(); };
  const handlers = { seat: hear, move: follow };
  for (const each of ["started", "finished", "void", "running", "stopped", "ready", "awaited", "failed"]) handlers[each] = soon;
  feed = listen(handlers, { seat: standing.ticket, read: refresh, stays: true });
});

if (secret) begin();
else $("state").textContent = "This page needs the link that the organiser gives you.";
