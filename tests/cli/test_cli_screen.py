"""The displays of a run: a picture on a terminal, lines elsewhere, and what both count."""

import time
from io import StringIO
from threading import current_thread
from types import SimpleNamespace

import pytest
from rich.console import Console

from gyoji.cli.display import Display, Every, LineDisplay, pace_line
from gyoji.cli.screen import Screen, clock_text
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import parse_duration
from gyoji.play.loop import Loop
from gyoji.play.order import Order
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.tables.digest import ResultsDigest

S = 1_000_000_000
A, B = (Player(code=code, command=(code,)) for code in "ab")
FRESH = SimpleNamespace(setup="of the file that was read again")


def spec(name):
    return GameSpec(id=name, pairing="0", game="go", players=(A, B))


def games(number):
    return [IssuedGame(spec(f"0_{each}"), each) for each in range(number)]


def result(name="0_0"):
    return GameResult(
        id=name,
        pairing="0",
        players=("a", "b"),
        outcome=Outcome(points=won_by(0, 2), ending=Ending.RESIGNATION),
        turns=9,
        engines=(EngineReport(), EngineReport()),
        started="2026-11-21T01:10:00+00:00",
        wall_ns=1,
    )


def void(name):
    return VoidGame(id=name, pairing="0", players=("a", "b"), reason="a worker died", started="now")


# What is counted


@pytest.mark.parametrize(
    ("done", "total", "played", "seconds", "goes_on", "shown"),
    [
        (0, 10, 0, 5, True, "0/10 games"),
        (7, None, 7, 7, True, "7 games, 1 a second"),
        (10, 10, 5, 3600, True, "10/10 games, 5 an hour"),
        (2, 1000, 1, 7200, True, "2/1000 games, 0.5 an hour, about 1996h to go"),
        (30, 60, 30, 1, False, "30/60 games, 30 a second"),
        (400, 401, 400, 1, True, "400/401 games, 400 a second, about 1s to go"),
    ],
)
def test_progress(done, total, played, seconds, goes_on, shown):
    assert pace_line(done, total, played=played, elapsed_ns=seconds * S, goes_on=goes_on) == shown


def test_games_count_those_of_earlier_runs_too():
    now = iter((0, 20 * S))
    event, digest = SimpleNamespace(), ResultsDigest(("a", "b"))
    seen = Display(event, digest, lambda: next(now))
    assert seen.pace(goes_on=True) == ""
    seen.began(stored=2, voids=0, remaining=8, playing=tuple)
    seen.finished(result())
    assert seen.pace(goes_on=True) == "3/10 games, 3 a minute, about 2m to go"
    assert [(each.players, each.games) for each in digest.head_to_head.encounters()] == [(("a", "b"), 1)]


def test_after_a_reload_there_may_be_more_to_play_or_no_end_to_it():
    event = SimpleNamespace()
    seen = Display(event)
    seen.began(stored=2, voids=0, remaining=8, playing=lambda: games(1))
    seen.finished(result())
    seen.reloaded(FRESH, "another", remaining=20)
    assert (seen.total, event.setup, event.competition) == (2 + 1 + 1 + 20, FRESH.setup, "another")
    seen.reloaded(FRESH, "another", remaining=None)
    assert seen.total is None


@pytest.mark.parametrize(
    ("ns", "shown"),
    [(None, ""), (0, "0.0s"), (9_990_000_000, "10.0s"), (10 * S, "0:10"), (3_725 * S, "1:02:05")],
)
def test_clocks(ns, shown):
    assert clock_text(ns) == shown


@pytest.mark.parametrize(
    ("control", "left", "shown"),
    [
        ("5m + 3x10s", "5m30s", "5:00 + 3x10s"),
        ("5m + 3x10s", "31s", "1.0s + 3x10s"),
        ("5m + 3x10s", "30s", "0:10 + 2x10s"),
        ("5m + 3x10s", "14s", "4.0s + 1x10s"),
        ("5m + 3x10s", "10s", "0:10"),
        ("5m + 1m/10", "2m", "1:00 + 1m/10"),
        ("5m + 1m/10", "50s", "0:50"),
        ("40/300", "2m", "2:00"),
        ("5m + 3s/move", "2m", "2:00"),
        ("2s/move", "2s", "2.0s"),
    ],
)
def test_a_clock_shows_main_time_and_the_periods_after_it(control, left, shown):
    assert clock_text(parse_duration(left), TimeControl.parse(control)) == shown


# On a terminal


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def console(width=80, height=50):
    return Console(file=StringIO(), force_terminal=True, width=width, height=height, color_system=None)


def screen(loop, playing=(), report=("a v b (3/5 games)", "board size: 9"), stored=2, **more):
    event = SimpleNamespace(tables=lambda: SimpleNamespace(screen=lambda: iter(report)))
    seen = Screen(event, None, loop, **{"closing": list, "console": console(), **more})
    seen.began(stored=stored, voids=0, remaining=3, playing=lambda: playing)
    return seen


def lines(seen, **size):
    """Return the lines of a picture, without blanks at their ends."""
    paper = console(**size)
    paper.print(seen.picture(), end="")
    return [line.rstrip() for line in paper.file.getvalue().splitlines()]


def test_the_whole_screen(loop):
    playing = games(2)
    playing[0].turns, playing[0].left = 56, (62 * S, 9_440_000_000)
    seen = screen(loop, playing, most=3)
    seen.started(Order(spec=playing[0].spec))
    seen.finished(result("0_3"))
    seen.voided(void("0_4"), 1)
    seen.warning("game 0_3: odd")
    shown = lines(seen)
    assert "━" in shown[2]
    assert " 3/5 games, " in shown[2]
    assert [*shown[:2], *shown[3:]] == [
        "will start at most 2 more games in this run",
        "(Ctrl-X to halt gracefully)",
        "",
        "2 games in progress:",
        "  0_0   a v b   move 57   1:02  9.4s",
        "  0_1   a v b   move 1",
        "",
        "= Results =",
        "game 0_3: a beat b B+R",
        "",
        "= Warnings =",
        "game 0_3: odd",
        "",
        "1 void game; see the log file.",
        "a v b (3/5 games)",
        "board size: 9",
    ]


@pytest.mark.parametrize(
    ("playing", "reason", "waiting", "paused", "first", "last"),
    [
        (2, "stop command", ("0_0",), False, "waiting for 2 games to finish: stop", "(Ctrl-X again"),
        (2, "interrupted", (), False, "ending 2 games now: interrupted", "ending"),
        (0, "too many void games", (), True, "halting: too many void games", "halting"),
        (0, "", (), True, "paused: no games are started until", "(Ctrl-X to halt"),
    ],
)
def test_why_nothing_more_is_started_comes_first(loop, playing, reason, waiting, paused, first, last):
    seen = screen(loop, games(playing), report=())
    seen.steered("paused", paused=paused)
    if reason:
        seen.stopping(reason, waiting)
    shown = lines(seen)
    assert shown[0].startswith(first)
    until = next(number for number, line in enumerate(shown) if "2/5 games" in line)
    assert shown[until - 1].startswith(last)
    assert "to go" not in shown[until]


def test_a_game_that_is_played_again_does_not_count_as_started(loop):
    seen = screen(loop, most=2)
    for _ in range(3):
        seen.started(Order(spec=spec("0_0")))
        seen.voided(void("0_0"), 1)
    assert lines(seen)[0] == "will start at most 1 more game in this run"


def test_twelve_games_are_shown_six_results_and_four_warnings(loop):
    seen = screen(loop, games(64), report=())
    for number in range(9):
        seen.finished(result(f"1_{number}"))
        seen.warning(f"w{number}")
    shown = lines(seen)
    assert shown[3] == "64 games in progress:"
    assert shown[16] == "  … and 52 more"
    assert [line[:8] for line in shown[shown.index("= Results =") :]] == [
        "= Result", *(f"game 1_{n}" for n in range(3, 9)), "", "= Warnin", *(f"w{n}" for n in range(5, 9)),
    ]  # fmt: skip


def test_no_more_of_the_report_is_asked_for_than_fits(loop):
    report = iter(range(1000))
    screen(loop, report=map(str, report)).picture()
    assert next(report) == 12


def test_foreign_text_cannot_command_the_terminal(loop):
    seen = screen(loop)
    seen.stopping("\x1b]0;x\x07", ())
    seen.warning("\x1b[2J")
    assert "\x1b" not in "".join(lines(seen))


def test_the_last_picture_stays_and_says_nothing_of_what_is_over(loop):
    paper = console(60)
    with screen(loop, games(2), closing=lambda: ["the whole report " * 9] * 50, console=paper) as seen:
        seen.finished(result())
        seen.stopping("x", ("0_0",))
    last = paper.file.getvalue().rpartition("\x1b[2K")[2].splitlines()
    assert last.count("the whole report " * 9) == 50
    assert "= Results =" in last
    assert last[-1].startswith("3/5 games, ")
    assert not any("in progress" in line or "waiting" in line for line in last)


def test_the_screen_is_cleared_when_a_run_breaks(loop):
    paper = console(60)
    with pytest.raises(RuntimeError), screen(loop, games(2), console=paper):
        raise RuntimeError("the run broke")
    assert paper.file.getvalue().count("\x1b[2K") >= 6


def test_the_cursor_is_never_hidden(capsys, monkeypatch, loop):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with screen(loop, games(1), console=None):
        pass
    written = capsys.readouterr().out
    assert "in progress" in written
    assert "\x1b[?25" not in written


def test_a_picture_is_made_in_the_thread_of_the_run_and_never_while_that_counts_a_game(loop):
    points, pictures = [], []

    def report():
        pictures.append((current_thread(), len(points)))
        return ()

    seen = screen(loop)
    seen._event.tables = lambda: SimpleNamespace(screen=report)
    with seen:
        began = time.monotonic()
        while len(pictures) < 3 and time.monotonic() - began < 30:
            points.append("a game, half of it")
            seen._live.refresh()  # as rich's thread does
            points.append("the other half")
            loop.wait(1)
    assert len(pictures) >= 3
    assert {thread for thread, _ in pictures} == {current_thread()}
    assert {counted % 2 for _, counted in pictures} == {0}


def test_a_picture_that_cannot_be_made_costs_the_screen_and_not_the_run(loop, capsys):
    seen = screen(loop)
    with seen:
        tables, seen._event.tables = seen._event.tables, None
        for _ in range(2):
            loop.wait(1)
        assert "gyoji: the live display has stopped: TypeError(" in capsys.readouterr().err
        seen._event.tables = tables
        assert loop.bookings == []


def test_warnings_go_where_somebody_collects_them_and_onto_the_screen(loop, capsys, monkeypatch):
    seen = screen(loop)
    seen.warning("careful")
    assert capsys.readouterr().err == "gyoji: careful\n"
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    seen.warning("more careful")
    assert capsys.readouterr().err == ""
    shown = lines(seen)
    assert shown[shown.index("= Warnings =") + 1 :][:2] == ["careful", "more careful"]


# Without a terminal


def plain(closing=list, **more):
    return LineDisplay(None, ResultsDigest(), Every(), None, closing=closing, **more)


def test_without_a_terminal_each_result_is_a_line_and_the_standings_come_last(capsys):
    with plain(lambda: ["the tables"]) as display:
        display.finished(result())
        display.warning("game 0_0: odd")
    assert capsys.readouterr() == ("game 0_0: a beat b B+R\n\nthe tables\n", "gyoji: game 0_0: odd\n")


def test_quiet_prints_warnings_only(capsys):
    with plain(lambda: ["the tables"], quiet=True) as display:
        display.finished(result())
        display.warning("game 0_0: odd")
    assert capsys.readouterr() == ("", "gyoji: game 0_0: odd\n")


def test_a_reader_that_went_away_does_not_stop_the_games(monkeypatch):
    def broken(*_args, **_options):
        raise BrokenPipeError

    monkeypatch.setattr("click.echo", broken)
    with plain(lambda: ["the tables"]) as display:
        display.finished(result("0_0"))
        display.finished(result("0_1"))


@pytest.mark.parametrize("waiting", [(), ("0_1", "0_2")])
def test_a_plain_run_says_on_stderr_what_was_asked_of_it(capsys, waiting):
    display = plain()
    display.steered("paused", paused=True)
    display.stopping("Ctrl-X", waiting)
    stops = "gyoji: Ctrl-X (in progress: 0_1 0_2)\n" if waiting else ""
    assert capsys.readouterr() == ("", f"gyoji: paused\n{stops}")


def test_a_quiet_run_says_it_to_a_terminal_alone(capsys, monkeypatch):
    plain(quiet=True).steered("paused", paused=True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    plain(quiet=True).steered("resumed", paused=False)
    assert capsys.readouterr().err == "gyoji: resumed\n"
