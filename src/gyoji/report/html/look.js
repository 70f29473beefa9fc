// The preferences of this browser: theme of boards, coordinates, sounds. They are stored for other pages.

import { $ } from "./dom.js";
import { change, onChange, state } from "./state.js";

/** @import { Look } from "./state.js" */

/** Themes of boards, by name. The first one follows the system's light or dark mode. @type {[string, string][]} */
export const THEMES = [
  ["", "as the system is"], ["wood", "wood"], ["linen", "linen"], ["walnut", "walnut, dark"], ["slate", "slate, dark"], ["print", "black on white"],
];

/** @param {Partial<Look>} news */
export function setLook(news) {
  const look = { ...state.look, ...news };
  try {
    localStorage.setItem("look", JSON.stringify(look));
  } catch { /* a page of a file may keep nothing */ }
  change({ look });
}

/** The stored preferences. On touch screens a move must be confirmed, because a finger is less exact than a mouse. */
function kept() {
  try {
    return JSON.parse(localStorage.getItem("look") ?? "{}");
  } catch {
    return {};
  }
}

onChange(({ look }, changed) => {
  if (!changed.has("look")) return;
  document.documentElement.dataset.theme = look.theme;
  document.documentElement.classList.toggle("no-names", !look.coordinates);
  for (const each of document.querySelectorAll("[data-look]")) {
    const field = /** @type {HTMLInputElement} */ (each);
    const value = look[/** @type {keyof Look} */ (field.dataset.look)];
    if (field.type === "checkbox") field.checked = Boolean(value);
    else field.value = String(value);
  }
});

const themes = $("theme");
themes?.replaceChildren(...THEMES.map(([value, text]) => new Option(text, value)));
document.addEventListener("change", ({ target }) => {
  const field = /** @type {HTMLInputElement} */ (target);
  const name = field.dataset?.look;
  if (name) setLook({ [name]: field.type === "checkbox" ? field.checked : field.value });
});
change({ look: { ...state.look, confirm: matchMedia("(pointer: coarse)").matches, ...kept() } });
