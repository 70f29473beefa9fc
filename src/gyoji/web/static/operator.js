// The organiser's decisions about a game in progress: a forfeit, or to play it again.

import { $, element } from "./dom.js";
import { about, careful, steer, steeringToken, tell } from "./feed.js";
import { onChange, state } from "./state.js";

const form = $("operator");
const loser = $("loser");
const reason = $("reason");

function showOperator() {
  const game = state.game;
  form.hidden = !game?.live;
  if (!game || loser.options.length) return;
  const players = [...new Set(game.seats.map((seat) => seat.name))];
  loser.replaceChildren(...players.map((name) => element("option", {}, name)));
}

if (steeringToken()) {
  onChange((_, changed) => { if (changed.has("game")) showOperator(); });
  form.addEventListener("submit", (/** @type {Event} */ event) => event.preventDefault());
  for (const button of form.querySelectorAll("[data-rule]")) {
    button.addEventListener("click", careful(async () => {
      await steer(about.competition, {
        do: "rule", decision: button.dataset.rule, game: about.game, player: loser.value, reason: reason.value,
      });
      reason.value = "";
      tell("");
    }));
  }
}
