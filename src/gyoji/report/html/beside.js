// The parts of a position that are not on the board: lines of text, a table, and arrows over the board.

import { $, element } from "./dom.js";
import { shownGame } from "./frames.js";
import { onChange, state } from "./state.js";
import { addOvers } from "./viewer.js";

/** @import { Frame, Over } from "./state.js" */

/** Return the frame (position) that is shown. @returns {Frame} */
function shownFrame() {
  return shownGame()?.frames[state.turn] ?? [];
}

/** @param {string[][]} rows the first has the names of the columns */
export function tableOf([head = [], ...rows]) {
  const line = (/** @type {"th" | "td"} */ kind, /** @type {string[]} */ cells) => (
    element("tr", cells[0] === "sum" ? { class: "sum" } : {}, ...cells.map((cell) => element(kind, {}, cell))));
  return element("table", { class: "figures" }, element("thead", {}, line("th", head)), element("tbody", {}, ...rows.map((row) => line("td", row))));
}

onChange((_, changed) => {
  if (!["game", "turn", "variation"].some((name) => changed.has(name))) return;
  const [, , , , text = "", table = []] = shownFrame();
  $("beside").hidden = !text && !table.length;
  $("beside").replaceChildren(...(text ? [element("pre", {}, text)] : []), ...(table.length ? [tableOf(table)] : []));
});

addOvers(() => {
  const [, , , arrows = []] = shownFrame();
  return arrows.map(([from, to]) => /** @type {Over} */ ([from, "arrow", to]));
});
