
// Variations: moves by click or typed, from the shown position. The server plays them. The address has them, so that
// a variation can be sent to other people.

const { competition, game: id } = about;

// game: the game to return to, at that turn; left: called on return.
export const trial = { from: -1, moves: [], game: null, isOn: false, left: () => {} };

// Show the variation of these moves; without moves, the game itself.
export const tryMoves = careful(async (moves) => {
  const game = trial.game ?? viewer.game;
  const from = trial.game ? trial.from : viewer.turn;
  if (!moves.length) {
    leaveTrial();
    return;
  }
  const asked = new URLSearchParams([["turn", from], ...moves.map((move) => ["play", move])]);
  const { frames, turns } = await fetchJson(`/api/v1/competitions/${path(competition)}/games/${path(id)}/try?${asked}`);
  Object.assign(trial, { game, from, moves });
  tell("");
  const shown = { ...game, live: false, remarks: [], result: "", curves: [], taken_back: [] };
  shown.frames = [...game.frames.slice(0, from + 1), ...frames];
  shown.turns = [...game.turns.slice(0, from), ...turns];
  showGame(shown, Infinity);
  $("title").textContent = `${game.id}: variation after turn ${from}`;
  showTrial();
});

function leaveTrial() {
  const { game, from } = trial;
  Object.assign(trial, { game: null, from: -1, moves: [] });
  if (game) {
    showGame(game, from);
    clocks();
    trial.left();
  }
  showTrial();
}

function showTrial() {
  $("trying").hidden = !trial.isOn;
  $("try").setAttribute("aria-pressed", trial.isOn);
  $("tried").textContent = trial.moves.join(" ");
  $("board").classList.toggle("asked", trial.isOn);
}

function nextMove(move) {
  tryMoves([...trial.moves.slice(0, trial.game ? Math.max(viewer.turn - trial.from, 0) : 0), move]);
}

$("try").addEventListener("click", () => {
  trial.isOn = !trial.isOn;
  if (trial.isOn) showTrial();
  else leaveTrial();
});
$("board").addEventListener("click", (event) => {
  if (!trial.isOn || !viewer.board || viewer.game.kind !== "points") return;
  const meant = placeOf(event);
  if (meant) nextMove(meant.name);
});
$("trying").addEventListener("submit", (event) => {
  event.preventDefault();
  const move = $("trymove").value.trim();
  $("trymove").value = "";
  if (move) nextMove(move);
});
$("untry").addEventListener("click", () => tryMoves(trial.moves.slice(0, -1)));
