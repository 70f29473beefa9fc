// The links of human and remote players, for the organiser.

import "./keys.js";
import { $, element } from "./dom.js";
import { linkLine, reach } from "./links.js";
import { about, careful, listen, path, request, steeringToken, tell } from "./feed.js";

const address = `/api/v1/competitions/${path(about.competition)}/invitations`;

/** @typedef {{player: string, link: string, remote?: boolean, here: boolean, ready: boolean}} Invitation */

/** @param {Invitation} invitation */
function card({ player, link, remote, here, ready }) {
  const back = element("button", { type: "button", title: "The old link stops working, and a new one is made." }, "new link");
  back.addEventListener("click", careful(async () => {
    if (confirm(`Make a new link for ${player}? The old one stops working: who has it cannot play any more.`)) draw(await request(address, { player }));
  }));
  const state = [here ? "is here" : "", ready ? "wants to play" : ""].filter(Boolean).join(", ");
  const place = `${location.origin}/${remote ? "join" : "play"}#${path(...link.split("/"))}`;
  const line = linkLine(player, place, back);
  return element("li", {}, element("h2", {}, player), element("p", { class: "soft" }, state || "is not here"), line);
}

/** @param {{invitations: Invitation[]}} told */
function draw({ invitations }) {
  $("reach").textContent = reach(location.origin);
  $("invitations").replaceChildren(...invitations.map(card));
  if (!invitations.length) tell("there are none until the competition begins");
}

const read = careful(async () => draw(await request(address)));

if (steeringToken()) {
  const same = Object.fromEntries(["ready", "owner", "running", "stopped", "reloaded"].map((name) => [name, read]));
  listen(same, { read });
} else $("nobody").hidden = false;
