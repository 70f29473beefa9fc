// Words for the person at a seat.

// Return the name of a seat of a game. game: null if it is unknown yet.
export function nameOf(game, number) {
  if (!game) return `seat ${number + 1}`;
  const { name, side, role } = game.seats[number];
  return `${name} (${[game.sides[side], role].filter(Boolean).join(" ")})`;
}

const NOUNS = { "take-back": "a take-back", draw: "a draw" };
export const REQUESTS = {
  "take-back": "take back", draw: "offer a draw", hint: "suggest a move", resign: "resign",
};

// Return the question to a seat in words. isOne: it is the person's only seat. A team's seat also names its player.
export function questionText(seat, game, isOne) {
  if (!seat) return "";
  const { question, isOver } = seat;
  const isMate = Boolean(game?.seats[seat.number].role);
  if (!question && isMate) return isOver ? "" : `You are ${nameOf(game, seat.number)}. Others are to move.`;
  if (!question) return isOver ? "" : "The other side is to move.";
  if (question.about === "consent") return `${nameOf(game, question.of)} asks for ${NOUNS[question.request]}. Do you agree?`;
  if (question.about === "dead") return "Which stones are dead? Click or name a point of each group, or say that none is.";
  const { points } = question.offered;
  return [
    `It is your turn${isOne && !isMate ? "" : ` for ${nameOf(game, seat.number)}`}.`,
    question.phase ? `${question.phase}.` : "",
    Math.max(1, ...points) > 1 ? `Choose ${points.join(" or ")} points.` : "",
  ].filter(Boolean).join(" ");
}

// Return the last message to a seat. isOwn: tells whether a seat is the person's.
export function lastText(seat, game, isOwn) {
  if (!seat) return "";
  const { news = [], taken_back: takenBack } = seat.last;
  return [
    takenBack ? `taken back: ${takenBack} turn${takenBack > 1 ? "s" : ""}` : "",
    ...news.flat().filter(([number]) => !isOwn(number)).map(([number, text]) => `${nameOf(game, number)}: ${text}`),
    seat.question?.notice ?? "",
    seat.refused,
  ].filter(Boolean).join(" · ");
}

// Return the state for a person who plays no game now.
export function waitingText({ running, remaining, ready, awaited }) {
  if (!running) return "The competition is not running at the moment. This page tells you when it is.";
  if (remaining === 0) return "There is nothing left to play.";
  if (awaited) return `Game ${awaited} waits for you. Say when you are ready to play.`;
  return ready ? "You wait for your next game." : "Say when you are ready to play.";
}
