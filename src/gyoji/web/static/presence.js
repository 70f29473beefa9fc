// Presence: whether each human player has the page open, beside the name; and the number of spectators, at the top.

import { element, write } from "./dom.js";
import { onChange, state } from "./state.js";

/** @type {{here: Record<string, boolean>, watching: number} | null} */
let known = null;
const watching = element("small", { id: "watching", class: "soft", role: "status" });
document.getElementById("help")?.before(watching);

/** Handle a message of the server about presence. @param {any} told */
export function hearPresence(told) {
  known = told ?? known;
  draw();
}

function draw() {
  if (!known || !state.game) return;
  const { game } = state;
  for (const place of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll(".presence[data-seat]"))) {
    const name = game.seats[Number(place.dataset.seat)]?.name;
    const isHere = known.here[name];
    const isMe = state.me.includes(Number(place.dataset.seat));
    write(place, isHere === undefined || isMe || !game.live || state.connection === "not connected" ? "" : isHere ? "is here" : "is away");
    place.classList.toggle("away", isHere === false);
  }
  const others = known.watching;
  write(watching, game.live && others ? `${others} watching` : "");
}

onChange((_, changed) => { if (["game", "me", "flipped", "connection"].some((name) => changed.has(name))) draw(); });
