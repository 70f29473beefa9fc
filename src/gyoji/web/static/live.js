"use strict";
// What pages of one game in progress share: clocks that run, and the point that somebody meant.

let told = 0; // when the clocks were told
let ticking = 0;

function minutes(ms) {
  const seconds = Math.max(ms, 0) / 1000;
  if (seconds < 10) return seconds.toFixed(1);
  const rest = String(Math.floor(seconds % 60)).padStart(2, "0");
  return `${Math.floor(seconds / 60)}:${rest}`;
}

// The clocks of a game in progress run on from what was told last.
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
    const left = seats.map((seat) => game.left[seat]).find((ms) => ms !== null && ms !== undefined);
    const cell = document.getElementById(`time${side}`);
    if (cell && left !== undefined) cell.textContent = `${minutes(left - (isActing ? since : 0))} left`;
    cell?.parentElement.classList.toggle("acting", isActing);
  });
}

// The place of the board that an event of the mouse or a finger is about, null if it is about none.
function placeOf(event, { game, board } = viewer) {
  const { columns, rows } = game;
  const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(board.board.getScreenCTM().inverse());
  const [column, row] = [Math.floor((at.x - MARGIN) / PLACE), Math.floor((at.y - MARGIN) / PLACE)];
  if (columns[column] === undefined || rows[row] === undefined) return null;
  return { name: columns[column] + rows[row], place: row * columns.length + column };
}
