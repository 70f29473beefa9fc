import json
from pathlib import Path

import pytest
from command_line import gyoji
from msgspec.structs import replace

from finished import resigned
from gyoji.cli import control
from gyoji.core.faults import ConfigError
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import (
    EngineReport,
    GameRecord,
    GameResult,
    Opinion,
    Played,
    TakenBack,
    Timing,
    VoidGame,
)
from gyoji.scheduler.event import Event, report_lines
from gyoji.store.files import RunLock
from gyoji.store.game_texts import Voided
from gyoji.store.store import Store
from gyoji.tables.digest import ResultsDigest

CUP = """
competition = "playoff"
description = "the autumn cup"
board_size = 9
komi = 7.5

[players.a]
command = "nowhere-a"
[players.b]
command = "nowhere-b"

[[matchups]]
players = ["a", "b"]
number_of_games = 4
alternating = true
"""


@pytest.fixture
def cup(tmp_path):
    """The path of a control file."""
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


def play(path, winners, voids=0, digest=""):
    """Store a game for each winner (a seat), as a run would. digest: of all of them."""
    event = Event.open(path)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        event.take_secret(store)
        for winner in winners:
            spec = event.competition.next_game()
            record = resigned(spec, winner)
            store.append(spec, replace(record, result=replace(record.result, digest=digest)))
        for _ in range(voids):
            void = VoidGame(id=spec.id, pairing="0", players=("a", "b"), reason="died", started="2026")
            store.append_many([], [Voided(void, 1)])


TABLE = """\
a v b (3/4 games)
board size: 9   komi: 7.5   ruleset: chinese
    wins              black        white
a      2 66.67%       1 50.00%     1 100.00%
b      1 33.33%       0  0.00%     1  50.00%
                      1 33.33%     2  66.67%
"""


def test_show_prints_the_tables(cup):
    play(cup, [0, 1, 1])
    result = gyoji("show", cup)
    assert (result.exit_code, result.stdout, result.stderr) == (0, TABLE, "")


@pytest.mark.parametrize(
    ("name", "text", "says"),
    [
        ("cup.toml", CUP, True),
        (
            "cup.ctl",
            'competition_type = "playoff"\nplayers = {"a": Player("x"), "b": Player("y")}\nboard_size = 9\n'
            'komi = 7.5\nmatchups = [Matchup("a", "b", alternating=True)]\n',
            False,
        ),
    ],
)
def test_a_report_says_how_engines_were_contained_but_not_in_gomills_layout(tmp_path, name, text, says):
    (tmp_path / name).write_text(text)
    event = Event.open(tmp_path / name)
    told = resigned(event.competition.next_game(), 0).result
    told = replace(told, engines=tuple(replace(each, containment="guarded") for each in told.engines))
    event.competition.add(told)
    last = ["player a: A", "player b: B", "", *(["containment: guarded: a, b"] if says else [])]
    assert report_lines(event, ResultsDigest())[-len(last) :] == last


def test_show_tells_of_games_that_went_as_one_before(cup):
    play(cup, [0, 1, 0, 1], digest="00c0ffee00c0ffee")
    told = gyoji("show", cup).stdout.splitlines()[-1]
    assert told.startswith("Move for move, 2 games went as one before")
    values = json.loads(gyoji("show", "--json", cup).stdout)
    (pair,) = values["tables"]["pairs"]
    assert (values["repeated_games"], pair["repeated"], pair["pairs"]) == (2, 2, [0, 0, 0, 0, 1])


def test_show_counts_void_games(cup):
    play(cup, [0, 1, 1], voids=2)
    assert gyoji("show", cup).stdout == "2 void games; see the log file.\n" + TABLE


def test_show_says_so_when_a_run_has_no_result_yet(cup):
    play(cup, [])
    assert gyoji("show", cup).stdout == "no results yet\n"


def test_show_json_is_for_programs(cup):
    play(cup, [0, 1], voids=1)
    result = gyoji("show", "--json", cup)
    values = json.loads(result.stdout)
    assert values["competition"]["code"] == "cup"
    assert values["remaining"] == 2
    assert values["void_games"] == 1
    assert values["running"] is None
    assert values["endings"] == {"0": {"resignation": 2}}


PAIRS = """\
two against each other (95 % by the Wilson score method)
    opponent games  won  level  lost    Elo    from     to   nElo     LOS
a   b            3    2      0     1  120.4  -232.6  473.4  122.8  71.81%
"""


def test_report_writes_the_whole_report_and_prints_nothing(cup):
    play(cup, [0, 1, 1])
    result = gyoji("report", cup)
    assert (result.exit_code, result.output) == (0, "")
    text = Path(cup.parent, "cup.report").read_text(encoding="utf-8")
    assert text == f"playoff: cup\nthe autumn cup\n\n{TABLE}\nplayer a: A\nplayer b: B\n\n{PAIRS}"


@pytest.mark.parametrize("words", [["show"], ["show", "--json"], ["report"]])
def test_without_any_result_there_is_nothing_to_show(cup, words):
    result = gyoji(*words, cup)
    assert result.exit_code == 2
    assert result.stderr.count("\n") == 1
    assert "cup.db" in result.stderr


@pytest.mark.parametrize("words", [["show"], ["report"], ["check"], ["run"], ["reset"], ["stop"]])
def test_a_missing_control_file_is_one_line(tmp_path, words):
    result = gyoji(*words, tmp_path / "no.toml")
    assert result.exit_code == 2
    assert "no.toml" in result.stderr
    assert result.stderr.startswith("gyoji: ")
    assert result.stderr.count("\n") == 1


@pytest.mark.parametrize("words", [["show"], ["report"], ["check"], ["run"], ["reset"]])
def test_a_broken_control_file_is_refused_with_the_place(cup, words):
    cup.write_text(CUP.replace("komi = 7.5", "komy = 7.5"))
    result = gyoji(*words, cup)
    assert result.exit_code == 2
    assert "did you mean komi?" in result.stderr


def test_every_mistake_of_a_control_file_is_a_line(cup):
    cup.write_text(CUP.replace("komi", "komy").replace('"nowhere-a"', "7"))
    lines = gyoji("check", cup).stderr.splitlines()
    assert len(lines) >= 2
    assert all(line.startswith(f"gyoji: {cup}:") for line in lines)


@pytest.mark.parametrize("words", [["show"], ["run"], ["reset"]])
def test_a_foreign_database_is_one_line_and_stays(cup, words):
    database = Path(cup.parent, "cup.db")
    database.write_bytes(b"not a database at all, but long enough to be looked at" * 50)
    result = gyoji(*words, cup)
    assert (result.exit_code, result.stderr.count("\n")) == (2, 1)
    assert "is not a database of gyoji" in result.stderr
    assert database.exists()


def test_a_report_that_cannot_be_written_is_an_error(cup):
    play(cup, [0])
    Path(cup.parent, "cup.report").mkdir()
    result = gyoji("report", cup)
    assert result.exit_code == 1
    assert "cup.report cannot be written" in result.stderr
    assert [path.name for path in cup.parent.iterdir() if path.name.endswith(".new")] == []


def test_reset_leaves_only_the_control_file(cup):
    play(cup, [0, 1])
    gyoji("report", cup)
    Path(cup.parent, "cup.games").mkdir()
    result = gyoji("reset", cup)
    assert (result.exit_code, result.output) == (0, "")
    assert list(cup.parent.iterdir()) == [cup]


def test_stop_says_when_nothing_runs_and_is_content(cup):
    result = gyoji("stop", cup)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr.endswith("cup.toml: this competition is not running: there is nothing to stop\n")


def test_stop_fails_where_the_run_does_not_answer(cup, monkeypatch):
    def silent(files, command):
        raise ConfigError("its run does not answer (is it suspended?)")

    monkeypatch.setattr(control, "send_command", silent)
    result = gyoji("stop", cup)
    assert (result.exit_code, result.stderr) == (2, "gyoji: its run does not answer (is it suspended?)\n")


def test_a_run_in_progress_is_told_to_stop_and_says_what_it_plays(cup, monkeypatch):
    asked = []

    def answer(files, command):
        asked.append((files.control_file, command["do"]))
        games = [{"id": "0_2", "turns": 3}, {"id": "0_3", "turns": 0}]
        return {"ok": True, "games": games, "stopping": None}

    monkeypatch.setattr(control, "send_command", answer)
    play(cup, [0, 1])
    assert gyoji("stop", cup).stdout == "stopping; in progress: 0_2 0_3\n"
    shown = json.loads(gyoji("show", "--json", cup).stdout)["running"]
    assert shown == {"games": [{"id": "0_2", "turns": 3}, {"id": "0_3", "turns": 0}], "stopping": None}
    assert asked == [(cup, "stop"), (cup, "status")]


def test_reset_is_refused_while_a_run_goes_on(cup):
    play(cup, [0])
    with RunLock(Event.open(cup).files):
        result = gyoji("reset", cup)
    assert result.exit_code == 2
    assert "running already" in result.stderr
    assert Path(cup.parent, "cup.db").exists()


# `gyoji show --game ID --timing`: what became of the time of each move

MS = 1_000_000
TIMED = """
competition = "playoff"
board_size = 9
komi = 7
number_of_games = 1
players.one.command = "nowhere-one"
players.two.command = "nowhere-two"
matchups = [{ players = ["one", "two"] }]
"""
TIMINGS = (
    Timing(0, 0, 300 * MS, 2 * MS, 40 * MS, 250 * MS),
    Timing(2, 0, 1200 * MS, 0, None, None, 400 * MS),
)
OPINIONS = (
    Opinion(1, 1, Evaluation(win=0.3)),
    Opinion(1, 1, Evaluation(score=-4.5, win=0.25, nodes=70, pv=("E5", "D5"))),
)
TAKEN_BACK = (TakenBack(0, 1, ((Played(1, "C3", 5),), (Played(0, "D5", 5),))),)


@pytest.fixture
def timed(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TIMED)
    event = Event.open(path)
    spec = event.competition.next_game()
    result = GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=("one", "two"),
        outcome=Outcome(points=(0, 2), ending=Ending.TIME, detail="too late", seat=0),
        turns=2,
        engines=(EngineReport(),) * 2,
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )
    turns = ((Played(0, "D4", 301 * MS),), (Played(1, "E5", 4 * MS),))
    record = GameRecord(result=result, turns=turns, timings=TIMINGS, opinions=OPINIONS, taken_back=TAKEN_BACK)
    with Store.open(event.files.database, create=True, competition="cup") as store:
        store.append(spec, record)
    return path


def test_the_table_has_a_line_for_each_move_and_for_the_one_that_came_too_late(timed):
    lines = gyoji("show", "--game", "0_0", "--timing", timed).stdout.splitlines()
    assert [line.split() for line in lines[1:4]] == [
        ["1", "one", "D4", "0.301", "0.300", "0.250", "0.040", "0.002", "0.000"],
        ["2", "two", "E5", "0.004", *"-----"],
        ["3", "one", "-", "1.200", "-", "-", "0.000", "0.400"],
    ]
    heading = "move player charged asked engine's CPU no processor unread stood still"
    assert " ".join(lines[0].split()) == heading


def test_the_values_say_the_same_in_ns_and_null_where_nothing_is_known(timed):
    told = json.loads(gyoji("show", "--game", "0_0", "--timing", "--json", timed).stdout)
    assert told["game"] == "0_0"
    assert told["moves"][0] == {
        "move_number": 1,
        "seat": 0,
        "player": "one",
        "move": "D4",
        "charged_ns": 301 * MS,
        "asked_ns": 300 * MS,
        "cpu_ns": 250 * MS,
        "delayed_ns": 40 * MS,
        "unread_ns": 2 * MS,
        "stalled_ns": 0,
    }
    assert [(each["move"], each["asked_ns"]) for each in told["moves"][1:]] == [
        ("E5", None),
        (None, 1200 * MS),
    ]


def test_a_game_is_shown_with_what_was_thought_of_its_moves_and_taken_back(timed):
    assert gyoji("show", "--game", "0_0", timed).stdout.splitlines() == [
        "0_0: two beat one W+T (too late)",
        "after move 1: one takes back 2 moves: C3 D5",
        "move player     seconds opinion",
        "  1  one    D4   0.301",
        "  2  two    E5   0.004  25 % to win, -4.5, 70 nodes; expects E5 D5",
    ]


def test_a_game_as_json_has_its_outcome_and_the_last_opinion_of_each_move(timed):
    told = json.loads(gyoji("show", "--game", "0_0", "--json", timed).stdout)
    assert (told["game"], told["outcome"]["ending"]) == ("0_0", "time")
    assert told["moves"][0]["opinion"] is None
    assert told["moves"][1]["opinion"] == OPINIONS[1].evaluation._asdict() | {"pv": ["E5", "D5"]}
    assert told["taken_back"] == [{"after": 1, "seat": 0, "moves": ["C3", "D5"]}]


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--game", "9_9", "--timing"], "there is no finished game '9_9'"),
        (["--game", "9_9"], "there is no finished game '9_9'"),
        (["--timing"], "--timing is of one game: say which, with --game ID"),
    ],
)
def test_what_cannot_be_shown_is_refused(timed, words, message):
    done = gyoji("show", *words, timed)
    assert done.exit_code == 2
    assert message in done.stderr


GOMILL_ALL_PLAY_ALL = """
competition_type = "allplayall"
description = "the autumn cup"
board_size = 9
komi = 7.5
rounds = 2
players = {code: Player(code) for code in "abc"}
competitors = ["a", "b", "c"]
"""
ALL_PLAY_ALL = """
competition = "allplayall"
description = "the autumn cup"
board_size = 9
komi = 7.5
rounds = 2
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}
"""


@pytest.mark.parametrize(("suffix", "text"), [(".toml", ALL_PLAY_ALL), (".ctl", GOMILL_ALL_PLAY_ALL)])
def test_an_all_play_all_is_shown_as_in_its_report(tmp_path, suffix, text):
    path = tmp_path / f"cup{suffix}"
    path.write_text(text)
    play(path, [0, 1, 1, 0, 1, 1])
    shown = gyoji("show", path).stdout.splitlines()
    assert shown[:5] == ["allplayall: cup", "the autumn cup", "", "6/6 games played", ""]
    assert [line for line in shown if " v " in line] == [
        f"{pair} (2/2 games)" for pair in ("a v b", "a v c", "b v c")
    ]
    assert [line.partition(":")[0] for line in shown if line.startswith("player ")] == [
        "player a",
        "player b",
        "player c",
    ]
    report = gyoji("report", path, "-o", "-").stdout.splitlines()
    assert report[: len(shown)] == shown
