"use strict";
// The list of games: which rows are shown, and opening one of them.

const rows = [...document.querySelectorAll("#list tr[data-game]")];

// A game is read from the page when it is first looked at.
function openGame(number, turn) {
  viewer.number = number;
  const game = JSON.parse($(`game${number}`).textContent);
  showGame(game, turn);
  showFiles(game);
  for (const row of rows) row.classList.toggle("shown", row.dataset.game === String(number));
}

// The record of a game, to keep: the page has it, packed.
async function showFiles({ id, files }) {
  const links = await Promise.all(Object.entries(files).map(async ([suffix, packed]) => {
    const bytes = Uint8Array.from(atob(packed), (letter) => letter.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(await new Response(stream).blob());
    link.download = id + suffix;
    link.textContent = `download the record (${suffix})`;
    return link;
  }));
  for (const link of $("files").children) URL.revokeObjectURL(link.href);
  $("files").replaceChildren(...links);
}

viewer.name = () => {
  const address = new URLSearchParams({ game: viewer.game.id, turn: viewer.turn });
  history.replaceState(null, "", `#${address}`);
};

function isWanted(row) {
  const text = $("search").value.trim().toLowerCase();
  const player = $("player").value;
  const ending = $("ending").value;
  return (!text || row.textContent.toLowerCase().includes(text))
    && (!player || row.dataset.players.split("\n").includes(player))
    && (!ending || row.dataset.ending === ending);
}

function filterRows() {
  for (const row of rows) row.hidden = !isWanted(row);
  const shown = rows.filter((row) => !row.hidden).length;
  $("matches").textContent = shown === rows.length ? `${shown} games` : `${shown} of ${rows.length} games`;
}

// The next game of the list as it is filtered now; step 1 is downwards.
function openNext(step) {
  const shown = rows.filter((row) => !row.hidden);
  const at = shown.findIndex((row) => row.dataset.game === String(viewer.number));
  const row = shown[at + step];
  if (row) openGame(Number(row.dataset.game), 0);
}

// The game and the turn that the address asks for, else the last position of the newest game.
function openAddressed() {
  const address = new URLSearchParams(location.hash.slice(1));
  const row = rows.find((each) => each.dataset.id === address.get("game"));
  if (row) openGame(Number(row.dataset.game), Number(address.get("turn") ?? 0));
  else if (rows.length && !viewer.game) openGame(Number(rows[0].dataset.game), Infinity);
}

for (const id of ["search", "player", "ending"]) $(id).addEventListener("input", filterRows);
$("list").addEventListener("click", (event) => {
  const button = event.target.closest("button.open");
  if (!button) return;
  openGame(Number(button.closest("tr").dataset.game), 0);
  $("viewer").scrollIntoView({ behavior: "smooth" });
});
$("previous").addEventListener("click", () => openNext(-1));
$("next").addEventListener("click", () => openNext(1));
addEventListener("hashchange", openAddressed);
filterRows();
openAddressed();
