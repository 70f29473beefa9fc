// Two charts of a game: the time of each turn, and the engines' evaluations. A click shows that turn.

import { $, svg } from "./dom.js";
import { goTo, lastTurn, shownGame } from "./frames.js";
import { onChange, state } from "./state.js";

/** @import { Game } from "./state.js" */

/** Draw the time of each turn as a bar, on a logarithmic scale: 10 s are four times as high as 10 ms. @param {Game} game */
function drawTimes(game) {
  $("clock").classList.toggle("blank", !game.turns.length);
  const total = Math.max(lastTurn(), 1);
  const slowest = Math.max(1, ...game.turns.flat().map(([, , ms]) => ms));
  const bars = game.turns.slice(0, total).flatMap((turn, number) => turn.map(([seat, , ms], index) => {
    const height = 100 * Math.log1p(ms) / Math.log1p(slowest);
    return svg("rect", {
      class: `spent${game.seats[seat].side}`,
      x: `${100 * (number + index / turn.length) / total}%`,
      width: `${100 / total / turn.length}%`,
      y: `${100 - height}%`,
      height: `${height}%`,
    });
  }));
  $("clock").replaceChildren(...bars, svg("line", { class: "now", y1: 0, y2: "100%" }));
}

/** Draw the evaluations of each side as a line. At the top, the first side wins. @param {Game} game */
function drawOpinions({ sides, curves }) {
  $("opinions").parentElement.hidden = !curves.length;
  const total = Math.max(lastTurn(), 1);
  const drawn = curves.map(({ points }, side) => svg("polyline", {
    class: `said${side}`,
    points: points.map(([turn, height]) => `${100 * (turn - 0.5) / total},${50 - 48 * height}`).join(" "),
  }));
  const picture = svg("svg", { viewBox: "0 0 100 100", preserveAspectRatio: "none" });
  picture.append(svg("line", { class: "zero", x2: 100, y1: 50, y2: 50 }), ...drawn);
  $("opinions").replaceChildren(picture, svg("line", { class: "now", y1: 0, y2: "100%" }));
  const units = curves.flatMap(({ most, points }, side) => (
    points.length ? [`${sides[side]} tells ${most ? `scores up to ${most}` : "its chance to win"}`] : []
  ));
  $("opinionkey").textContent = `What engines thought; at the top ${sides[0]} wins. ${units.join(", ")}`;
}

onChange((_, changed) => {
  const game = shownGame();
  if (!game) return;
  if (changed.has("game") || changed.has("variation")) {
    drawTimes(game);
    drawOpinions(game);
  }
  if (!["game", "turn", "variation"].some((name) => changed.has(name))) return;
  const place = `${100 * (state.turn - 0.5) / Math.max(lastTurn(), 1)}%`;
  for (const line of document.querySelectorAll("#charts .now")) {
    line.setAttribute("x1", place);
    line.setAttribute("x2", place);
  }
});

for (const id of ["clock", "opinions"]) {
  $(id).addEventListener("click", (/** @type {MouseEvent} */ event) => {
    const box = $(id).getBoundingClientRect();
    goTo(Math.ceil((event.clientX - box.left) / box.width * lastTurn()));
  });
}
