// The list of games of a report: which rows are shown, and opening one of them.

import "./keys.js";
import "./look.js";
import "./viewer.js";
import "./bars.js";
import "./beside.js";
import "./moves.js";
import "./curves.js";
import "./panels.js";
import { $, element } from "./dom.js";
import { showGame } from "./frames.js";
import { change, onChange, state } from "./state.js";
import { addNext } from "./talk.js";

const rows = /** @type {HTMLTableRowElement[]} */ ([...document.querySelectorAll("#list tr[data-game]")]);
const files = element("span", { id: "files" });
addNext(files);
let opened = ""; // the number of the game on the board
let naming = 0; // the timer until the address is changed

/**
 * Show a game, whose JSON is read from the page the first time.
 * @param {string} number
 * @param {number} turn
 */
function openGame(number, turn) {
  opened = number;
  const game = JSON.parse($(`game${number}`).textContent);
  change({ tree: new Map(), flipped: false });
  showGame(game, turn);
  showFiles(game);
  for (const row of rows) row.classList.toggle("shown", row.dataset.game === number);
}

/** Show links to save the record of a game, which the page contains in compressed form. @param {{id: string, files: Record<string, string>}} game */
async function showFiles({ id, files: packedFiles }) {
  const links = await Promise.all(Object.entries(packedFiles).map(async ([suffix, packed]) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const href = URL.createObjectURL(await new Response(stream).blob());
    return element("a", { href, download: id + suffix }, `download the record (${suffix})`);
  }));
  for (const link of files.children) URL.revokeObjectURL(link.href);
  files.replaceChildren(...links);
}

onChange(({ game, turn }, changed) => {
  if (!game || !(changed.has("game") || changed.has("turn"))) return;
  clearTimeout(naming); // browsers refuse to have it changed many times a second
  naming = setTimeout(() => history.replaceState(null, "", `#${new URLSearchParams({ game: game.id, turn: String(turn) })}`), 300);
});

/** @param {HTMLTableRowElement} row */
function isWanted(row) {
  const text = $("search").value.trim().toLowerCase();
  const player = $("player").value;
  const ending = $("ending").value;
  return (!text || (row.textContent ?? "").toLowerCase().includes(text))
    && (!player || (row.dataset.players ?? "").split("\n").includes(player))
    && (!ending || row.dataset.ending === ending);
}

function filterRows() {
  for (const row of rows) row.hidden = !isWanted(row);
  const shown = rows.filter((row) => !row.hidden).length;
  $("matches").textContent = shown === rows.length ? `${shown} games` : `${shown} of ${rows.length} games`;
}

/** Open the next game among the rows that the filter shows. @param {number} step 1 is downwards */
function openNext(step) {
  const shown = rows.filter((row) => !row.hidden);
  const at = shown.findIndex((row) => row.dataset.game === opened);
  const number = shown[at + step]?.dataset.game;
  if (number) openGame(number, 0);
}

/** Open the game and turn in the address of the page, or else the last position of the newest game. */
function openAddressed() {
  const address = new URLSearchParams(location.hash.slice(1));
  const row = rows.find((each) => each.dataset.id === address.get("game"));
  if (row) openGame(row.dataset.game ?? "", Number(address.get("turn") ?? 0));
  else if (rows.length && !state.game) openGame(rows[0].dataset.game ?? "", Infinity);
}

for (const id of ["search", "player", "ending"]) $(id).addEventListener("input", filterRows);
$("list").addEventListener("click", (/** @type {MouseEvent} */ event) => {
  const open = /** @type {Element} */ (event.target).closest("button.open");
  if (!open) return;
  openGame(/** @type {HTMLElement} */ (open.closest("tr")).dataset.game ?? "", 0);
  $("viewer").scrollIntoView({ behavior: "smooth" });
});
$("previous").addEventListener("click", () => openNext(-1));
$("next").addEventListener("click", () => openNext(1));
addEventListener("hashchange", openAddressed);
filterRows();
openAddressed();
