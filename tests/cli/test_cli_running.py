"""Runs on a pool that plays nothing: what the commands do around the scheduler."""

import json
from pathlib import Path

import pytest
from command_line import gyoji
from msgspec.structs import replace

from fake_pool import FakePool
from gyoji.cli import checking
from gyoji.cli.check_report import Check
from gyoji.core.outcome import Ending, Outcome, lost_by, won_by
from gyoji.core.record import EngineReport, GameRecord, GameResult, VoidGame
from gyoji.play.order import Report
from gyoji.play.startup_check import StartupCheck
from gyoji.scheduler.event import Event
from gyoji.store.files import CompetitionFiles, RunLock

CUP = """
competition = "playoff"
board_size = 9
komi = 7.5
record_games = false
players = { a = { command = "x" }, b = { command = "y" } }
matchups = [{ players = ["a", "b"], number_of_games = 4, alternating = true }]
"""
WON = Outcome(points=won_by(0, 2), ending=Ending.RESIGNATION, seat=1)
FORFEIT = Outcome(points=lost_by(1, 2), ending=Ending.ILLEGAL_MOVE, detail="b: ko at D4", seat=1)


class InstantPool(FakePool):
    """Answers every order at once: the first seat wins, unless `answers` has something else for the game."""

    answers: dict[str, object] = {}  # noqa: RUF012 - set by tests
    orders: list = []  # noqa: RUF012

    def __init__(self, slots, **_):
        shared = self.orders
        super().__init__(slots, self._answer)
        self.orders = shared

    def _answer(self, spec, _attempt):
        answer = self.answers.get(spec.id, WON)
        if isinstance(answer, BaseException):
            raise answer
        return report(spec, answer)


def report(spec, answer):
    players = tuple(player.code for player in spec.players)
    more = {
        "id": spec.id,
        "pairing": spec.pairing,
        "players": players,
        "started": "2026-11-21T01:10:00+00:00",
    }
    if isinstance(answer, str):
        return Report(void=VoidGame(reason=answer, **more))
    engines = tuple(EngineReport(name=code.upper()) for code in players)
    warnings = (answer.detail,) if answer.is_forfeit else ()
    result = GameResult(outcome=answer, turns=9, engines=engines, wall_ns=1, warnings=warnings, **more)
    return Report.of(spec, GameRecord(result=result, turns=()))


def passed(spec, **found):
    """Return a check of a player that found this."""
    return Check(player=spec.players[0], startup=StartupCheck(**found))


@pytest.fixture(autouse=True)
def _instant(monkeypatch):
    monkeypatch.setattr("gyoji.scheduler.run.SlotPool", InstantPool)
    monkeypatch.setattr(InstantPool, "answers", {})
    monkeypatch.setattr(InstantPool, "orders", [])
    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", {"attempt": passed})


@pytest.fixture
def cup(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


def played():
    return [order.spec.id for order in InstantPool.orders]


TABLE = [
    "a v b (4/4 games)",
    "board size: 9   komi: 7.5   ruleset: chinese",
    "    wins              black         white",
    "a      2 50.00%       2 100.00%     0 0.00%",
    "b      2 50.00%       2 100.00%     0 0.00%",
    "                      4 100.00%     0 0.00%",
]


def test_a_run_shows_each_result_and_the_tables_and_writes_the_report(cup):
    result = gyoji("run", cup)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout.startswith("containment: guarded for 2 players")
    assert result.stdout.splitlines()[1:] == [
        "checking 2 players",
        "game 0_0: a beat b B+R",
        "game 0_1: b beat a B+R",
        "game 0_2: a beat b B+R",
        "game 0_3: b beat a B+R",
        "",
        *TABLE,
    ]
    written = Path(cup.parent, "cup.report").read_text().splitlines()
    told = ["player a: A", "player b: B", "", "two against each other (95 % by the pentanomial score method)"]
    assert written[:-2] == ["playoff: cup", "", *TABLE, "", *told]
    assert written[-1].split()[:8] == ["a", "b", "4", "2", "0", "2", "0", "0"]


def test_a_limited_run_is_complete_and_the_next_one_goes_on(cup):
    first = gyoji("run", "-g", "3", cup)
    assert first.exit_code == 0
    assert played() == ["0_0", "0_1", "0_2"]
    second = gyoji("run", cup)
    assert second.exit_code == 0
    assert played()[3:] == ["0_3"]
    assert gyoji("run", cup).exit_code == 0
    assert len(played()) == 4


def test_a_finished_competition_starts_and_checks_no_player(cup, monkeypatch):
    assert gyoji("run", cup).exit_code == 0
    checked = []
    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", {"attempt": checked.append})
    result = gyoji("run", cup)
    assert (result.exit_code, result.stderr, checked) == (0, "", [])
    assert result.stdout.splitlines() == ["", *TABLE]
    assert len(played()) == 4


def test_what_is_stored_and_does_not_fit_is_told_before_any_player_is_started(cup, monkeypatch):
    assert gyoji("run", "-g", "1", cup).exit_code == 0
    cup.write_text(CUP.replace('["a", "b"]', '["b", "b"]'))
    checked = []
    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", {"attempt": checked.append})
    assert gyoji("run", cup).exit_code == 2
    assert checked == []


def test_options_reach_the_games(cup):
    gyoji("run", "-j", "3", "--log-gtp", "-g", "1", cup)
    (order,) = InstantPool.orders
    assert order.slot == 0
    assert order.files.transcript == "cup.gtplogs/0_0.log"
    gyoji("run", "-g", "1", cup)
    assert InstantPool.orders[1].slot is None
    assert InstantPool.orders[1].files.transcript is None


def test_a_quiet_run_says_only_what_is_wrong(cup):
    InstantPool.answers["0_1"] = FORFEIT
    result = gyoji("run", "-q", cup)
    assert (result.exit_code, result.stdout) == (0, "")
    assert result.stderr == "gyoji: game 0_1: b: ko at D4\n"


def test_a_failed_check_plays_nothing_and_is_status_1(cup, monkeypatch):
    defaults = {"attempt": lambda spec: passed(spec, problems=("no such program",))}
    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", defaults)
    result = gyoji("run", cup)
    assert result.exit_code == 1
    assert played() == []
    assert result.stderr.count("no such program") == 2
    assert "gyoji check" in result.stderr


SKIPPED = "skipped: game 0_1, b v a, void 2 times: no space left on device (2 times)"


def test_a_run_with_a_game_skipped_is_status_5_until_it_is_retried(cup):
    InstantPool.answers["0_1"] = "no space left on device"
    result = gyoji("run", "-q", cup)
    assert result.exit_code == 5
    assert result.stderr.splitlines()[-2:] == [
        f"gyoji: {SKIPPED}",
        f"gyoji: skipped: 1 game: 0_1; `gyoji show {cup}` says why, `gyoji run --retry {cup}` plays again",
    ]
    assert played() == ["0_0", "0_1", "0_1", "0_2", "0_3"]
    again = gyoji("run", "-q", cup)
    assert (again.exit_code, len(played())) == (5, 5)
    InstantPool.answers.clear()
    assert gyoji("run", "-q", "--retry", cup).exit_code == 0
    assert played()[5:] == ["0_1"]
    assert gyoji("run", "-q", cup).exit_code == 0


def test_show_and_every_form_of_report_name_what_is_skipped(cup):
    InstantPool.answers["0_1"] = "no space left on device"
    assert SKIPPED in gyoji("run", cup).stdout.splitlines()
    assert gyoji("show", cup).stdout.splitlines()[-1] == SKIPPED
    assert cup.with_suffix(".report").read_text().splitlines()[-1] == SKIPPED
    assert gyoji("report", "-o", "-", cup).stdout.splitlines()[-1] == SKIPPED
    (game,) = json.loads(gyoji("show", "--json", cup).stdout)["tables"]["skipped"]
    assert (game["game"], [each["reason"] for each in game["attempts"]]) == (
        "0_1",
        ["no space left on device"] * 2,
    )
    for form in ("markdown", "csv", "html"):
        written = gyoji("report", "--format", form, "-o", "-", cup).stdout
        assert "no space left on device (2 times)" in written
        assert "0_1" in written.replace("\\", "")


def test_a_second_run_is_refused_before_any_engine_starts(cup, monkeypatch):
    def attempt(_spec):
        raise AssertionError("an engine was started")

    monkeypatch.setattr(checking.check_before_run, "__kwdefaults__", {"attempt": attempt})
    with RunLock(CompetitionFiles(cup)):
        result = gyoji("run", cup)
    assert result.exit_code == 2
    assert "running already" in result.stderr


def test_a_bug_is_status_4_and_leaves_the_lock_free(cup):
    InstantPool.answers["0_2"] = ZeroDivisionError("oops")
    assert gyoji("run", cup).exit_code == 4
    InstantPool.answers.clear()
    assert gyoji("run", cup).exit_code == 0
    assert played()[-2:] == ["0_2", "0_3"]


@pytest.mark.parametrize("name", ["cup.db", "cup.lock", "cup.gtplogs"])
def test_an_output_that_cannot_be_made_is_one_line(cup, name):
    path = cup.parent / name
    path.touch() if name == "cup.gtplogs" else path.mkdir()
    result = gyoji("run", "--transcripts", cup)
    assert result.exit_code == 2
    assert name in result.stderr
    assert result.stderr.count("\n") == 1
    assert played() == []


def match(*words):
    return gyoji("match", "gnugo --level 1", "gnugo --level 5", *words)


def test_a_match_alternates_colours_and_prints_the_report():
    result = match("--games", "4")
    assert (result.exit_code, result.stderr) == (0, "")
    assert [[p.code for p in order.spec.players] for order in InstantPool.orders] == [
        ["gnugo-level-1", "gnugo-level-5"],
        ["gnugo-level-5", "gnugo-level-1"],
    ] * 2
    lines = result.stdout.splitlines()
    assert lines[7:11] == [
        "playoff: match",
        "gnugo --level 1 against gnugo --level 5",
        "",
        "gnugo-level-1 v gnugo-level-5 (4/4 games)",
    ]
    assert lines[-8:-6] == ["player gnugo-level-1: GNUGO-LEVEL-1", "player gnugo-level-5: GNUGO-LEVEL-5"]
    assert lines[-1] == "ended by: resignation 4"
    assert lines[-3].split()[:6] == ["gnugo-level-1", "gnugo-level-5", "4", "2", "0", "2"]
    assert sum(line.startswith("gnugo-level-1 v ") for line in lines) == 1


def test_the_options_of_a_match_are_the_settings_of_its_games():
    match("--size", "13", "--komi", "0.5", "--clock", "10s + 1s/move", "--set", "handicap=3",
          "--set", "handicap_style=free", "--scorer", "internal", "--move-limit", "77")  # fmt: skip
    spec = InstantPool.orders[0].spec
    chosen = {key: spec.options[key] for key in ("board_size", "komi", "handicap", "handicap_style")}
    assert chosen == {"board_size": 13, "komi": 0.5, "handicap": 3, "handicap_style": "free"}
    assert spec.clock.describe() == "10s + 1s/move"
    assert (spec.scorer, spec.move_limit) == ("internal", 77)
    assert spec.players[1].command[1:] == ("--level", "5")


def test_a_match_keeps_its_files_where_it_is_told_and_never_mixes_two(tmp_path):
    folder = tmp_path / "new" / "folder"
    assert match("--keep", folder, "--transcripts").exit_code == 0
    left = {path.name for path in folder.iterdir()}
    assert {"match.db", "match.report", "match.log", "match.games", "match.gtplogs"} <= left
    again = match("--keep", folder)
    assert again.exit_code == 2
    assert "another match" in again.stderr


def test_a_match_that_keeps_nothing_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert match().exit_code == 0
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--size", "99"], "board_size"),
        (["--game", "hex"], "hex"),
        (["--protocol", "uci"], "uci"),
        (["--clock", "soon"], "clock"),
        (["--set", "hanidcap=2"], "handicap"),
        (["--set", "nonsense"], "KEY=VALUE"),
        (["--transcripts"], "--keep"),
    ],
)
def test_a_match_that_cannot_be_is_status_2(words, message):
    result = match(*words)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stderr.startswith("gyoji: ")


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("--keys", "keys"), "--keys: goes with --cluster tls://ADDRESS or --hosts, which is missing"),
        (("--cluster", "tcp://lab:8786"), "players.b: network: true does not go with --cluster or --hosts"),
        (("--cluster", "tls://lab:8786"), "--cluster tls://lab:8786: keys go with tls://"),
        (("--cluster", "tcp://lab:8786", "--keys", "none"), "there is no such file: `gyoji keys"),
        (("--hosts", "lab1", "--cluster", "x"), "--hosts: starts a cluster of its own; leave out --cluster"),
        (("--hosts", "lab1,,lab2"), "--hosts: expected hosts such as lab1,me@lab2,lab3:2222, got ''"),
        (("--hosts", "a; rm -rf x"), "--hosts: expected hosts such as lab1,me@lab2,lab3:2222"),
        (("--hosts", "lab1,me@lab1"), "--hosts: lab1 is there twice"),
        (("--hosts", "lab1"), "players.b: network: true does not go with --cluster or --hosts"),
        (
            ("--cluster", "nowhere.json"),
            "--cluster 'nowhere.json': expected an address such as tls://lab1:8786",
        ),
    ],
)
def test_a_cluster_that_cannot_be_used_is_told_before_anything_is_played(cup, words, complaint):
    cup.write_text(CUP.replace('b = { command = "y" }', 'b = { command = "y", network = true }'))
    result = gyoji("run", cup, *words)
    assert (result.exit_code, played()) == (2, [])
    assert complaint in result.stderr


def test_a_competition_that_is_over_connects_to_no_cluster(cup):
    assert gyoji("run", cup).exit_code == 0
    games = played()
    again = gyoji("run", cup, "--cluster", "tls://127.0.0.1:1", "--keys", "nowhere")
    assert (again.exit_code, played()) == (0, games)
    assert "a v b" in again.stdout


def test_engines_that_are_checked_before_a_run_do_not_see_the_keys_of_a_cluster(cup, monkeypatch):
    seen = []

    def attempt(spec):
        seen.append(spec)
        return Check(player=spec.players[0])

    event = Event.open(cup)
    event.hidden = ("/keys/run-key.pem",)
    event.setup = replace(event.setup, skip_player_checks=False)
    assert checking.check_before_run(event, quiet=True, attempt=attempt)
    hidden = {player.containment.hidden for spec in seen for player in spec.players}
    assert hidden
    assert all(each[-1] == "/keys/run-key.pem" and len(each) > 1 for each in hidden)
