
// All competitions: how far each is, and what needs a person.

steeringToken();
const list = document.getElementById("competitions");

function draw(told) {
  let card = [...list.children].find((each) => each.dataset.competition === told.competition);
  if (!card) {
    card = element("li");
    card.dataset.competition = told.competition;
    list.append(card);
  }
  const link = element("a", { href: `/c/${path(told.competition)}` }, told.competition);
  const kind = element("small", {}, `${told.game} ${told.format}`);
  card.replaceChildren(element("h2", {}, link), kind, ...progress(told));
}

const refresh = careful(async () => {
  for (const told of (await fetchJson("/status.json")).competitions) draw(told);
});

let waiting = 0;

function refreshSoon() {
  clearTimeout(waiting);
  waiting = setTimeout(refresh, 200);
}

const same = Object.fromEntries(
  ["started", "finished", "void", "running", "stopped", "steered", "reloaded", "awaited"].map((name) => [name, refreshSoon]),
);
listen({ ...same, standings: draw }, { read: refresh });
