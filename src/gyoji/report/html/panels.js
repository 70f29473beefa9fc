// The panels beside a board, of which one is open, and their tabs.

import { $, button } from "./dom.js";

/** @typedef {{id: string, title: string, element: HTMLElement, isOpen?: boolean}} Panel */

/** Add a panel after the others. @param {Panel} panel */
export function addPanel({ id, title, element, isOpen = false }) {
  element.classList.add("panel");
  element.id ||= `panel-${id}`;
  element.dataset.tab = id;
  element.setAttribute("role", "tabpanel");
  element.setAttribute("aria-labelledby", `tab-${id}`);
  const tab = button(title, () => openPanel(id), { role: "tab", id: `tab-${id}`, "aria-controls": element.id });
  $("tabs").append(tab);
  if (!element.parentElement) $("panels").append(element);
  element.hidden = true;
  tab.setAttribute("aria-selected", "false");
  tab.tabIndex = -1;
  if (isOpen) openPanel(id);
}

/** @param {string} id */
export function openPanel(id) {
  for (const tab of /** @type {NodeListOf<HTMLButtonElement>} */ ($("tabs").querySelectorAll("[role=tab]"))) {
    const isIt = tab.id === `tab-${id}`;
    tab.setAttribute("aria-selected", String(isIt));
    tab.tabIndex = isIt ? 0 : -1;
    if (isIt) tab.classList.remove("news");
    $(tab.getAttribute("aria-controls") ?? "").hidden = !isIt;
  }
}

/** Mark the tab of a panel that is not open, because the panel has news. @param {string} id */
export function markPanel(id) {
  const tab = $(`tab-${id}`);
  tab.classList.toggle("news", tab.getAttribute("aria-selected") !== "true");
}

$("tabs").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!step) return;
  const tabs = /** @type {HTMLButtonElement[]} */ ([...$("tabs").children]);
  const next = tabs[(tabs.indexOf(/** @type {any} */ (document.activeElement)) + step + tabs.length) % tabs.length];
  next.click();
  next.focus();
});
for (const element of /** @type {HTMLElement[]} */ ([...$("panels").querySelectorAll(".panel")])) {
  const title = element.dataset.title ?? "";
  addPanel({ id: title.toLowerCase(), title, element, isOpen: title === "Moves" });
}
