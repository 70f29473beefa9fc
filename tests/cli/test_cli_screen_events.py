"""The screen of a run: events come in, pictures go out."""

from gyoji.cli.screen import Frame, GameLine, Pace, Screen
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.spec import GameSpec, Player
from gyoji.scheduler.games import IssuedGame

A, B = (Player(code=code, command=(code,)) for code in "ab")


def spec(name):
    return GameSpec(id=name, pairing="0", game="go", players=(A, B))


def result(name):
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


def watch(playing=(), **more):
    now = iter(range(0, 100, 10))
    more.setdefault("report", lambda: iter([f"line {n}" for n in range(50)]))
    seen = Screen(clock=lambda: next(now), **more)
    seen.began(stored=2, voids=0, remaining=8, playing=lambda: playing)
    return seen


def test_games_come_go_forward_and_go():
    playing = [IssuedGame(spec(name), number) for number, name in enumerate(("0_0", "0_1"))]
    seen = watch(playing)
    for game in playing:
        seen.started(game.id)
    playing[1].turns, playing[1].left = 56, (5, None)
    assert seen.frame().games == (
        GameLine(id="0_0", players=("a", "b"), move=1),
        GameLine(id="0_1", players=("a", "b"), move=57, left=(5, None)),
    )
    playing.clear()
    assert seen.finished(result("0_0")) == "game 0_0: a beat b B+R"
    seen.voided("0_1")
    frame = seen.frame()
    assert frame.games == ()
    assert frame.results == ("game 0_0: a beat b B+R",)
    assert frame.voids == 1
    assert frame.pace == Pace(done=3, total=10, played=1, elapsed_ns=20)
    seen.stopping("stop command")
    assert not seen.frame().pace.goes_on


def test_a_limit_counts_down_and_a_reason_stays():
    seen = watch(most=2, keys=True)
    assert seen.frame().more == 2
    for name in ("0_0", "0_1"):
        seen.started(name)
    seen.stopping("max-games")
    seen.warned("careful")
    frame = seen.frame()
    assert (frame.more, frame.stopping, frame.warnings, frame.keys) == (0, "max-games", ("careful",), True)


def test_void_games_of_earlier_runs_count_and_replays_do_not_count_as_started():
    seen = watch(most=2)
    seen.began(stored=0, voids=4, remaining=None, playing=tuple)
    for _ in range(3):
        seen.started("0_0")
        seen.voided("0_0")
    frame = seen.frame()
    assert (frame.voids, frame.more, frame.pace.total) == (7, 1, None)


def test_before_the_run_has_begun_nothing_is_said_of_its_pace():
    assert Screen(report=list, clock=lambda: 0).frame() == Frame()


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
    seen.steered(paused=True)
    assert seen.frame().paused
    assert not seen.frame().pace.goes_on
    seen.steered(paused=False)
    assert not seen.frame().paused
    assert seen.frame().pace.goes_on


def test_after_a_reload_there_may_be_more_to_play_or_no_end_to_it():
    seen = watch([IssuedGame(spec("0_1"), 1)])
    seen.started("0_0")
    seen.started("0_1")
    seen.finished(result("0_0"))
    seen.reloaded(20)
    assert seen.frame().pace.total == 2 + 1 + 1 + 20
    seen.reloaded(None)
    assert seen.frame().pace.total is None
