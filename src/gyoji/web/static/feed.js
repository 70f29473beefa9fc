"use strict";
// The server's events. A hidden page closes its stream, and catches up when it is shown again.

const about = document.body.dataset;

function path(...names) {
  return names.map(encodeURIComponent).join("/");
}

// The organiser's token comes once, in the fragment of an address, and stays in this tab.
function steeringToken() {
  const told = new URLSearchParams(location.hash.slice(1)).get("steer");
  if (told) {
    sessionStorage.setItem("steer", told);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("steer");
}

const organiser = () => (steeringToken() ? `Steer ${steeringToken()}` : "");

// Return the server's JSON answer. body: a File as it is, anything else as JSON; right: an Authorization, or "".
async function request(address, body, { method = body ? "POST" : "GET", right = organiser() } = {}) {
  const isFile = body instanceof Blob;
  const headers = right ? { Authorization: right } : {};
  if (body) headers["Content-Type"] = isFile ? "application/octet-stream" : "application/json";
  const sent = { method, headers, body: !body || isFile ? body : JSON.stringify(body) };
  const answer = await fetch(address, sent).catch(() => { throw new Error("not connected"); });
  if (!answer.ok) throw new Error((await answer.text()) || `status ${answer.status}`);
  return answer.json();
}

const steer = (competition, command) => request(`/api/v1/competitions/${path(competition)}/control`, command);
const fetchJson = (address) => request(address, undefined, { right: "" });

// Wrap a function that asks the server: an error is shown at the top of the page.
function careful(work) {
  return async (...given) => {
    try {
      await work(...given);
    } catch (error) {
      tell(error.message);
    }
  };
}

// Wrap a function so that calls within so many ms become one.
function gathered(work, ms) {
  let timer = 0;
  return () => {
    timer ||= setTimeout(() => {
      timer = 0;
      work();
    }, ms);
  };
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

// Call a handler by the name of each event, with its data. watch: games in progress to hear of.
// read: reads the current state. It is called once the stream is open, so that nothing is missed between the two,
// and whenever events may have been missed. stays: keep the stream while the page is hidden. The returned function
// changes `watch`, and the ticket of a seat.
function listen(handlers, { watch = [], seat = "", read = () => {}, stays = false } = {}) {
  let source = null;
  let last = about.last;

  // Marks an address as the organiser's, who may see what engines think; null until it was asked for.
  let ticket = steeringToken() ? null : "";

  function open() {
    if (ticket === null) {
      ticket = undefined;
      request("/api/v1/ticket").catch(() => ({ ticket: "" })).then((told) => {
        ticket = told.ticket;
        open();
      });
    }
    if (ticket === undefined) return;
    const asked = new URLSearchParams(watch.map((topic) => ["watch", topic]));
    asked.set("after", last);
    if (seat) asked.set("seat", seat);
    if (ticket) asked.set("organiser", ticket);
    source = new EventSource(`/api/v1/events?${asked}`);
    const hear = (name, handler) => source.addEventListener(name, (event) => {
      if (event.lastEventId) last = event.lastEventId;
      handler(JSON.parse(event.data));
    });
    hear("hello", () => {
      tell("");
      read();
    });
    hear("anew", read);
    for (const [name, handler] of Object.entries(handlers)) hear(name, handler);
    source.onerror = () => {
      tell("not connected");
      if (source.readyState === EventSource.CLOSED) setTimeout(open, 2000);
    };
  }

  document.addEventListener("visibilitychange", () => {
    if (stays) return;
    if (document.hidden) {
      source?.close();
    } else if (source?.readyState === EventSource.CLOSED) open();
  });
  open();
  return {
    watch(games, seatTicket) {
      if (`${games}` === `${watch}` && seatTicket === seat) return;
      [watch, seat] = [games, seatTicket];
      source?.close();
      open();
    },
  };
}

function tell(text) {
  document.getElementById("connection").textContent = text;
}

function lasting(seconds) {
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${(seconds / 3600).toFixed(1)} h` : `${Math.round(seconds / 86400)} days`;
}

// Show the progress of a competition in words and as a bar.
function progress(told) {
  const state = told.trouble ? "cannot be read" : told.paused ? "paused" : told.running ? "running"
    : told.remaining === 0 ? "finished" : "not running";
  const total = told.remaining === null ? null : told.finished + told.remaining;
  const parts = [`${told.finished}${total === null ? "" : ` of ${total}`} games`];
  if (told.counting) parts.push("results are being counted");
  if (told.seconds_left) parts.push(`about ${lasting(told.seconds_left)} left`);
  if (told.void) parts.push(`${told.void} void`);
  const line = element("p", {}, element("b", { class: `state ${told.running ? "running" : ""}` }, state), ` ${parts.join(", ")}`);
  const found = [line];
  if (total) found.push(element("progress", { max: total, value: told.finished, "aria-label": "games played" }));
  const needs = [
    ...Object.keys(told.awaited).map((player) => `${player} is awaited at the board`),
    ...(told.needs_ruling.length ? [`${told.needs_ruling.length} games wait for a ruling`] : []),
    ...(told.skipped.length ? [`${told.skipped.length} games are skipped`] : []),
    ...Object.entries(told.suspended).map(([player, why]) => `${player} is suspended: ${why}`),
  ];
  for (const need of needs) found.push(element("p", { class: "need" }, need));
  if (told.trouble) found.push(element("p", { class: "loss" }, told.trouble));
  return found;
}
