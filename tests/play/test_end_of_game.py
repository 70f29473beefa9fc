"""Failures before the beginning and at the end of a game: the game ends, and the report names them."""

import errno
import os
import sys
from pathlib import Path

import pytest

from gyoji.core.messages import Quit
from gyoji.core.spec import Budgets, Containment, GameSpec, Player
from gyoji.executors import local
from gyoji.play.game import play
from gyoji.play.order import Order
from gyoji.protocols.gtp.codec import GtpCodec
from gyoji.referee.game_log import GameLog
from gyoji.store.filesystem import remove_tree

ENGINE = str(Path(__file__).parent / "small_engine.py")
UNCONTAINED = Containment(level="off")
OPTIONS = {"board_size": 9, "komi": 7}


def player(code, *words, **settings):
    return Player(code=code, command=(sys.executable, "-I", "-S", ENGINE, *words), **settings)


def make_spec(*players, game="go", options=OPTIONS):
    return GameSpec(id="0", pairing="0", game=game, players=players, options=options)


def play_passing(*words, **settings):
    """Return the report of a game in which both pass, and the first of them does as it is told."""
    return play(Order(spec=make_spec(player("odd", *words, **settings), player("even", cwd=""))))


def assert_played(report):
    assert report.void is None, report
    result = report.record.result
    assert (result.outcome.is_forfeit, result.turns) == (False, 2)
    return result


NESTING = "[(os.mkdir('d'), os.chdir('d')) for _ in range(1500)]"


@pytest.mark.process
@pytest.mark.parametrize("disk", [0, 16 << 20], ids=["no limit", "with a limit"])
def test_a_game_ends_whose_engine_leaves_1500_nested_folders(disk):
    report = play_passing("--on", "genmove", NESTING, cwd="", budgets=Budgets(disk=disk))
    result = assert_played(report)
    assert result.late == ()
    for engine in result.engines:
        assert not Path(engine.description).exists()


@pytest.mark.process
@pytest.mark.parametrize(
    ("failure", "late"),
    [(KeyError(5), "internal error: KeyError: 5"), (None, "cannot remove it: Busy")],
    ids=["raises", "tells"],
)
def test_what_cannot_be_removed_is_a_late_line_of_the_result(monkeypatch, failure, late):
    def remove(path):
        remove_tree(path)
        if failure is not None and Path(path).name == "work":  # an engine's own, not that of the run
            raise failure
        return "cannot remove it: Busy"

    monkeypatch.setattr("gyoji.play.workspace.remove_tree", remove)
    leaves = ("--on", "genmove", "open('x', 'w').close()")
    report = play(Order(spec=make_spec(*[player(code, *leaves, cwd="") for code in ("odd", "even")])))
    assert assert_played(report).late == (f"odd: {late}", f"even: {late}")


@pytest.mark.process
def test_a_failure_of_ours_after_the_decision_leaves_the_result(monkeypatch):
    send = GtpCodec.send

    def fail(codec, request):
        if isinstance(request, Quit):
            raise RecursionError("too deep")
        return send(codec, request)

    monkeypatch.setattr(GtpCodec, "send", fail)
    report = play_passing()
    assert_played(report)
    assert report.record.result.late == ("internal error: RecursionError: too deep",)
    assert any("test_end_of_game.py" in line for line in report.log)


@pytest.mark.process
def test_a_result_that_cannot_be_told_makes_the_game_void(monkeypatch):
    def fail(*_, **__):
        raise KeyError("sides")

    monkeypatch.setattr(GameLog, "record", fail)
    report = play_passing()
    assert (report.record, report.void.reason) == (None, "internal error: KeyError: 'sides'")
    monkeypatch.setattr(GameLog, "void", fail)
    assert play_passing().void.reason == "internal error: KeyError: 'sides'"


@pytest.mark.process
def test_an_engine_that_somebody_else_has_waited_for_ends_its_game(monkeypatch):
    wait = os.wait4

    def waited(pid, options):
        wait(pid, options)
        return wait(pid, options)

    monkeypatch.setattr(local.os, "wait4", waited)
    played = assert_played(play_passing(containment=UNCONTAINED))
    assert [engine.status for engine in played.engines] == ["unknown", "exit 0"]


UNPLAYABLE = [
    ("go", {"board_size": 99, "komi": 7}, "go: "),
    ("go", {"board_size": 9, "komi": "much"}, ""),
    ("go", {"bord_size": 9}, "go: "),
    ("go", {"board_size": 9, "komi": 7, "opening": "([{"}, ""),
    ("gomoku", {"rule": "none"}, "gomoku: "),
    ("dighere", {"opening": "nothing"}, ""),
    ("hex", {}, "no game 'hex'"),
]


@pytest.mark.parametrize(("game", "options", "words"), UNPLAYABLE)
def test_options_that_make_no_game_make_it_void_with_the_reason(game, options, words):
    report = play(Order(spec=make_spec(player("a"), player("b"), game=game, options=options)))
    assert report.record is None
    assert report.void.id == "0"
    assert report.void.players == ("a", "b")
    assert words in report.void.reason


@pytest.mark.process
def test_a_protocol_that_is_none_makes_the_game_void():
    reason = play_passing(protocol="gpt").void.reason
    assert reason.startswith("no protocol 'gpt'")


@pytest.mark.process
def test_an_engine_for_which_there_is_no_descriptor_makes_the_game_void_and_is_ended(monkeypatch):
    pids = []

    def refuse(pid):
        pids.append(pid)
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(local.os, "pidfd_open", refuse)
    report = play_passing(containment=UNCONTAINED)
    assert "cannot start" in report.void.reason
    assert report.void.reason.endswith(": Too many open files")
    assert not Path(f"/proc/{pids[0]}").exists()


CORE = (
    "import os; open('limits', 'w').write(open('/proc/self/limits').read()); "
    "os.waitpid(os.fork() or os.abort(), 0)"
)


@pytest.mark.process
def test_an_engine_leaves_no_core_file(tmp_path):
    before = local.resource.getrlimit(local.resource.RLIMIT_CORE)
    play_passing("--on", "genmove", CORE, cwd=str(tmp_path))
    (line,) = [line for line in (tmp_path / "limits").read_text().splitlines() if "core file" in line]
    soft, hard = map(int, line.split()[4:6])
    assert max(soft, hard) <= 1  # byte: at 0 the kernel may still start a program that takes the core
    assert list(tmp_path.glob("*core*")) == []
    assert local.resource.getrlimit(local.resource.RLIMIT_CORE) == before


@pytest.mark.process
@pytest.mark.parametrize("on", ["boardsize", "genmove"])
def test_a_trusted_player_says_by_its_exit_status_that_a_service_has_failed(on):
    words = ("--on", on, "os._exit(75)")
    void = play_passing(*words, outage_status=75).void
    assert void.reason.startswith("player odd: a service that it needs has failed: exited (exit 75)")
    other = play_passing(*words, outage_status=74).record.result.outcome
    assert (other.is_forfeit, other.seat) == (True, 0)
