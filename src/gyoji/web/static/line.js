// The principal variation of the engine that made the shown move, drawn over the board with numbers. The server makes
// its frames.

import { $ } from "./dom.js";
import { about, careful, path, request } from "./feed.js";
import { positionAfter } from "./frames.js";
import { onChange, overlay, state } from "./state.js";
import { setLook } from "./look.js";

/** @import { Frame, Game, Over } from "./state.js" */

const { competition, game: id } = about;
const MOST_ARROWS = 5;
let shown = ""; // the key of the line that is drawn, "" for none

/** Return the seat whose shown move has a principal variation; -1 if none has. @param {Game} game */
function expecting(game) {
  const [move] = (game.turns[state.turn - 1] ?? []).filter(([, , , , , , , expects]) => expects);
  return move && !state.variation ? move[0] : -1;
}

/** Return the drawings of a variation over the position: numbered stones, or arrows. @param {Game} game @param {number} first @param {Frame[]} frames @returns {Over[]} */
function overs(game, first, frames) {
  const { signs } = positionAfter(game, state.turn);
  // The line begins with the move itself, which is on the board
  return frames.slice(Math.max(state.turn - first, 0)).flatMap(([changes = [], marks = []], index) => {
    if (game.kind !== "points") {
      return index < MOST_ARROWS && marks.length > 1 ? [/** @type {Over} */ ([marks[0], "arrow", marks[1]])] : [];
    }
    return marks.filter((place) => !signs.get(place)).map((place) => {
      const sign = changes[changes.indexOf(place) + 1] || "B";
      return /** @type {Over} */ ([place, `number:${sign}`, index + 1]);
    });
  });
}

const draw = careful(async () => {
  const { game, turn, look } = state;
  const seat = game && game.columns.length ? expecting(game) : -1;
  $("line").hidden = !game || !game.turns.some((moves) => moves.some(([, , , , , , , expects]) => expects));
  $("line").disabled = seat < 0;
  const wanted = game && seat >= 0 && look.line ? `${turn} ${seat} ${game.turns.length}` : "";
  if (wanted === shown) return;
  shown = wanted;
  if (!game || !wanted) return overlay("line", []);
  const asked = new URLSearchParams({ turn: String(turn), seat: String(seat) });
  const told = await request(`/api/v1/competitions/${path(competition)}/games/${path(id)}/line?${asked}`);
  if (shown === wanted) overlay("line", overs(game, told.first, told.frames));
});

onChange((_, changed) => {
  if (changed.has("look")) $("line").setAttribute("aria-pressed", String(state.look.line));
  if (["game", "turn", "variation", "look"].some((name) => changed.has(name))) draw();
});
$("line").addEventListener("click", () => setLook({ line: !state.look.line }));
