"use strict";
// One game on the board, forwards and backwards, also while it is being played.

const $ = (id) => document.getElementById(id);

const viewer = {
  game: null, // what is shown
  turn: 0, // how many of its turns have been played
  board: null,
  timer: 0, // of playing by itself, 0 when it does not
  naming: 0, // the timer until the address is changed
  name: () => {}, // puts what is shown into the address
};

function showGame(game, turn) {
  stopPlaying();
  Object.assign(viewer, { game, turn: 0, board: game.columns.length ? emptyBoard(game) : null });
  $("viewer").hidden = false;
  $("viewer").classList.toggle("men", game.kind === "squares");
  $("viewer").classList.toggle("teams", game.kind === "cells" || game.sides.length > 2);
  $("board").replaceChildren(...(viewer.board ? [viewer.board.board] : []));
  $("about").textContent = game.about;
  $("missing").textContent = game.missing;
  $("numbered").hidden = game.kind !== "points";
  drawWhole();
  goTo(turn);
}

// All that does not depend on the turn that is shown.
function drawWhole() {
  $("title").textContent = [viewer.game.id, viewer.game.result].filter(Boolean).join(": ");
  $("slider").max = lastTurn();
  drawSides();
  drawLegend();
  drawClock();
  drawCurves();
}

// What is new in a game that is being played: turns from number `first` on are as they are told now.
function extendGame(news) {
  const { game } = viewer;
  const follows = viewer.turn === lastTurn();
  const { first, frames, turns, ...rest } = news;
  Object.assign(game, rest);
  game.frames.splice(first ? first + 1 : 0, Infinity, ...frames);
  game.turns.splice(first, Infinity, ...turns);
  drawWhole();
  goTo(follows ? lastTurn() : viewer.turn);
}

function lastTurn() {
  return Math.max(viewer.game.frames.length - 1, 0);
}

function goTo(turn) {
  if (!viewer.game) return;
  viewer.turn = Math.min(Math.max(turn, 0), lastTurn());
  if (viewer.turn === lastTurn()) stopPlaying();
  drawNow();
}

// What stands on each place after so many turns, by all changes until then, and which turn put it there.
function positionAfter(game, turn) {
  const signs = new Map();
  const numbers = new Map();
  game.frames.slice(0, turn + 1).forEach(([changes = []], number) => {
    for (let index = 0; index < changes.length; index += 2) {
      const [place, text] = [changes[index], changes[index + 1]];
      signs.set(place, text);
      if (number && /^[BW]$/.test(text) && !numbers.has(place)) numbers.set(place, number);
      if (!text) numbers.delete(place);
    }
  });
  return { signs, numbers };
}

function drawNow() {
  const { game, turn, board } = viewer;
  const { signs, numbers } = positionAfter(game, turn);
  const [, marks = [], tally = []] = game.frames[turn] ?? [];
  if (board) drawPosition(board.layer, game, signs, marks, $("numbers").checked ? numbers : new Map());
  board?.board.setAttribute("aria-label", `Position after ${turn} of ${lastTurn()} turns`);
  $("slider").value = turn;
  $("count").textContent = `${turn} / ${lastTurn()}`;
  tally.forEach((number, side) => { $(`tally${side}`).textContent = `${game.tally}: ${number}`; });
  drawMoves(game, turn);
  drawText(signs);
  const place = `${100 * (turn - 0.5) / Math.max(lastTurn(), 1)}%`;
  for (const line of document.querySelectorAll("#viewer .now")) {
    line.setAttribute("x1", place);
    line.setAttribute("x2", place);
  }
  clearTimeout(viewer.naming);
  viewer.naming = setTimeout(viewer.name, 300); // browsers refuse to have it changed many times a second
}

// The position as text, where somebody reads it.
function drawText(signs) {
  const { game, board } = viewer;
  $("textform").hidden = !board;
  if (!board || !$("textform").open) return;
  $("boardtext").textContent = boardText(game, signs);
  $("boardwords").replaceChildren(...boardWords(game, signs).map((line) => words(line)));
}

// How many stones a turn took off the board.
function taken(game, turn) {
  const [changes = []] = game.frames[turn] ?? [];
  return game.kind === "points" ? changes.filter((each, index) => index % 2 && !each).length : 0;
}

// A move, by whom, in what time, and what was said about it.
function moveLines(game, [seat, text, ms, comment, phase, note, opinion], captured) {
  const line = document.createElement("p");
  const who = game.seats[seat];
  line.append(dot(who.side), bold(text), ` ${who.name}${who.role ? ` (${who.role})` : ""}, ${duration(ms)}`);
  if (captured) line.append(`, takes ${captured}`);
  if (phase) line.append(` [${phase}]`);
  if (note) line.append(`: ${note}`);
  return [line, ...(opinion ? [words(opinion)] : []), ...(comment ? [words(`“${comment}”`)] : [])];
}

// What the other side said of its last move before this turn, if it said anything: [] or a paragraph.
function lastWords(game, turn) {
  const moved = new Set((game.turns[turn - 1] ?? []).map(([seat]) => game.seats[seat].side));
  for (let at = turn - 2; at >= Math.max(turn - 9, 0); at--) {
    const other = game.turns[at].filter(([seat, , , comment, , , opinion]) => (
      !moved.has(game.seats[seat].side) && (comment || opinion)));
    if (other.length) return [words(`Before, turn ${at + 1}:`), ...other.flatMap((move) => moveLines(game, move, 0))];
  }
  return [];
}

// What was played in the turn that the board shows, and what was said.
function drawMoves(game, turn) {
  const moves = turn ? game.turns[turn - 1] ?? [] : [];
  const said = moves.map((move) => moveLines(game, move, taken(game, turn)));
  announce([turn ? `Turn ${turn}.` : "The start.", ...moves.map(([seat, text]) => `${game.seats[seat].name}: ${text}.`),
    taken(game, turn) ? `Takes ${taken(game, turn)}.` : "", turn === lastTurn() && !game.live ? game.result : ""].join(" "));
  if (!turn) said.push([words("The start of the game.")]);
  for (const [after, text] of game.taken_back ?? []) if (after === turn) said.push([words(text)]);
  if (turn === lastTurn() && !game.live) {
    for (const [seat, text] of game.remarks) said.push([words(`${game.seats[seat].name}: “${text}”`)]);
    const end = document.createElement("p");
    end.append(bold(game.result));
    said.push([end]);
  }
  said.push(lastWords(game, turn));
  $("moves").replaceChildren(...said.flat());
}

function bold(text) {
  const element = document.createElement("b");
  element.textContent = text;
  return element;
}

function words(text) {
  const element = document.createElement("p");
  element.className = "said soft";
  element.textContent = text;
  return element;
}

function duration(ms) {
  if (ms < 1) return "less than 1 ms";
  return ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(ms < 10000 ? 2 : 1)} s`;
}

// Who plays which side, and how long each has thought in all.
function drawSides() {
  const { game } = viewer;
  const tallies = game.sides.map((_, side) => $(`tally${side}`)?.textContent ?? "");
  const spent = game.sides.map(() => 0);
  for (const [seat, , ms] of game.turns.flat()) spent[game.seats[seat].side] += ms;
  $("sides").replaceChildren(...game.sides.map((name, side) => {
    const row = document.createElement("tr");
    const players = [...new Set(game.seats.filter((seat) => seat.side === side).map((seat) => seat.name))];
    const cells = [`${players.join(" & ")}, ${name}`, "", `thought ${duration(spent[side])}`];
    row.append(...cells.map((text) => Object.assign(document.createElement("td"), { textContent: text })));
    row.cells[0].prepend(dot(side));
    row.cells[1].id = `tally${side}`;
    row.cells[1].textContent = tallies[side];
    row.cells[2].id = `time${side}`;
    return row;
  }));
}

// What the signs of this board mean, those that occur.
function drawLegend() {
  const { game } = viewer;
  const occurring = new Set();
  for (const [changes = []] of game.frames) {
    for (let index = 1; index < changes.length; index += 2) {
      for (const sign of changes[index].split(" ")) occurring.add(sign[0]);
    }
  }
  $("legend").replaceChildren(...game.legend.filter(([sign]) => occurring.has(sign[0])).map(([sign, text]) => {
    const entry = document.createElement("span");
    const picture = svg("svg", { viewBox: "0 0 10 10", class: "board" });
    picture.append(svg("rect", { class: game.kind, width: 10, height: 10 }));
    drawSigns(picture, sign, 5, 5);
    entry.append(picture, text);
    return entry;
  }));
}

function stopPlaying() {
  clearInterval(viewer.timer);
  viewer.timer = 0;
  $("play").textContent = "▶ play";
}

function togglePlaying() {
  if (viewer.timer) return stopPlaying();
  if (viewer.turn === lastTurn()) goTo(0);
  viewer.timer = setInterval(() => goTo(viewer.turn + 1), 600);
  $("play").textContent = "⏸ pause";
}

const STEPS = {
  first: () => goTo(0), back: () => goTo(viewer.turn - 1),
  forward: () => goTo(viewer.turn + 1), last: () => goTo(lastTurn()), play: togglePlaying,
};

const KEYS = [
  ["ArrowLeft", "one turn back", STEPS.back], ["ArrowRight", "one turn on", STEPS.forward],
  ["PageUp", "ten turns back", () => goTo(viewer.turn - 10)], ["PageDown", "ten turns on", () => goTo(viewer.turn + 10)],
  ["Home", "the start", STEPS.first], ["End", "the end", STEPS.last], [" ", "play by itself", togglePlaying],
];

for (const [id, step] of Object.entries(STEPS)) $(id).addEventListener("click", step);
$("slider").addEventListener("input", () => goTo(Number($("slider").value)));
$("numbers").addEventListener("change", drawNow);
$("textform").addEventListener("toggle", drawNow);
for (const [key, text, step] of KEYS) onKey(key, text, () => { if (viewer.game) step(); });
