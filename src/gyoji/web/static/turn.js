// Shows whose turn it is, without a sound: in the page's title and icon, and on a clock that warns.

const TITLE = document.title;
const SOON = [60, 30, 10]; // seconds left at which the clock warns
const icon = document.querySelector("link[rel=icon]");
const NOTHING = icon.href;
const DOT = "data:image/svg+xml," + encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><circle cx="5" cy="5" r="4.5" fill="#d33"/></svg>',
);

// who: the person's name; isAsked: whether an answer is awaited.
export function tellTurn(who, isAsked) {
  document.title = `${isAsked ? "● Your turn" : TITLE}${who ? ` – ${who}` : ""}`;
  icon.href = isAsked ? DOT : NOTHING;
}

let timer = 0;
let warned = Infinity;

// Show the clock of the open question. clock: from the question; waited: ms since it was asked.
export function runClock(clock, waited, what = "") {
  stopClock();
  if (!clock) return;
  const began = performance.now() - waited;
  warned = Math.min(...SOON.filter((seconds) => clock.left - waited <= seconds * 1000), Infinity);
  const tick = () => {
    const used = performance.now() - began;
    const left = Math.max(clock.left - used, 0);
    $("ownclock").textContent = what ? `${minutes(left)} ${what}` : clockWords(clock, used);
    $("ownclock").classList.toggle("short", left <= 10000);
    const soon = SOON.find((seconds) => left <= seconds * 1000 && seconds < warned);
    if (soon) {
      warned = soon;
      $("warning").textContent = `${soon} seconds left`;
    }
  };
  tick();
  timer = setInterval(tick, 100);
}

// Show the time after which a game that waits for the person is ruled on.
export function runDeadline(left) {
  runClock({ left, main: 0, period: 0, periods: 0, stones: 0, move: 0 }, 0, "until you lose by not coming");
}

export function stopClock() {
  clearInterval(timer);
  $("ownclock").textContent = "";
  $("warning").textContent = "";
}

const trips = []; // ms that the last requests took

// Measure the network delay there and back, as of a question and its answer.
export async function measureLag() {
  const began = performance.now();
  await (await fetch("/api/v1/seat/echo", { cache: "no-store" })).text(); // reading all of it frees the connection
  trips.push(performance.now() - began);
  if (trips.length > 5) trips.shift();
}

// Return the median of the last delays, in ms.
export function lag() {
  return trips.length ? [...trips].sort((one, other) => one - other)[Math.floor(trips.length / 2)] : 0;
}
