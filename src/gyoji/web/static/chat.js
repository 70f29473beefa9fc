// The chat beside a game, among its players or among its spectators.

import { element } from "./dom.js";
import { careful, request, tell } from "./feed.js";
import { addPanel, markPanel } from "./panels.js";

/** @typedef {{who: string, text: string, when: number, room: string}} Line */

const list = element("div", { class: "lines", role: "log", "aria-label": "chat" });
const text = element("input", { maxlength: 300, autocomplete: "off", "aria-label": "your line", placeholder: "write a line" });
const name = element("input", { maxlength: 30, autocomplete: "nickname", "aria-label": "your name", placeholder: "your name", size: 8 });
const form = element("form", { class: "filter" }, text, element("button", {}, "send"));
const panel = element("div", { class: "chat" }, list, form);
/** @type {(line: any) => Promise<any>} */
let send = () => Promise.resolve();
let isThere = false;
/** Lines received from the event stream since the request for all lines, whose answer may lack them. @type {Line[]} */
let heard = [];

/** @param {Line} line */
function item({ who, text: said, when, room }) {
  const time = new Date(when * 1000).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });
  return element("p", {}, element("small", { class: "soft" }, `${time} `), element("b", {}, who),
    room === "spectators" && name.hidden ? element("small", { class: "soft" }, " (watches)") : "", ` ${said}`);
}

/** @param {Line[]} lines */
function show(lines) {
  if (!isThere) addPanel({ id: "chat", title: "Chat", element: panel });
  isThere = true;
  const later = heard.filter((one) => !lines.some((line) => line.when === one.when && line.text === one.text));
  list.replaceChildren(...[...lines, ...later].map(item));
  list.scrollTop = list.scrollHeight;
}

/** Show a new line. @param {Line} line */
export function hearLine(line) {
  heard.push(line);
  if (isThere) list.append(item(line));
  else show([]);
  list.scrollTop = list.scrollHeight;
  markPanel("chat");
}

/**
 * Show the chat of the players of a game, if the organiser allows it.
 * @param {(address: string, body?: any) => Promise<any>} ask sends a request of this seat
 */
export const openSeatChat = careful(async (/** @type {(address: string, body?: any) => Promise<any>} */ ask) => {
  heard = [];
  const { with: people, lines } = await ask("/api/v1/seat/chat");
  if (!people.length && !lines.length && !isThere) return;
  name.hidden = true;
  form.hidden = !people.length;
  send = (line) => ask("/api/v1/seat/chat", line);
  show(lines);
});

/** Show the chat of the spectators of a game. @param {string} address of the game, for scripts */
export const openSpectatorChat = careful(async (/** @type {string} */ address) => {
  heard = [];
  const { lines } = await request(`${address}/chat`, undefined, { right: "" });
  if (!name.parentElement) form.prepend(name);
  name.value ||= localStorage.getItem("name") ?? "";
  send = (line) => request(`${address}/chat`, { name: name.value.trim(), ...line }, { right: "" });
  show(lines);
});

form.addEventListener("submit", careful(async (/** @type {SubmitEvent} */ event) => {
  event.preventDefault();
  const said = text.value.trim();
  if (!said) return;
  await send({ text: said });
  text.value = "";
  tell("");
}));
form.addEventListener("input", () => { if (name.value) localStorage.setItem("name", name.value); });
