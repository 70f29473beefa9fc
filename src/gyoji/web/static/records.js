// Links to download the records of a finished game.

import { $, element } from "./dom.js";
import { path } from "./feed.js";
import { addNext } from "./talk.js";

const links = element("span", { class: "buttons" });
addNext(links);

/** Show links to the records of a game. @param {string} competition @param {{id: string, records?: string[]}} game */
export function addRecords(competition, { id, records = [] }) {
  const made = () => records.map((suffix) => (
    element("a", { class: "button", href: `/api/v1/competitions/${path(competition)}/records/${path(id + suffix)}` }, `record (${suffix})`)));
  links.replaceChildren(...made().slice(0, 1));
  $("records").replaceChildren(...made());
}
