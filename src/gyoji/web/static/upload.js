// The organiser's form that uploads an engine. The server checks the engine before it joins.

import { $, element } from "./dom.js";
import { about, careful, fetchJson, path, request, steeringToken, tell } from "./feed.js";

const place = $;
const form = place("upload");
const engines = `/api/v1/competitions/${path(about.competition)}/engines`;

const offer = careful(async () => {
  const { protocols, players, names_matchups: namesMatchups } = await fetchJson(engines);
  form.elements.protocol.replaceChildren(...protocols.map((/** @type {string} */ name) => element("option", {}, name)));
  place("against").hidden = place("each").hidden = !namesMatchups;
  place("against").replaceChildren(element("legend", {}, "plays against"), ...players.map((/** @type {string} */ name) => (
    element("label", {}, element("input", { type: "checkbox", name: "against", value: name }), ` ${name} `)
  )));
});

const send = careful(async () => {
  const told = /** @type {{get: (name: string) => any, getAll: (name: string) => any[]}} */ (new FormData(form));
  const asked = new URLSearchParams({
    player: told.get("player"), protocol: told.get("protocol"), file: told.get("file").name,
    against: told.getAll("against").join(","), games: told.get("games"),
  });
  const { player, ok, name, problems, stderr } = await request(`${engines}?${asked}`, told.get("file"));
  place("checked").textContent = ok
    ? `${player} has joined${name ? `: it calls itself ${name}` : ""}.`
    : `${player} cannot play. ${[...problems, ...stderr].join("; ")}`;
  if (ok) form.reset();
  await offer();
});

form.addEventListener("submit", async (/** @type {Event} */ event) => {
  event.preventDefault();
  place("checked").textContent = "Sending and checking it …";
  const button = form.querySelector("button");
  button.disabled = true;
  tell("");
  await send();
  if (place("connection").textContent) place("checked").textContent = "";
  button.disabled = false;
});
if (steeringToken()) {
  place("adding").hidden = false;
  place("adding").addEventListener("toggle", offer, { once: true });
}
