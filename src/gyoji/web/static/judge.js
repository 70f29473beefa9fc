// The judge's table. The page keeps the judge's commands, and the server executes all of them each time.

import "./keys.js";
import "./look.js";
import "./bars.js";
import "./moves.js";
import "./talk.js";
import "./curves.js";
import "./panels.js";
import { $, all, element } from "./dom.js";
import { about, careful, fetchJson, listen, path, request, tell } from "./feed.js";
import { placeName, positionAfter, showGame } from "./frames.js";
import { state } from "./state.js";
import { onPlace } from "./viewer.js";

/** @import { Frame, Game } from "./state.js" */

const { competition } = about;
const place = $;
const api = `/api/v1/competitions/${path(competition)}`;
let game = "";
/** What the judge has said of the game, in order. @type {string[]} */
let commands = [];
/** The last answer of the server about the open game. @type {any} */
let heard = null;
let played = 0; // turns of the game; the position as ruled follows them
/** The players of the open game. @type {string[]} */
let players = [];

/** @param {string} what @param {any} told */
const tellJudge = (what, told) => request(`${api}/judge/${path(game)}${what}`, told);

/** Show the position with its marks, as one more turn of the game. @param {Frame} frame */
function showMarked([changes = []]) {
  const told = /** @type {Game} */ (state.game);
  const signs = Array(told.columns.length * told.rows.length).fill("");
  for (let index = 0; index < changes.length; index += 2) signs[changes[index]] = changes[index + 1];
  /** @type {Frame[]} */
  const frames = [...told.frames.slice(0, played + 1), [signs.flatMap((sign, at) => [at, sign])]];
  showGame({ ...told, frames, turns: [...told.turns.slice(0, played), [[0, "as marked", 0]]] }, Infinity);
}

/** @param {string[]} texts @param {string} [name] */
function cells(texts, name = "td") {
  return texts.map((text, index) => element(index ? name : "th", index ? {} : { scope: "row", class: "text" }, text));
}

const judge = careful(async (more = {}) => {
  heard = await tellJudge("", { commands, who: place("who").value, ...more });
  tell(heard.refusal);
  if (heard.refusal) commands.pop();
  // Nothing is said of a result before the judge has decided something.
  const isDecided = commands.length > 0;
  place("verdict").textContent = heard.accepted ? `The ruling is stored. ${heard.accepted}`
    : isDecided ? `If you give this ruling: ${heard.verdict}` : "Nothing is ruled yet. Mark the dead groups, then choose how to count, then give the ruling.";
  drawLacking();
  place("said").textContent = [...heard.opening, ...heard.answers, ...heard.troubles].join("\n");
  place("columns").replaceChildren(...heard.columns.map((/** @type {string} */ text) => (text ? element("th", { scope: "col" }, text) : element("td"))));
  place("rows").replaceChildren(...heard.rows.map((/** @type {string[]} */ row) => element("tr", {}, ...cells(row))));
  for (const button of all("[data-say]")) {
    const [verb] = button.dataset.say.split(" ");
    button.hidden = !heard.commands.some((/** @type {string} */ each) => each.split(" ")[0] === verb);
  }
  place("hint").hidden = !heard.frame;
  if (heard.frame) showMarked(heard.frame);
  if (heard.accepted) list();
});

/** Show what is still needed for a ruling. Reasons and name may be left out, so they do not hold the button back. */
function drawLacking() {
  const isDecided = commands.length > 0;
  place("accept").disabled = !isDecided;
  const lacking = [
    ...(isDecided ? [] : ["a decision (mark dead groups, count, draw, incomplete or a forfeit)"]),
    ...(place("reasons").value.trim() ? [] : ["your reasons"]),
    ...(place("who").value.trim() ? [] : ["your name"]),
  ];
  place("lacking").textContent = heard?.accepted || !lacking.length ? "" : isDecided ? `Should have, too: ${lacking.join(", ")}.` : `Still needed: ${lacking.join(", ")}.`;
}

/** Show the rules of the game by the buttons that count, and stress the button that fits them. @param {string} about */
function drawRules(about) {
  const { way } = heard; // before any command, the count is by the rules of the game
  place("rules").textContent = way ? `By its rules this game is counted by ${way}: ${about}` : about;
  for (const button of all("[data-say^=count]")) button.classList.toggle("main", button.dataset.say === `count ${way}`);
}

// Show a row for each player of the game, and the others behind a heading: what it said at the end of the game, and a button if it can be asked now.
function showClaims() {
  const said = new Map(heard.said);
  /** @type {HTMLElement[]} */
  const rows = [];
  /** @type {HTMLElement[]} */
  const others = []; // such as the engine that scores the event's games
  for (const player of new Set([...players, ...said.keys(), ...heard.can_ask])) {
    const row = element("tr", {}, ...cells([player, said.has(player) ? `said ${said.get(player)}` : "", ""]));
    (players.includes(player) ? rows : others).push(row);
    if (!heard.can_ask.includes(player)) continue;
    const button = element("button", { type: "button" }, "ask");
    row.cells[2].append(button);
    button.addEventListener("click", careful(async () => {
      button.disabled = true;
      button.textContent = "asking …";
      try {
        showClaim(row, await tellJudge("/ask", { player }));
      } finally {
        button.textContent = "ask";
        button.disabled = false;
      }
    }));
  }
  place("claims").replaceChildren(...rows);
  place("others").replaceChildren(...others);
  place("advisers").hidden = !others.length;
}

/** @param {any} row the row of the player @param {{said: string, dead: string[], problem: string}} opinion */
function showClaim(row, { said, dead, problem }) {
  row.cells[1].textContent = problem ? `has no opinion: ${problem}` : `says ${said}; dead: ${dead.join(" ") || "none"}`;
  if (!dead.length) return;
  const take = element("button", { type: "button" }, "mark these");
  take.addEventListener("click", () => say(`dead ${dead.join(" ")}`));
  row.cells[2].replaceChildren(take);
}

const open = careful(async (id) => {
  const told = await fetchJson(`${api}/games/${path(id)}`);
  if (told.live) throw new Error("this game is still being played");
  [game, commands, heard] = [id, [], null];
  played = told.turns.length;
  showGame(told, Infinity);
  place("reasons").value = told.rulings[0]?.remark ?? "";
  players = [...new Set(told.seats.map((/** @type {{name: string}} */ seat) => seat.name))];
  place("pair").textContent = told.title;
  place("loser").replaceChildren(...players.map((name) => element("option", {}, name)));
  await judge();
  for (const each of ["case", "table", "told"]) place(each).hidden = !heard; // null if the server refused
  if (!heard) return;
  drawRules(told.about);
  showClaims();
});

const list = careful(async () => {
  const { games } = await fetchJson(`${api}/judge`);
  place("cases").replaceChildren(...games.map((/** @type {{id: string, players: string[], result: string, ruled: boolean}} */ each) => {
    const button = element("button", { type: "button" }, `${each.players.join(" – ")}${each.ruled ? " (ruled)" : ""}`);
    button.title = each.result;
    button.addEventListener("click", () => open(each.id));
    return element("li", {}, button, ` game ${each.id}`);
  }));
  if (!games.length) place("cases").replaceChildren(element("li", {}, "No game waits for a ruling."));
});

/** @param {string} command */
function say(command) {
  commands.push(command);
  judge();
}

onPlace((place) => {
  if (!heard?.frame || !state.game || !positionAfter(state.game, played).signs.get(place)) return false;
  say(`turn ${placeName(state.game, place)}`);
  return true;
});
place("table").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  const command = place("command").value.trim();
  place("command").value = "";
  if (command) say(command);
});
place("other").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  if (place("other-game").value.trim()) open(place("other-game").value.trim());
});
for (const button of all("[data-say]")) {
  button.addEventListener("click", () => say(button.dataset.say));
}
place("forfeit").addEventListener("click", () => say(`forfeit ${place("loser").value} ${place("because").value}`));
place("back-one").addEventListener("click", () => {
  commands.pop();
  judge();
});
for (const each of ["reasons", "who"]) place(each).addEventListener("input", drawLacking);
place("accept").addEventListener("click", () => {
  const reasons = place("reasons").value.trim().split(/\s+/).join(" ");
  judge({ commands: reasons ? [...commands, `remark ${reasons}`] : commands, accept: true });
});
place("extra").append(place("case")); // beside the board
listen({});
list();
const asked = new URLSearchParams(location.search).get("game");
if (asked) open(asked);
