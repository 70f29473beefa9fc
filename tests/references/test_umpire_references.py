"""What came of games of programs that others wrote (`bench.references.umpires`), as it was kept."""

import gzip
import json
from collections import Counter
from pathlib import Path

import pytest
from bench.references.umpires import GAMES, SUBJECTS, code_lines

from gyoji.core.replay import Wanted
from gyoji.games.umpire.records import CONVERSATION

ROOT = Path(__file__).parents[2]
KEPT = ROOT / "tests" / "data" / "references" / "umpires"
NAMES = sorted(path.stem for path in KEPT.glob("*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_forty_games_were_played_over_a_kill_verified_and_shown(name):
    told = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    seats = SUBJECTS[name].seats
    games = told["games"]
    assert (told["seats"], len(games), told["void"]) == (seats, GAMES, 0)
    assert told["verified"]
    assert told["shown"]
    assert told.get("without_verification", False) == (not SUBJECTS[name].adapter)
    assert 0 < told["killed_after_games"] < GAMES
    assert len({game[0] for game in games}) == GAMES
    # Every player has sat in every seat as often as any other.
    for seat in range(seats):
        counts = Counter(players[seat] for _, players, *_ in games)
        assert set(counts.values()) == {GAMES // seats}
    for _, players, points, totals, turns in games:
        assert len(players) == seats
        assert sum(points) == pytest.approx(1)
        assert (turns > 0) == bool(SUBJECTS[name].adapter)  # nobody sees the moves of a relay's game
        order = sorted(range(seats), key=lambda seat: -totals[seat])
        assert [points[seat] for seat in order] == sorted(points, reverse=True)


@pytest.mark.parametrize("name", NAMES)
def test_a_whole_game_of_it_is_judged_again(name):
    game = json.loads(gzip.decompress((KEPT / f"{name}.game.json.gz").read_bytes()))
    told = {"id": game["id"], "players": game["players"], "seed": game["seed"], "options": game["options"]}
    outcome = {"points": game["points"], "ending": game["ending"], "totals": game["totals"]}
    if game["detail"]:
        outcome["detail"] = game["detail"]
    first = json.dumps({"game": {**told, "outcome": outcome, "left_out": game["left_out"]}})
    (replay,) = CONVERSATION.replay("\n".join([first, *game["umpire"]]).encode(), Wanted())
    assert (replay.refusals, replay.differs) == ((), False), replay.verdict


def test_adapters_are_as_short_as_the_page_says():
    page = (ROOT / "docs" / "reference" / "umpire-protocol.md").read_text(encoding="utf-8")
    for name in ("kaggle.py", "botzone_judge.py"):
        lines = len(code_lines(ROOT / "examples" / "umpires" / name))
        assert f"`umpires/{name}`" in page
        assert lines <= 40
    assert json.loads((KEPT / "halite.json").read_text(encoding="utf-8"))["adapter_lines"] == 4
