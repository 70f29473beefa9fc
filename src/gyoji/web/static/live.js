"use strict";
// Shared by pages of a game in progress: running clocks, and the place of a click.

let told = 0; // when the clocks came
let ticking = 0;

function minutes(ms) {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 10) return `${seconds.toFixed(1)}s`;
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

// Return the state of a clock after so many ms: main time or byo-yomi, what is left of it, and the periods after it.
// clock: as the server sends it.
function clockAfter({ left, main, period, periods }, used) {
  if (!periods) return { isMain: true, now: (main || left) - used, rest: 0 };
  if (used < main) return { isMain: true, now: main - used, rest: periods };
  let [over, rest] = [used - main, periods - 1];
  while (over > period && rest) [over, rest] = [over - period, rest - 1];
  return { isMain: false, now: period - over, rest };
}

// Return a clock in words.
function clockWords(clock, used) {
  const { main, period, periods, stones, move } = clock;
  const { isMain, now, rest } = clockAfter(clock, used);
  if (move && !main && !periods) return `${minutes(now)} left for this move`;
  if (!isMain) {
    const more = `and ${rest} more period${rest > 1 ? "s" : ""}`;
    const what = stones ? `for ${stones} move${stones > 1 ? "s" : ""}` : rest ? more : "in the last period";
    return `${minutes(now)} left ${what}`;
  }
  const byoyomi = stones ? `${minutes(period)} for ${stones} moves` : `${periods} periods of ${minutes(period)}`;
  const limit = move && move - used < now ? `, ${minutes(move - used)} for this move` : "";
  return `${minutes(now)} left${rest ? `, then ${byoyomi}` : ""}${limit}`;
}

// Return a clock in brief, as time controls are written: 4:10 + 3x30s, 4:10 + 5:00/25, 0:12 + 1x30s, 3:20/17.
function clockSigns(clock, used) {
  const { period, stones } = clock;
  const { isMain, now, rest } = clockAfter(clock, used);
  if (stones && !isMain) return `${minutes(now)}/${stones}`;
  const length = period < 60000 ? `${period / 1000}s` : minutes(period);
  return `${minutes(now)}${rest ? ` + ${stones ? `${minutes(period)}/${stones}` : `${rest}x${length}`}` : ""}`;
}

// Return the clocks of a side's seats, written by `write`. since: ms for which the seats to move have thought.
function sideClocks({ left, acting, clocks = [] }, seats, since, write) {
  const timed = seats.filter((seat) => left[seat] !== null && left[seat] !== undefined);
  return timed.map((seat) => {
    const simple = { left: left[seat], main: left[seat], period: 0, periods: 0, stones: 0, move: 0 };
    return write(clocks[seat] ?? simple, acting.includes(seat) ? since : 0, seat);
  });
}

// Let the clocks of a game in progress run on from their last values.
function clocks() {
  told = performance.now();
  clearInterval(ticking);
  if (!viewer.game.live) return;
  drawClocks();
  if (viewer.game.acting.length && viewer.game.left.some((ms) => ms !== null)) ticking = setInterval(drawClocks, 100);
}

function drawClocks() {
  const { game } = viewer;
  const since = performance.now() - told + game.waited;
  game.sides.forEach((_, side) => {
    const seats = game.seats.flatMap((seat, index) => (seat.side === side ? [index] : []));
    const isActing = seats.some((seat) => game.acting.includes(seat));
    const signs = (clock, used, seat) => `${game.seats[seat].role} ${clockSigns(clock, used)}`.trim();
    const texts = sideClocks(game, seats, since, seats.length > 1 ? signs : clockWords);
    const cell = document.getElementById(`time${side}`);
    if (cell && texts.length) cell.textContent = texts.join(", ") + (seats.length > 1 ? " left" : "");
    cell?.parentElement.classList.toggle("acting", isActing);
  });
}

// Return the place of the board under a mouse or finger, null if there is none.
function placeOf(event, { game, board } = viewer) {
  const { columns, rows } = game;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.board.getScreenCTM().inverse());
  const [column, row] = [Math.floor((at.x - MARGIN) / PLACE), Math.floor((at.y - MARGIN) / PLACE)];
  if (columns[column] === undefined || rows[row] === undefined) return null;
  return { name: columns[column] + rows[row], place: row * columns.length + column };
}
