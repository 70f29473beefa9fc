// A notification of the browser when it is the person's turn and the page is hidden, if the person has allowed it.

import { $, element } from "./dom.js";
import { onChange, state } from "./state.js";

const KEY = "notify";
const box = element("input", { type: "checkbox", id: "notify" });
const label = element("label", {}, box, " tell me by a message of the browser when it is my turn");
const isPossible = "Notification" in window;
if (isPossible) $("more-places").append(element("p", { class: "options" }, label));
box.checked = isPossible && Notification.permission === "granted" && localStorage.getItem(KEY) === "yes";

box.addEventListener("change", async () => {
  if (box.checked && await Notification.requestPermission() !== "granted") box.checked = false;
  localStorage.setItem(KEY, box.checked ? "yes" : "");
});

let told = ""; // the key of the question that was told

onChange(({ question, standing }, changed) => {
  if (!changed.has("question") || !question) return;
  const key = `${standing?.game} ${standing?.began} ${question.seat} ${question.question}`;
  if (key === told) return;
  told = key;
  if (!box.checked || document.visibilityState === "visible") return;
  const others = (state.game?.seats ?? []).map(({ name }) => name).filter((name) => name !== standing?.player);
  const made = new Notification("Your turn", { body: `against ${[...new Set(others)].join(", ")}`, tag: key });
  made.addEventListener("click", () => {
    window.focus();
    made.close();
  });
});
