"use strict";
// The keys of a page: those that its scripts name, and of whatever has `data-key`. `?` shows them all.

const pageKeys = new Map(); // name of the key, as events have it -> { text, work }
const KEY_NAMES = { ArrowLeft: "←", ArrowRight: "→", " ": "space" };

function onKey(key, text, work) {
  pageKeys.set(key, { text, work });
}

// Letters can be turned off: some people speak to their machine, and then words are taken for keys.
function hasLetters(isWanted) {
  try {
    if (isWanted !== undefined) localStorage.setItem("letters", isWanted ? "on" : "off");
    return localStorage.getItem("letters") !== "off";
  } catch {
    return true; // a page of a file may keep nothing
  }
}

// All that can be pressed now, key by key.
function knownKeys() {
  const found = new Map(pageKeys);
  for (const each of document.querySelectorAll("[data-key]")) {
    if (!each.closest("[hidden]")) {
      const text = each.dataset.about ?? each.getAttribute("aria-label") ?? each.textContent.trim();
      found.set(each.dataset.key, { text, work: () => (each.matches("input, select") ? each.focus() : each.click()) });
    }
  }
  return found;
}

function showKeys() {
  let dialog = document.getElementById("keys");
  if (!dialog) {
    dialog = document.createElement("dialog");
    dialog.id = "keys";
    dialog.setAttribute("aria-labelledby", "keystitle");
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => { if (event.target === dialog) dialog.close(); });
  }
  const made = (name, text, attributes = {}) => Object.assign(document.createElement(name), { textContent: text }, attributes);
  const list = document.createElement("dl");
  for (const [key, { text }] of [...knownKeys(), ["?", { text: "these keys" }]]) {
    const term = document.createElement("dt");
    term.append(made("kbd", KEY_NAMES[key] ?? key));
    list.append(term, made("dd", text));
  }
  const letters = made("input", "", { type: "checkbox", checked: hasLetters() });
  letters.addEventListener("change", () => hasLetters(letters.checked));
  const label = document.createElement("label");
  label.append(letters, " letters and signs are keys (arrows always are)");
  const close = made("button", "close", { type: "button" });
  close.addEventListener("click", () => dialog.close());
  dialog.replaceChildren(made("h2", "Keys", { id: "keystitle" }), list, label, close);
  if (!dialog.open) dialog.showModal();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.altKey || event.metaKey || document.querySelector("dialog[open]")) return;
  const field = event.target.closest("input, select, textarea");
  const isLetter = event.key.length === 1 && event.key !== " ";
  const types = field && !["checkbox", "radio", "button", "range"].includes(field.type);
  if (types || (field && !isLetter) || (isLetter && !hasLetters())) return;
  if (event.key === " " && event.target.closest("button, summary, a")) return;
  const known = event.key === "?" ? { work: showKeys } : knownKeys().get(event.key);
  if (!known) return;
  event.preventDefault();
  known.work();
});
document.getElementById("help")?.addEventListener("click", showKeys);
