// The form for a new game. Its questions come from the server, which also checks the answers.

import "./keys.js";
import { $, all, element } from "./dom.js";
import { organiser, request, steeringToken } from "./feed.js";
import { linkLine, reach } from "./links.js";
import { isPositionRead, position, readPosition, setupPosition } from "./position.js";

const place = $;
const PERSON = "person";
/** The questions of the form. @type {any} */
let asked = null;
/** A program that people can play against. @typedef {{key: string, name: string, where: string, strengths: string[], mates?: string[]}} Opponent */
/**
 * A setting of a game: its field, with the choices or the common values [value, label].
 * @typedef {{key: string, label: string, kind: string, value: any, choices: [any, string][], least: number, most: number, step: number}} Field
 */
const token = steeringToken();

/** @param {any} select @param {[string | number, string][]} pairs value and label @param {string | number} [chosen] */
function choices(select, pairs, chosen) {
  select.replaceChildren(...pairs.map(([value, label]) => element("option", { value }, label)));
  if (chosen !== undefined) select.value = chosen;
}

/** Return the questions about the chosen game. */
function game() {
  return asked.games.find((/** @type {{name: string}} */ each) => each.name === place("game").value);
}

/** Build the field of a setting. Values are kept as JSON, so that numbers stay numbers, and null stays null. @param {Field} setting */
function field({ key, label, kind, value, choices: known, least, most, step }) {
  if (kind === "check") {
    const box = element("input", { type: "checkbox", name: key });
    box.checked = value;
    return element("label", {}, box, ` ${label}`);
  }
  if (kind === "choice") {
    const select = element("select", { name: key });
    choices(select, known.map(([each, text]) => [JSON.stringify(each), text]), JSON.stringify(value));
    return element("label", {}, `${label} `, select);
  }
  const input = element("input", { type: "number", name: key, min: least, max: most, step, value, required: "" });
  if (!known.length) return element("label", {}, `${label} `, input);
  // Common values are one click; any other one is typed.
  input.setAttribute("aria-label", label);
  const chips = known.map(([each, text]) => {
    const chip = element("button", { type: "button" }, text);
    chip.addEventListener("click", () => {
      input.value = each;
      input.dispatchEvent(new Event("change", { bubbles: true }));
    });
    return [chip, each];
  });
  const mark = () => { for (const [chip, each] of chips) chip.setAttribute("aria-pressed", String(Number(input.value) === each)); };
  input.addEventListener("change", mark);
  input.addEventListener("input", mark);
  mark();
  return element("span", { class: "chips", role: "group", "aria-label": label }, `${label} `, ...chips.map(([chip]) => chip), input);
}

function settings() {
  return Object.fromEntries([...place("fields").querySelectorAll("[name]")].map((each) => [
    each.name,
    each.type === "checkbox" ? each.checked : each.type === "number" ? Number(each.value) : JSON.parse(each.value),
  ]));
}

function drawGame() {
  const { fields, sides, opponents, draws, reads } = game();
  place("fields").replaceChildren(...fields.map(field));
  choices(place("side"), [...sides.map((/** @type {string} */ side, /** @type {number} */ number) => [number, side]), ["", "by lot"]], 0);
  const groups = [...new Set(opponents.map((/** @type {Opponent} */ each) => each.where))].map((where) => {
    const options = opponents.filter((/** @type {Opponent} */ each) => each.where === where)
      .map((/** @type {Opponent} */ { key, name }) => element("option", { value: key }, name));
    return element("optgroup", { label: where ? `players of ${where}` : "programs of this machine" }, ...options);
  });
  place("against").replaceChildren(...groups, element("option", { value: PERSON }, "a person, by a link"));
  place("setup").hidden = !(draws || reads);
  setupPosition({ game: game().name, settings, draws, reads, sides });
  const { mate } = game();
  place("mates").hidden = !mate;
  for (const each of document.querySelectorAll(".mate")) each.textContent = mate;
  drawMate("mate", opponents, "you too", "a second person, by a link");
  drawOpponent();
}

/**
 * Build the choice of who has the other seats of a team.
 * @param {string} id
 * @param {Opponent[]} programs
 * @param {string} same label of the same player
 * @param {string} person label of a person
 */
function drawMate(id, programs, same, person) {
  const known = programs.flatMap(({ key, name, where, strengths }) => strengths.map((strength) => /** @type {[string, string]} */ ([
    JSON.stringify({ key, strength }),
    [name, ...(strengths.length > 1 ? [strength] : []), ...(where ? [`of ${where}`] : [])].join(", "),
  ])));
  choices(place(id), [["null", same], ...known, [JSON.stringify({ person: true }), person]]);
}

function drawOpponent() {
  const isPerson = place("against").value === PERSON;
  const { opponents } = game();
  const { strengths = [], mates } = opponents.find((/** @type {Opponent} */ each) => each.key === place("against").value) ?? {};
  choices(place("strength"), strengths.map((/** @type {string} */ each) => [each, each]));
  place("strengths").hidden = strengths.length < 2;
  place("others").hidden = !isPerson;
  place("other").required = isPerson;
  for (const each of all(".with-engine")) each.hidden = isPerson;
  if (asked.open && !token) place("untimed").parentElement.hidden = true;
  drawMate("othermate", mates ? opponents.filter((/** @type {Opponent} */ { key }) => mates.includes(key)) : opponents,
    "the same", isPerson ? "a second person, by a link" : "a person, by a link");
  drawTakes();
}

// A person alone against programs takes moves back freely; other people must agree.
function drawTakes() {
  const isAlone = place("against").value !== PERSON && !mates().some((mate) => mate?.person);
  choices(place("takes"), [isAlone ? ["always", "always"] : ["ask", "if the others agree"], ["never", "never"]]);
}

function mates() {
  return ["mate", "othermate"].map((id) => JSON.parse(place(id).value));
}

function answers() {
  const against = place("against").value;
  const side = place("side").value;
  return {
    game: game().name,
    settings: settings(),
    name: place("name").value.trim(),
    side: side === "" ? null : Number(side),
    opponent: against === PERSON ? { person: place("other").value.trim() } : { key: against, strength: place("strength").value },
    mates: mates(),
    clock: place("clocks").value || place("clock").value.trim(),
    untimed: place("untimed").checked,
    take_backs: place("takes").value,
    hints: place("hints").checked,
    opening: position.opening,
  };
}

// Show an answer that the server refuses at its field, if it says which one it is.
/** @type {Record<string, string>} */
const FIELDS = { "your name": "name", "the other person's name": "other", clock: "clock", opponent: "against", strength: "strength", side: "side", opening: "opening" };

/** @param {string} message */
function showWrong(message) {
  const text = message.replace(/^this game: /, "");
  const [word] = text.split(":");
  const label = game()?.fields.find((/** @type {Field} */ each) => each.label === word || each.key === word);
  const field = place(FIELDS[word] ?? "") ?? (label && document.querySelector(`[name="${label.key}"]`));
  place("wrong").textContent = text;
  if (!field) return;
  if (field.id === "clock") place("otherclock").hidden = false;
  field.setAttribute("aria-invalid", "true");
  field.setAttribute("aria-describedby", "wrong");
  field.after(place("wrong"));
  field.focus();
}

function forgetWrong() {
  place("wrong").textContent = "";
  for (const field of document.querySelectorAll("[aria-invalid]")) field.removeAttribute("aria-invalid");
}

async function begin() {
  place("begin").disabled = true;
  forgetWrong();
  if (!await isPositionRead()) {
    place("begin").disabled = false;
    return;
  }
  const told = answers();
  try {
    const { competition, seats } = await request("/api/v1/newgame", told);
    localStorage.setItem("name", told.name);
    const address = (/** @type {string} */ name) => `${location.origin}/play#${seats[name].split("/").map(encodeURIComponent).join("/")}`;
    const others = Object.keys(seats).filter((name) => name !== told.name);
    if (!others.length) {
      sessionStorage.setItem(`ready ${competition}/${told.name}`, "yes"); // play.js reads it
      location.assign(address(told.name));
      return;
    }
    place("sending").textContent = others.length > 1 ? "Send each of them a link" : `Send this link to ${others[0]}`;
    place("links").replaceChildren(...others.map((name) => element("div", {}, element("b", {}, name), linkLine(name, address(name)))));
    place("reach").textContent = reach(location.origin);
    place("own").href = address(told.name);
    place("new").hidden = true;
    place("begun").hidden = false;
    place("links").querySelector("input").focus();
  } catch (error) {
    showWrong(/** @type {Error} */ (error).message);
  } finally {
    place("begin").disabled = false;
  }
}

/** Begin from the opening that was drawn for this game: draw.js keeps it. @param {string | null} name */
function openDrawn(name) {
  const text = localStorage.getItem(`drawn ${name}`);
  if (!text || !asked.games.some((/** @type {{name: string}} */ each) => each.name === name)) return;
  place("game").value = name;
  position.given = { file: { name: `drawn${localStorage.getItem(`suffix ${name}`)}`, text } };
  place("setup").open = true;
}

place("game").addEventListener("change", drawGame);
place("clocks").addEventListener("change", () => { place("otherclock").hidden = Boolean(place("clocks").value); });
place("against").addEventListener("change", drawOpponent);
for (const id of ["mate", "othermate"]) place(id).addEventListener("change", drawTakes);
place("fields").addEventListener("change", () => readPosition());
place("new").addEventListener("submit", (/** @type {Event} */ event) => {
  event.preventDefault();
  begin();
});

const answer = await fetch("/api/v1/newgame", { headers: token ? { Authorization: organiser() } : {} });
if (answer.ok) {
  asked = await answer.json();
  choices(place("game"), asked.games.map((/** @type {{name: string, title: string}} */ { name, title }) => [name, title]));
  choices(place("clocks"), [...asked.clocks.map((/** @type {[string, string]} */ [value, text]) => [value, text]), ["", "another one …"]]);
  place("name").value = localStorage.getItem("name") ?? "";
  place("new").hidden = false;
  openDrawn(new URLSearchParams(location.search).get("drawn"));
  drawGame();
} else {
  place("nobody").hidden = false;
}
