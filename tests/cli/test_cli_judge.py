"""The judge's command: from a waiting game to a ruling that counts, line by line."""

import json
import sys

import pytest
from click.testing import CliRunner

from finished import store_games
from gyoji.cli.app import app
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import WAITING, EngineReport, GameRecord, GameResult, Played
from gyoji.scheduler.event import Event
from gyoji.store.files import RunLock
from gyoji.store.store import Store

CUP = """
competition = "playoff"
board_size = 5
komi = 0.5
scorer = "judge"

[players.a]
command = "nowhere-a"
[players.b]
command = "nowhere-b"

[[matchups]]
players = ["a", "b"]
number_of_games = 4
"""

MOVES = ["B1", "D1", "B2", "D2", "B3", "D3", "B4", "D4", "B5", "D5", "E3", "C5", "pass", "pass"]
"""Two walls with dame between them, one of them filled, and a black stone behind White's."""


@pytest.fixture
def cup(tmp_path):
    """A control file with two games played: 0_0 waits for the judge, 0_1 was resigned."""
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    store_again(path)
    return path


def store_again(path):
    """Store the games as the control file has them now."""
    path.with_suffix(".db").unlink(missing_ok=True)
    endings = (
        Outcome(points=None, ending=Ending.SCORE, detail=WAITING),
        Outcome(points=won_by(0, 2), ending=Ending.RESIGNATION, seat=1),
    )
    store_games(path, 2, lambda spec, number: record_of(spec, endings[number], MOVES))


def record_of(spec, outcome, moves=()):
    """Return the record of a game with these moves and this end."""
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=("a", "b"),
        outcome=outcome,
        turns=len(moves),
        engines=(EngineReport(), EngineReport()),
        started="2026-11-21T01:10:00+0000",
        wall_ns=10**9,
    )
    turns = tuple((Played(number % 2, move, 0),) for number, move in enumerate(moves))
    return GameRecord(result=result, turns=turns)


def gyoji(*words, lines=""):
    result = CliRunner().invoke(app, [*map(str, words)], input=lines.replace("; ", "\n") + "\n")
    return result.exit_code, result.output


def judged(cup, lines, who="ann"):
    return gyoji("judge", cup, "0_0", "--as", who, lines=lines)


def shown(cup):
    return json.loads(gyoji("show", cup, "--json")[1])


def test_waiting_games_are_listed_and_count_as_unknown(cup):
    code, output = gyoji("judge", cup)
    assert (code, output) == (0, "0_0          waiting  a vs b ? (waiting for the judge)\n")
    assert shown(cup)["waiting_for_judge"] == ["0_0"]
    assert shown(cup)["matchups"][0]["unknown"] == 1
    assert "waiting for the judge: 0_0" in gyoji("show", cup)[1]


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        ("accept", "a beat b B+4.5 (ruled by ann: counted by area)"),
        ("dead E3; accept", "b beat a W+1.5 (ruled by ann: counted by area)"),
        ("dead E3; alive E3; accept", "a beat b B+4.5 (ruled by ann: counted by area)"),
        (
            "dead E3; fill C1 b; fill C2 B; fill C3 b; accept",
            "a beat b B+1.5 (ruled by ann: counted by area)",
        ),
        ("count territory; accept", "a beat b B+4.5 (ruled by ann: counted by territory)"),
        ("dead E3; count territory; accept", "b beat a W+1.5 (ruled by ann: counted by territory)"),
        ("award w; accept", "b beat a W+ (ruled by ann: awarded)"),
        ("award B 3.5; remark as agreed; accept", "a beat b B+3.5 (ruled by ann: awarded; as agreed)"),
        ("award w; score; accept", "a beat b B+4.5 (ruled by ann: counted by area)"),
        ("draw; accept", "a vs b jigo (ruled by ann: a draw)"),
        ("incomplete; accept", "a vs b Void (ruled by ann: incomplete)"),
        ("turn E3; turn E3; turn E3; accept", "b beat a W+1.5 (ruled by ann: counted by area)"),
        ("forfeit a asked its author; accept", "b beat a W+F (ruled by ann: a forfeits: asked its author)"),
        ("forfeit b late; dead E3; accept", "b beat a W+1.5 (ruled by ann: counted by area)"),
        (
            "forfeit w late; remark so be it; accept",
            "a beat b B+F (ruled by ann: b forfeits: late; so be it)",
        ),
    ],
)
def test_what_the_judge_says_becomes_the_result(cup, lines, result):
    code, output = judged(cup, lines)
    assert (code, output.splitlines()[-1]) == (0, f"0_0: {result}")
    assert gyoji("judge", cup)[1] == f"0_0          ruled    {result}\n"
    assert shown(cup)["waiting_for_judge"] == []


def test_the_board_is_shown_with_a_proposal(cup):
    output = judged(cup, "quit")[1]
    for line in (" 3 + X . O X", "dame: C1 E1 C2 E2 C3 C4 E4 E5", "proposed as dead: none"):
        assert line in output
    assert output.endswith("nothing was ruled\n")


def test_a_forfeit_needs_somebody_and_a_reason(cup):
    output = judged(cup, "forfeit a; forfeit c late; quit")[1]
    assert "? write forfeit PLAYER REASON: the reason goes into the record" in output
    assert "? 'c' is none of: a, b, B, W" in output


@pytest.mark.parametrize("lines", ["", "quit", "dead E3", "award w; quit; accept"])
def test_without_accept_nothing_is_ruled(cup, lines):
    assert "nothing was ruled" in judged(cup, lines)[1]
    assert shown(cup)["waiting_for_judge"] == ["0_0"]


@pytest.mark.parametrize(
    ("line", "refusal"),
    [
        ("dead C3", "? C3: there is no stone"),
        ("dead Z9", "? 'Z9' is off"),
        ("dead", "? name a point"),
        ("fill B1 b", "? B1 is not empty"),
        ("fill C3 green", "? write fill"),
        ("award me", "? write award"),
        ("award b -2", "? '-2' is not a margin"),
        ("award b nan", "? 'nan' is not a margin"),
        ("count stones", "? write count"),
        ("pass", "? no command 'pass'"),
    ],
)
def test_what_makes_no_sense_is_refused_and_changes_nothing(cup, line, refusal):
    output = judged(cup, f"{line}; accept")[1]
    assert refusal in output
    assert "a beat b B+4.5" in output.splitlines()[-1]


def test_a_ruling_is_revised_with_the_earlier_one_shown_and_kept(cup):
    judged(cup, "dead E3; remark E3 is dead; accept", who="ann")
    output = judged(cup, "award b; accept", who="bob")[1]
    assert "W+1.5  ruled by ann: counted by area; E3 is dead" in output
    assert output.splitlines()[-1] == "0_0: a beat b B+ (ruled by bob: awarded)"
    with Store.read(Event.open(cup).files.database) as store:
        first, second = [ruling for _, ruling in store.rulings("0_0")]
    assert (first.who, first.dead, second.who) == ("ann", ("E3",), "bob")


def test_the_ruling_counts_in_the_table_and_stands_in_the_game_file(cup):
    judged(cup, "dead E3; accept")
    assert shown(cup)["matchups"][0]["unknown"] == 0
    assert "RE[W+1.5]" in (cup.parent / "cup.games" / "0_0.sgf").read_text()


def test_a_running_competition_is_not_ruled_but_listed(cup):
    with RunLock(Event.open(cup).files):
        code, output = judged(cup, "accept")
        assert code == 2
        assert "rulings are given between runs" in output
        assert gyoji("judge", cup)[0] == 0


def test_a_game_that_does_not_exist_is_named(cup):
    code, output = gyoji("judge", cup, "9_9")
    assert (code, "no finished game '9_9'" in output) == (2, True)


SCORER = """
import sys
for line in sys.stdin:
    word = line.split()[0]
    answer = {
        "protocol_version": "2",
        "known_command": "true",
        "list_commands": "final_score",
        "final_score": "W+1.5",
        "final_status_list": "E3 C3 Z9",
    }.get(word, "")
    print("=", answer, end="\\n\\n", flush=True)
    if word == "quit":
        break
"""


@pytest.mark.process
def test_the_scoring_players_dead_stones_are_proposed(cup, tmp_path):
    (tmp_path / "scorer.py").write_text(SCORER)
    command = json.dumps([sys.executable, str(tmp_path / "scorer.py")])
    before = cup.read_text()
    cup.write_text(
        before.replace("[players.a]", f'scoring_player = "s"\n[players.s]\ncommand = {command}\n[players.a]')
    )
    store_again(cup)
    output = judged(cup, "accept")[1]
    assert "s says W+1.5; dead: E3 C3 Z9" in output
    assert "proposed as dead: E3" in output
    assert output.splitlines()[-1] == "0_0: b beat a W+1.5 (ruled by ann: counted by area)"


@pytest.mark.process
def test_a_scoring_player_that_fails_leaves_the_judge_alone(cup):
    before = cup.read_text()
    cup.write_text(
        before.replace("[players.a]", 'scoring_player = "s"\n[players.s]\ncommand = "false"\n[players.a]')
    )
    store_again(cup)
    code, output = judged(cup, "accept")
    assert (code, "s has no opinion: " in output) == (0, True)
    assert "a beat b B+4.5" in output.splitlines()[-1]


def test_what_a_player_says_of_a_game_can_be_asked_and_rules_nothing(cup):
    code, output = gyoji("judge", cup, "0_0", "--ask", "a", "--json")
    claim = json.loads(output)
    assert (code, claim["player"], claim["dead"]) == (0, "a", [])
    assert "nowhere-a" in claim["problem"]
    code, output = gyoji("judge", cup, "0_0", "--ask", "c")
    assert (code, "nobody called 'c' can be asked; there are: a, b" in output) == (2, True)
    assert shown(cup)["waiting_for_judge"] == ["0_0"]
    assert gyoji("judge", cup, "--ask", "a")[0] == 2


GOMOKU = """
competition = "playoff"
game = "gomoku"
[players.a]
command = "nowhere-a"
[players.b]
command = "nowhere-b"
[[matchups]]
players = ["a", "b"]
number_of_games = 1
"""


@pytest.fixture
def won(tmp_path):
    """A game of gomoku, which the rules have decided."""
    path = tmp_path / "cup.toml"
    path.write_text(GOMOKU)
    outcome = Outcome(points=won_by(0, 2), ending=Ending.TIME, seat=1)
    store_games(path, 1, lambda spec, number: record_of(spec, outcome))
    return path, "0_0"


@pytest.mark.parametrize(
    ("lines", "result"),
    [
        ("forfeit a a cable; accept", "b beat a W+F (ruled by ann: a forfeits: a cable)"),
        ("award b; accept", "b beat a W+ (ruled by ann: awarded)"),
        ("draw; remark it was dark; accept", "a vs b draw (ruled by ann: a draw; it was dark)"),
        ("incomplete; accept", "a vs b Void (ruled by ann: incomplete)"),
        ("dead D4; accept", "a beat b B+T (ruled by ann: as it was played)"),
    ],
)
def test_a_game_without_a_board_to_judge_can_be_decided_too(won, lines, result):
    path, game = won
    code, output = gyoji("judge", path, game, "--as", "ann", lines=lines)
    assert (code, output.splitlines()[-1]) == (0, f"{game}: {result}")
    assert gyoji("verify", path)[0] in (0, 1)
