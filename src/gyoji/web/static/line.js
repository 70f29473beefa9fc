// The moves that an engine expected when it made the shown move, on a small board. The server makes the frames.

const { competition, game: id } = about;
const place = $("line");
document.querySelector(".panel").append(place);

let shown = ""; // the key of the line on the board
let line = null; // { game, first, moves }: the game's frames until then, followed by those of the line

// Called when another position is shown. isGame: whether it is a position of the game itself.
export const showLine = careful(async (isGame = true) => {
  const { game, turn } = viewer;
  const [move] = isGame ? (game?.turns[turn - 1] ?? []).filter(([, , , , , , , expects]) => expects) : [];
  place.hidden = !move || !viewer.board;
  if (place.hidden) return;
  const [seat] = move;
  place.querySelector("summary").textContent = `What ${game.seats[seat].name} expected, on a board`;
  const wanted = `${game.id} ${turn} ${seat} ${game.turns.length}`;
  if (!place.open || wanted === shown) return;
  const asked = new URLSearchParams({ turn, seat });
  const { first, frames, turns } = await request(`/api/v1/competitions/${path(competition)}/games/${path(id)}/line?${asked}`);
  if (viewer.turn !== turn || viewer.game !== game) return; // another turn was chosen meanwhile
  shown = wanted;
  line = { game: { ...game, frames: [...game.frames.slice(0, first + 1), ...frames] }, first, moves: turns.flat().map(([, text]) => text) };
  $("linestep").max = frames.length;
  $("linestep").value = frames.length;
  const url = new URL(location);
  url.searchParams.set("move", first);
  url.searchParams.delete("play");
  for (const text of line.moves) url.searchParams.append("play", text);
  $("lineplay").href = url;
  drawLine();
});

// Show the first moves of the line, numbered.
function drawLine() {
  const { game, first, moves } = line;
  const steps = Number($("linestep").value);
  const { board, layer } = emptyBoard(game);
  const { signs, numbers } = positionAfter(game, first + steps);
  const own = [...numbers].filter(([, turn]) => turn > first).map(([where, turn]) => [where, turn - first]);
  const [, marks = []] = steps ? [] : game.frames[first] ?? [];
  drawPosition(layer, game, signs, marks, new Map(own));
  board.setAttribute("aria-label", `Expected: ${moves.slice(0, steps).join(" ")}`);
  $("lineboard").replaceChildren(board);
}

$("linestep").addEventListener("input", drawLine);
place.addEventListener("toggle", () => {
  localStorage.setItem("line", place.open ? "open" : "");
  showLine();
});
place.open = Boolean(localStorage.getItem("line"));
