"""``python -m bench.verify [--games N] [--json]``: stored games that `gyoji verify` judges per second.

Random games of 9x9 Go and of 15x15 gomoku are stored without engines and without records, so that the
judging is
measured: rules, clocks, pairings. Print games and moves per second and the peak memory of the process, for
N games and for a tenth of them. Memory should be the same for both.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from gyoji.cli.exits import complain
from gyoji.core import messages as m
from gyoji.core.spec import GameSpec
from gyoji.play.context import make_rules
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Closing, Send
from gyoji.scheduler.event import Event
from gyoji.store.store import Store

PASS_FROM = 70  # the move from which a side of Go may pass
MOVE_NS = 20_000_000
EVENTS = {
    "go 9x9": 'board_size = 9\nkomi = 7.5\nruleset = "tromp-taylor"\nclock = "1m + 1s/move"\n',
    "gomoku 15x15": 'game = "gomoku"\nboard_size = 15\nrule = "freestyle"\nclock = "1m + 1s/move"\n',
}
REST = """
competition = "playoff"
record_games = false
players = {a = {command = "pbrain-a"}, b = {command = "pbrain-b"}}
matchups = [{players = ["a", "b"], number_of_games = %d, alternating = true}]
"""


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.verify", description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--games", type=int, default=2000, help="games of each kind (2000)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="gyoji-bench-") as folder:
        figures = [
            measure(Path(folder), name, games)
            for name in EVENTS
            for games in (options.games // 10, options.games)
        ]
    if options.json:
        print(json.dumps(figures, indent=2))
        return
    for each in figures:
        print(
            "{name:13} {games:6} games  {games_s:7.0f} games/s  {moves_s:8.0f} moves/s  {mb:5.0f} MB".format(
                **each
            )
        )


def measure(folder: Path, name: str, games: int) -> dict[str, object]:
    """Store `games` games, and verify them in a process of its own."""
    path = folder / f"{re.sub('[^a-z0-9]', '', name)}{games}.toml"
    path.write_text(EVENTS[name] + REST % games)
    store_games(path)
    code = (
        "import resource, sys; from pathlib import Path; from gyoji.cli.verifying import verify_file;"
        "verify_file(Path(sys.argv[1]), as_json=True);"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    assert (told["games"], told["differences"]) == (games, []), told
    seconds = told["seconds"]
    return {
        "name": name,
        "games": games,
        "games_s": games / seconds,
        "moves_s": told["moves"] / seconds,
        "mb": int(done.stderr.split()[-1]) / 1024,
    }


def store_games(path: Path) -> None:
    """Play the event of a control file to its end with random moves."""
    event = Event.open(path, complain)
    with Store.open(event.files.database, event.setup.code, create=True) as store:
        event.take_secret(store, print)
        while (spec := event.competition.next_game()) is not None:
            store.append(spec, played(spec))


def played(spec: GameSpec) -> object:
    """Return the record of a random game."""
    rules, chance = make_rules(spec), Random(spec.id)
    referee = Referee(spec, rules)
    due = list(referee.begin())
    while due:
        action = due.pop(0)
        if isinstance(action, Send):
            due += referee.replied(action.seat, answer(action, referee, rules, chance), MOVE_NS)
    return referee.record("2026-11-22T10:00:00+00:00", 5, [Closing()] * rules.seats)


def answer(action: Send, referee: Referee, rules: object, chance: Random) -> m.Reply:
    request = action.request
    if isinstance(request, m.NewGame):
        return m.Ready(can_score=False, knows_rules=True, cleans_up=True, tells_dead=False)
    if isinstance(request, m.AskMove):
        legal = list(rules.legal(referee.position, action.seat))
        passes = [move for move in legal if referee.turns >= PASS_FROM and rules.format(move) == "pass"]
        return m.Moved(passes[0] if passes and chance.random() < 0.5 else chance.choice(legal))
    return m.Acknowledged() if isinstance(request, m.TellMoves) else m.HasQuit()


if __name__ == "__main__":
    main()
