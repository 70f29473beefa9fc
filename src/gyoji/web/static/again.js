// Games that were begun on the page may be played again by who sits in them.

let isPlaying = false;
const button = document.getElementById("again");

// ask: sends something from this seat. getReady: says that the person wants to play. report: makes a function
// that tells what goes wrong.
export function playAgain(ask, getReady, report) {
  button.addEventListener("click", report(async () => {
    await ask("/api/v1/seat/again", {});
    await getReady();
  }));
}

// How things stand has been told: the button is there for a game that is over or was broken off.
// forget: the person is not ready for another game before saying so.
export function offerAgain({ again, running, game, remaining, failure }, forget) {
  if (again && isPlaying && !game) forget();
  isPlaying = Boolean(game);
  button.hidden = !again || running || Boolean(game);
  button.textContent = remaining ? "go on with this game" : "play again, colours changed";
  document.getElementById("failure").textContent = failure;
}

// Whoever wants to play goes on wanting it when the run or this page begins again.
const wish = ({ competition, player }) => `ready ${competition}/${player}`;

export function wantToPlay(standing, wants) {
  sessionStorage[wants ? "setItem" : "removeItem"](wish(standing), "yes");
}

export function wantsToPlay(standing) {
  return sessionStorage.getItem(wish(standing)) !== null;
}
