import threading
import time
from io import StringIO
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace
from rich.console import Console, Group

from gyoji.cli.live import LiveDisplay, Screen, picture_text
from gyoji.cli.pace import Earlier, GameCount, Pace, pace_line
from gyoji.cli.plain import Every, PlainDisplay, QuietDisplay
from gyoji.cli.screen import HINT, Frame, GameLine, clock_text, frame_lines
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult, VoidGame
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import parse_duration
from gyoji.play.loop import Loop
from gyoji.play.order import Order
from gyoji.scheduler.games import IssuedGame
from gyoji.tables.digest import Beside

S = 1_000_000_000
GAMES = (
    GameLine(id="0_2", players=("gnugo-l1", "gnugo-l2"), move=57, left=(62 * S, 9_440_000_000)),
    GameLine(id="0_4", players=("gnugo-l2", "gnugo-l1")),
)
FULL = Frame(
    games=GAMES,
    keys=True,
    report=("a v b (3/5 games)", "board size: 9   komi: 7.5"),
    results=("game 0_1: b beat a B+8.5", "game 0_0: a beat b B+33.5"),
    warnings=("game 0_1: forfeit",),
    voids=1,
    pace=Pace(done=3, total=5, played=3, elapsed_ns=60 * S),
)


def test_the_whole_screen():
    assert frame_lines(FULL, 50) == [
        "2 games in progress:",
        "  0_2  gnugo-l1 v gnugo-l2   move 57   1:02  9.4s",
        "  0_4  gnugo-l2 v gnugo-l1   move  1",
        HINT,
        "",
        "1 void game; see the log file.",
        "a v b (3/5 games)",
        "board size: 9   komi: 7.5",
        "",
        "= Results =",
        "game 0_1: b beat a B+8.5",
        "game 0_0: a beat b B+33.5",
        "",
        "= Warnings =",
        "game 0_1: forfeit",
        "",
        "3/5 games, 3 a minute, about 40s to go",
    ]


@pytest.mark.parametrize(
    ("frame", "first"),
    [
        (Frame(stopping="stop command", games=GAMES), "waiting for 2 games to finish: stop command"),
        (Frame(stopping="stop command", games=GAMES[:1]), "waiting for 1 game to finish: stop command"),
        (Frame(stopping="interrupted", games=GAMES, finishes=False), "ending 2 games now: interrupted"),
        (Frame(stopping="too many void games"), "halting: too many void games"),
        (Frame(paused=True), "paused: no games are started until `gyoji control FILE --resume`"),
        (Frame(paused=True, stopping="x"), "halting: x"),
        (Frame(more=3), "will start at most 3 more games in this run"),
        (Frame(keys=True), "(Ctrl-X to halt gracefully)"),
        (Frame(keys=True, stopping="x", more=2), "halting: x"),
    ],
)
def test_the_first_line(frame, first):
    assert frame_lines(frame, 20)[0] == first


def test_a_second_ctrl_x_is_offered_while_games_run():
    lines = frame_lines(Frame(keys=True, stopping="Ctrl-X", games=GAMES), 20)
    assert lines[-1] == "(Ctrl-X again to end them now)"


def test_ctrl_x_is_not_offered_once_running_games_are_ended():
    lines = frame_lines(Frame(keys=True, stopping="interrupted", games=GAMES, finishes=False), 20)
    assert not any("Ctrl-X" in line for line in lines)


def test_nothing_known_is_an_empty_screen():
    assert frame_lines(Frame(), 20) == []


def test_only_the_last_results_and_warnings_are_shown():
    many = Frame(results=tuple(f"r{n}" for n in range(9)), warnings=tuple(f"w{n}" for n in range(9)))
    assert frame_lines(many, 40) == [
        "= Results =", *(f"r{n}" for n in range(3, 9)), "", "= Warnings =", *(f"w{n}" for n in range(5, 9))
    ]  # fmt: skip


def test_thirty_games_are_shown_and_the_rest_counted():
    games = tuple(GameLine(id=f"0_{n:02}", players=("a", "b")) for n in range(64))
    lines = frame_lines(Frame(games=games), 100)
    assert lines[0] == "64 games in progress:"
    assert len(lines) == 32
    assert lines[-1] == "  … and 34 more"


def test_on_a_low_screen_the_report_gives_way_first():
    tall = replace(FULL, report=tuple(f"line {n}" for n in range(30)))
    lines = frame_lines(tall, 24)
    assert len(lines) == 24
    assert "… 22 more lines" in lines
    assert lines[-1].startswith("3/5 games")
    assert "= Warnings =" in lines


@given(
    st.integers(1, 60),
    st.integers(0, 40),
    st.integers(0, 40),
    st.integers(0, 9),
    st.booleans(),
)
def test_no_screen_is_higher_than_its_terminal(rows, games, report, results, keys):
    frame = Frame(
        games=tuple(GameLine(id=str(n), players=("a", "b")) for n in range(games)),
        report=("x",) * report,
        results=("r",) * results,
        keys=keys,
        pace=Pace(done=1, total=None, played=1, elapsed_ns=S),
    )
    lines = frame_lines(frame, rows)
    assert len(lines) <= rows
    assert "" not in (lines[0], lines[-1]) or len(lines) == rows


def test_foreign_text_cannot_command_the_terminal():
    lines = frame_lines(Frame(results=("game 0: a beat b (\x1b[2J)",), stopping="\x1b]0;x\x07"), 20)
    assert "\x1b" not in "".join(lines)


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


@pytest.mark.parametrize(
    ("pace", "shown"),
    [
        (Pace(done=0, total=10, played=0, elapsed_ns=5 * S), "0/10 games"),
        (Pace(done=7, total=None, played=7, elapsed_ns=7 * S), "7 games, 1 a second"),
        (Pace(done=10, total=10, played=5, elapsed_ns=3600 * S), "10/10 games, 5 a hour"),
        (
            Pace(done=2, total=1000, played=1, elapsed_ns=7200 * S),
            "2/1000 games, 0.5 a hour, about 1996h to go",
        ),
        (Pace(done=30, total=60, played=30, elapsed_ns=S, goes_on=False), "30/60 games, 30 a second"),
        (Pace(done=400, total=401, played=400, elapsed_ns=S), "400/401 games, 400 a second, about 1s to go"),
    ],
)
def test_progress(pace, shown):
    assert pace_line(pace) == shown.replace(" a hour", " an hour")


def console(width, height=24):
    return Console(file=StringIO(), force_terminal=True, width=width, height=height, color_system=None)


@pytest.mark.parametrize("width", [10, 20, 40, 200])
def test_on_a_narrow_terminal_nothing_is_cut(width):
    wide = console(width)
    wide.print(Group(picture_text(frame_lines(FULL, 99, width))))
    lines = wide.file.getvalue().splitlines()
    assert max(map(len, lines)) <= width
    shown = "".join("".join(lines).split())
    for line in frame_lines(FULL, 99):
        assert "".join(line.split()) in shown


def test_how_far_a_run_is_is_drawn_beside_the_words_or_above_them():
    assert frame_lines(FULL, 50, 80)[-1] == f"[{'#' * 23}{'-' * 16}] 3/5 games, 3 a minute, about 40s to go"
    assert frame_lines(FULL, 50, 40)[-2:] == [
        f"[{'#' * 22}{'-' * 16}]",
        "3/5 games, 3 a minute, about 40s to go",
    ]
    endless = Frame(pace=Pace(done=3, total=None, played=0, elapsed_ns=S))
    assert frame_lines(endless, 50, 80) == ["3 games"]


@pytest.fixture
def loop():
    loop = Loop()
    yield loop
    loop.close()


def test_the_screen_is_cleared_when_a_run_breaks(loop):
    screen = console(60)
    with pytest.raises(RuntimeError), LiveDisplay(lambda: FULL, lambda: FULL.report, loop, screen):
        raise RuntimeError("the run broke")
    assert screen.file.getvalue().count("\x1b[2K") >= 17


def test_the_cursor_is_never_hidden(capsys, monkeypatch, loop):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("FORCE_COLOR", "1")
    with LiveDisplay(lambda: FULL, list, loop):
        pass
    written = capsys.readouterr().out
    assert "= Results =" in written
    assert "\x1b[?25" not in written


def test_the_last_picture_stays_and_says_nothing_of_what_is_over(loop):
    screen = console(60)
    with LiveDisplay(lambda: replace(FULL, stopping="x"), lambda: ["the whole report"] * 50, loop, screen):
        pass
    last = screen.file.getvalue().rpartition("\x1b[2K")[2]
    assert last.count("the whole report") == 50
    assert "= Results =" in last
    assert "in progress" not in last
    assert "halting" not in last
    assert last.rstrip().endswith("3/5 games, 3 a minute, about 40s to go")


def test_a_picture_is_made_in_the_thread_of_the_run_and_never_while_that_counts_a_game(loop):
    points, pictures = [], []

    def picture():
        pictures.append((threading.current_thread(), len(points)))
        return FULL

    with LiveDisplay(picture, list, loop, console(60)):
        began = time.monotonic()
        while len(pictures) < 4 and time.monotonic() - began < 30:
            points.append("a game, half of it")
            time.sleep(0.3)  # the display's thread draws meanwhile
            points.append("the other half")
            loop.wait(1)
    assert len(pictures) >= 4
    assert {thread for thread, _ in pictures} == {threading.current_thread()}
    assert {counted % 2 for _, counted in pictures} == {0}


def test_a_picture_that_cannot_be_made_costs_the_screen_and_not_the_run(loop, capsys):
    pictures = iter([FULL, FULL])
    with LiveDisplay(lambda: next(pictures), list, loop, console(60)):
        for _ in range(2):
            loop.wait(1)
        assert capsys.readouterr().err == "gyoji: the live display has stopped: StopIteration()\n"
        pictures = iter([FULL])
        assert loop.bookings == []


def result(name="0_0"):
    outcome = Outcome(points=won_by(0, 2), ending=Ending.RESIGNATION)
    engines = (EngineReport(), EngineReport())
    return GameResult(
        id=name,
        pairing="0",
        players=("a", "b"),
        outcome=outcome,
        turns=9,
        engines=engines,
        started="2026-11-21T01:10:00+00:00",
        wall_ns=1,
    )


def plain(closing=list):
    return PlainDisplay(None, Beside(), Every(), None, closing=closing)


def test_without_a_terminal_each_result_is_a_line_and_the_standings_come_last(capsys):
    with plain(lambda: FULL.report) as display:
        display.finished(result())
        display.warning("game 0_0: odd")
    out, err = capsys.readouterr()
    assert out.splitlines() == ["game 0_0: a beat b B+R", "", *FULL.report]
    assert err == "gyoji: game 0_0: odd\n"


def test_a_reader_that_went_away_does_not_stop_the_games(monkeypatch):
    def broken(*_args, **_options):
        raise BrokenPipeError

    display = plain(lambda: FULL.report)
    monkeypatch.setattr("click.echo", broken)
    with display:
        display.finished(result("0_0"))
        display.finished(result("0_1"))


def test_quiet_prints_warnings_only(capsys):
    display = QuietDisplay(None)
    display.finished(result())
    display.warning("game 0_0: odd")
    assert capsys.readouterr() == ("", "gyoji: game 0_0: odd\n")


@pytest.mark.parametrize("waiting", [(), ("0_1", "0_2")])
def test_a_plain_run_says_on_stderr_what_was_asked_of_it(capsys, waiting):
    display = plain()
    display.steered("paused", paused=True)
    display.stopping("Ctrl-X", waiting)
    stops = "gyoji: Ctrl-X (in progress: 0_1 0_2)\n" if waiting else ""
    assert capsys.readouterr() == ("", f"gyoji: paused\n{stops}")


def test_a_quiet_run_says_it_to_a_terminal_alone(capsys, monkeypatch):
    QuietDisplay(None).steered("paused", paused=True)
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    QuietDisplay(None).steered("resumed", paused=False)
    assert capsys.readouterr().err == "gyoji: resumed\n"


# The screen of a run: events come in, pictures go out

FRESH = SimpleNamespace(setup="of the file that was read again")
A, B = (Player(code=code, command=(code,)) for code in "ab")


def spec(name):
    return GameSpec(id=name, pairing="0", game="go", players=(A, B))


def void(name):
    return VoidGame(id=name, pairing="0", players=("a", "b"), reason="a worker died", started="now")


def watch(playing=(), earlier=None, **more):
    now = iter(range(0, 100, 10))
    count = GameCount(lambda: next(now), earlier)
    more.setdefault("report", lambda: iter([f"line {n}" for n in range(50)]))
    seen = Screen(SimpleNamespace(), count=count, **more)
    seen.began(stored=2, voids=0, remaining=8, playing=lambda: playing)
    return seen


def test_games_come_go_forward_and_go():
    playing = [IssuedGame(spec(name), number) for number, name in enumerate(("0_0", "0_1"))]
    seen = watch(playing)
    for game in playing:
        seen.started(Order(spec=game.spec))
    playing[1].turns, playing[1].left = 56, (5, None)
    assert seen.frame().games == (
        GameLine(id="0_0", players=("a", "b"), move=1, controls=(TimeControl(),) * 2),
        GameLine(id="0_1", players=("a", "b"), move=57, left=(5, None), controls=(TimeControl(),) * 2),
    )
    playing.clear()
    seen.finished(result("0_0"))
    seen.voided(void("0_1"), 1)
    frame = seen.frame()
    assert frame.games == ()
    assert frame.results == ("game 0_0: a beat b B+R",)
    assert frame.voids == 1
    assert frame.pace == Pace(done=3, total=10, played=1, elapsed_ns=20)
    seen.stopping("stop command", ())
    assert not seen.frame().pace.goes_on


def test_a_resumed_run_says_how_long_it_takes_before_its_first_result():
    earlier = Earlier()
    for name in ("0_0", "0_1"):
        earlier.add(replace(result(name), wall_ns=20_000_000_000))
    playing = [IssuedGame(spec(name), number) for number, name in enumerate(("0_2", "0_3"))]
    seen = watch(playing, earlier=earlier)
    assert frame_lines(seen.frame(), 50)[-1].endswith("2/10 games, about 1m to go")
    assert frame_lines(watch(earlier=earlier).frame(), 50)[-1].endswith("2/10 games")


def test_a_limit_counts_down_and_a_reason_stays():
    seen = watch(most=2, keys=True)
    assert seen.frame().more == 2
    for name in ("0_0", "0_1"):
        seen.started(Order(spec=spec(name)))
    seen.stopping("max-games", ())
    seen.warning("careful")
    frame = seen.frame()
    assert (frame.more, frame.stopping, frame.warnings, frame.keys) == (0, "max-games", ("careful",), True)


def test_void_games_of_earlier_runs_count_and_replays_do_not_count_as_started():
    seen = watch(most=2)
    seen.began(stored=0, voids=4, remaining=None, playing=tuple)
    for _ in range(3):
        seen.started(Order(spec=spec("0_0")))
        seen.voided(void("0_0"), 1)
    frame = seen.frame()
    assert (frame.voids, frame.more, frame.pace.total) == (7, 1, None)


def test_results_count_in_what_the_report_is_made_of():
    beside = Beside(("a", "b"))
    Screen(None, report=list, beside=beside, count=GameCount(lambda: 0)).finished(result())
    assert [(each.players, each.games) for each in beside.versus.encounters()] == [(("a", "b"), 1)]


def test_before_the_run_has_begun_nothing_is_said_of_its_pace():
    assert Screen(None, report=list, count=GameCount(lambda: 0)).frame() == Frame()


def test_no_more_of_the_report_is_asked_for_than_fits():
    asked = []

    def report():
        for number in range(1000):
            asked.append(number)
            yield str(number)

    watch(report=report).frame()
    assert len(asked) == 30


def test_only_six_results_are_kept():
    seen = watch()
    for number in range(20):
        seen.finished(result(f"0_{number}"))
    assert [line.split(":")[0] for line in seen.frame().results] == [f"game 0_{n}" for n in range(14, 20)]


def test_a_pause_is_shown_and_takes_the_time_to_go_away():
    seen = watch()
    seen.steered("so", paused=True)
    assert seen.frame().paused
    assert not seen.frame().pace.goes_on
    seen.steered("so", paused=False)
    assert not seen.frame().paused
    assert seen.frame().pace.goes_on


def test_after_a_reload_there_may_be_more_to_play_or_no_end_to_it():
    seen = watch([IssuedGame(spec("0_1"), 1)])
    seen.started(Order(spec=spec("0_0")))
    seen.started(Order(spec=spec("0_1")))
    seen.finished(result("0_0"))
    seen.reloaded(FRESH, "another", remaining=20)
    assert seen.frame().pace.total == 2 + 1 + 1 + 20
    seen.reloaded(FRESH, "another", remaining=None)
    assert seen.frame().pace.total is None


def test_a_reload_changes_the_event_that_is_shown():
    event = SimpleNamespace()
    for listener in (Screen(event, report=list, count=GameCount(lambda: 0)), QuietDisplay(event)):
        event.setup = event.competition = None
        listener.reloaded(FRESH, "another", remaining=0)
        assert (event.setup, event.competition) == (FRESH.setup, "another")


def test_warnings_go_where_somebody_collects_them_and_onto_the_screen(capsys):
    Screen(None, report=list, count=GameCount(lambda: 0)).warning("careful")
    assert capsys.readouterr().err == ""
    seen = Screen(None, report=list, count=GameCount(lambda: 0), is_read=False)
    seen.warning("careful")
    assert capsys.readouterr().err == "gyoji: careful\n"
    assert seen.frame().warnings == ("careful",)
