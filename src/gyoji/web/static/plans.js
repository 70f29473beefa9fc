// The moves that are offered to a person, if each has its own place of the board: buttons with keys, and outlines.

export function wordButton(text, work) {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", work);
  return made;
}

// choices: those of a question, [move, words, place, key] each; play: called with the chosen move.
export function choiceButton([move, words, , key], play) {
  const made = element("button", { type: "button", ...(key && { "data-key": key, "data-about": words }) }, words);
  if (key) made.append(" ", element("kbd", { "aria-hidden": "true" }, key));
  made.addEventListener("click", () => play(move));
  return made;
}

export function showPlans(choices, play) {
  const placed = choices.filter(([, , place]) => place >= 0);
  document.getElementById("plans").replaceChildren(...placed.map((each) => choiceButton(each, play)));
}

// Outline the places where a click makes a move, and those that were chosen for one.
export function outline({ board, game }, choices, chosen) {
  for (const place of new Set(choices.map(([, , where]) => where).filter((where) => where >= 0))) {
    const [x, y] = middle(game, place);
    drawOver(board.layer, svg("rect", { class: "offered", x: x - 4.2, y: y - 4.2, width: 8.4, height: 8.4, rx: 1 }));
  }
  for (const place of chosen) {
    const [x, y] = middle(game, place);
    drawOver(board.layer, svg("circle", { class: "chosen", cx: x, cy: y, r: 3 }));
  }
}
