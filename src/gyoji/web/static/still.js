// The last position of a finished game, on a small board.

import { fit, paintedBoard, show } from "./painter.js";

const WIDTH = 320; // pixels of the picture, which is shown smaller

/** @type {Record<string, string>} */
const CLASSES = { cells: "teams", squares: "men" };

/**
 * Paint the last position of a game, which is its only frame.
 * @param {import("./state.js").Game} values
 */
export function stillBoard(values) {
  const board = paintedBoard(values);
  const kind = CLASSES[values.kind];
  if (kind) board.canvas.classList.add(kind);
  board.canvas.setAttribute("aria-hidden", "true"); // the words below it describe it
  const [width, height] = board.canvas.style.aspectRatio.split("/").map(Number);
  fit(board, WIDTH, WIDTH * height / width);
  const [[changes = [], marks = []] = []] = values.frames;
  const signs = new Map();
  for (let at = 0; at < changes.length; at += 2) signs.set(changes[at], changes[at + 1]);
  show(board, signs, [...signs.keys()], marks);
  return board.canvas;
}
