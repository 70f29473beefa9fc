"""What a competition of Dig Here says of its games beyond who won: treasure, matches, agents left out."""

import json
from random import Random

import pytest
from command_line import gyoji

from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.games.dighere.game_options import Options
from gyoji.games.dighere.rules import rules
from gyoji.scheduler.event import Event
from gyoji.store.store import Store

CUP = """
competition = "playoff"
game = "dighere"
steps = 12
openings = "fields.jsonl"
number_of_games = 4

[players.moe]
command = "nowhere-moe"
[players.larry]
command = "nowhere-larry"

[[matchups]]
players = ["moe", "larry"]
"""

LEFT_OUT = {"0_1": (2,), "0_2": (0, 2)}
"""Seats without which games went on, by the games' ids."""


def played(spec):
    """Return the record of a game of random plans."""
    game = rules(Options(**spec.options), spec.seed)
    position, turns, chance = game.start(), [], Random(spec.id)
    while acting := game.acting(position):
        turn = tuple((seat, chance.randrange(-1, 24)) for seat in acting)
        notes = game.notes(position, turn)
        position = game.play(position, turn)
        turns.append(
            tuple(
                Played(seat, str(plan), 1, note=note) for (seat, plan), note in zip(turn, notes, strict=True)
            )
        )
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        outcome=game.outcome(position),
        turns=len(turns),
        engines=(EngineReport(think_ns=10**9),) * 4,
        left_out=LEFT_OUT.get(spec.id, ()),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )
    return GameRecord(result=result, turns=tuple(turns))


@pytest.fixture
def cup(tmp_path):
    """A control file whose four games have been played."""
    (tmp_path / "fields.jsonl").write_text(gyoji("field", "draw", "-n", 2, "--seed", 1).stdout)
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        while spec := event.competition.next_game():
            store.append(spec, played(spec))
    return path


def test_treasure_is_on_the_screen_in_the_report_and_in_the_values(cup):
    shown = gyoji("show", cup).stdout
    table = shown[shown.index("treasure per game") :]
    assert [line.split()[:2] for line in table.splitlines()[2:]] in (
        [["moe", "4"], ["larry", "4"]],
        [["larry", "4"], ["moe", "4"]],
    )
    assert gyoji("report", cup).exit_code == 0
    assert table in cup.with_suffix(".report").read_text()
    totals = json.loads(gyoji("show", "--json", cup).stdout)["tables"]["totals"]
    keys = ("matches_won", "matches_level", "matches_lost")
    assert [sum(player[key] for key in keys) for player in totals] == [2, 2]


def test_reports_say_how_often_a_samurai_or_a_dog_was_out(cup):
    shown = gyoji("show", cup).stdout
    heading = next(line for line in shown.splitlines() if "samurai out" in line)
    assert heading.endswith("samurai out dog out")
    players = json.loads(gyoji("show", "--json", cup).stdout)["tables"]["totals"]
    counts = {row["player"]: [row[f"{role}_out"] for role in ("samurai", "dog")] for row in players}
    with Store.read(cup.with_suffix(".db"), competition="cup") as store:
        games = {result.id: result.players[0] for result in store.results()}
    expected = {"moe": [0, 0], "larry": [0, 0]}
    for game, seats in LEFT_OUT.items():
        for seat in seats:
            expected[games[game]][seat // 2] += 1
    assert counts == expected


def test_what_agents_were_told_is_exported_a_file_each(cup, tmp_path):
    done = gyoji("export", "--to", "told", "--game", "0_2", "-o", tmp_path / "one-", cup)
    assert (done.exit_code, done.output) == (0, "")
    for seat in range(4):
        lines = (tmp_path / f"one-{seat}").read_text().splitlines()
        assert len(lines) == 13 * 12
        assert (lines[0], lines[13 * 11 + 2]) == (str(seat), "11")
    (tmp_path / "all").mkdir()
    assert gyoji("export", "--to", "told", "-o", tmp_path / "all", cup).exit_code == 0
    assert len(list((tmp_path / "all").iterdir())) == 16
    assert (tmp_path / "all/0_2.3").read_bytes() == (tmp_path / "one-3").read_bytes()
    for words, message in (
        (["--to", "told"], "say with -o PATH what their names begin with"),
        (["--to", "told", "--game", "9", "-o", "x"], "there is no stored game '9'"),
        (["--to", "bayeselo", "--game", "0_2"], "--game goes with --to jsonl, sgf, pgn, records and told"),
    ):
        done = gyoji("export", *words, cup)
        assert done.exit_code == 2
        assert message in done.stderr
