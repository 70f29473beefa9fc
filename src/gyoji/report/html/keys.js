// Keyboard shortcuts of a page: those of its scripts, and those of elements with `data-key`. `?` lists them.

import { $, button, element } from "./dom.js";

/** The shortcuts by name of the key (`KeyboardEvent.key`). @type {Map<string, {text: string, work: () => unknown}>} */
const pageKeys = new Map();
/** @type {Record<string, string>} */
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };

/**
 * @param {string} key
 * @param {string} text what it does
 * @param {() => unknown} work
 */
export function onKey(key, text, work) {
  pageKeys.set(key, { text, work });
}

/**
 * Return whether letters are shortcuts, after setting that to `isWanted` if given. People who dictate to their
 * computer turn them off, because spoken words would trigger them.
 * @param {boolean} [isWanted]
 */
function hasLetters(isWanted) {
  try {
    if (isWanted !== undefined) localStorage.setItem("letters", isWanted ? "on" : "off");
    return localStorage.getItem("letters") !== "off";
  } catch {
    return true; // a page of a file may keep nothing
  }
}

/** Return all shortcuts that work at present. */
function knownKeys() {
  const found = new Map(pageKeys);
  for (const each of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-key]"))) {
    const place = /** @type {HTMLElement} */ (each.closest("[data-tab]"));
    if (!each.closest("[hidden]:not([data-tab])") && !(/** @type {HTMLButtonElement} */ (each).disabled)) {
      const text = each.dataset.about ?? each.getAttribute("aria-label") ?? (each.textContent ?? "").trim();
      const work = () => {
        if (place?.hidden) $(`tab-${place.dataset.tab}`).click();
        if (each.matches("input, select")) each.focus();
        else each.click();
      };
      found.set(each.dataset.key ?? "", { text, work });
    }
  }
  return found;
}

function showKeys() {
  let dialog = $("keys");
  if (!dialog) {
    dialog = element("dialog", { id: "keys", "aria-labelledby": "keystitle" });
    document.body.append(dialog);
    dialog.addEventListener("click", (/** @type {MouseEvent} */ event) => { if (event.target === dialog) dialog.close(); });
  }
  const list = element("dl");
  for (const [key, { text }] of [...knownKeys(), /** @type {[string, {text: string}]} */ (["?", { text: "these keys" }])]) {
    list.append(element("dt", {}, element("kbd", {}, KEY_NAMES[key] ?? key)), element("dd", {}, text));
  }
  const letters = element("input", { type: "checkbox" });
  letters.checked = hasLetters();
  letters.addEventListener("change", () => hasLetters(letters.checked));
  const label = element("label", {}, letters, " letters and signs are keys (arrows always are)");
  dialog.replaceChildren(element("h2", { id: "keystitle" }, "Keys"), list, label, button("close", () => dialog.close()));
  if (!dialog.open) dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const target = /** @type {Element} */ (event.target);
  const field = /** @type {HTMLInputElement | null} */ (target.closest("input, select, textarea"));
  const isLetter = event.key.length === 1 && event.key !== " ";
  const types = field && !["checkbox", "radio", "button", "range"].includes(field.type);
  if (types || (field && !isLetter) || (isLetter && !hasLetters())) return;
  if (event.key === " " && target.closest("button, summary, a")) return;
  if (event.key.startsWith("Arrow") && target.closest("[role=tab]")) return;
  const known = event.key === "?" ? { work: showKeys } : knownKeys().get(event.key);
  if (!known) return;
  event.preventDefault();
  known.work();
});
document.getElementById("help")?.addEventListener("click", showKeys);
