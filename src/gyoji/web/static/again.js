// The button that plays a game again, for people with a seat in a game that was begun on the page.

let isPlaying = false;
const button = document.getElementById("again");

// ask: sends a request of this seat. getReady: reports the person as ready. report: wraps a function so that its
// errors are shown.
export function playAgain(ask, getReady, report) {
  button.addEventListener("click", report(async () => {
    await ask("/api/v1/seat/again", {});
    await getReady();
  }));
}

// Take the state of the seat: show the button if the game is over or was broken off.
// forget: the person has to report ready for the next game anew.
export function offerAgain({ again, running, game, remaining, failure }, forget) {
  if (again && isPlaying && !game) forget();
  isPlaying = Boolean(game);
  button.hidden = !again || running || Boolean(game);
  button.textContent = remaining ? "go on with this game" : "play again, colours changed";
  document.getElementById("failure").textContent = failure;
}

// Readiness survives a reload of this page and a restart of the run.
const wish = ({ competition, player }) => `ready ${competition}/${player}`;

export function wantToPlay(standing, wants) {
  sessionStorage[wants ? "setItem" : "removeItem"](wish(standing), "yes");
}

export function wantsToPlay(standing) {
  return sessionStorage.getItem(wish(standing)) !== null;
}
