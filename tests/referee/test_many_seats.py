"""Seats that move at once: asked together or in turn, and dropped if the rules can go on without them."""

from typing import NamedTuple

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.describe import describe_result
from gyoji.core.faults import FaultKind
from gyoji.core.outcome import Ending, Outcome, shared
from gyoji.core.spec import GameSpec, Player
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Closing, Dismiss, Send

S = 10**9


class Position(NamedTuple):
    turns: tuple = ()
    gone: frozenset = frozenset()
    phase: str = ""


class Voices:
    """Three seats of a team each say a number, twice; who is dropped says no more. No rules but that."""

    seats, teams = 3, (0, 1, 2)

    def __init__(self, phase=""):
        self._phase = phase

    def start(self):
        return Position(phase=self._phase)

    def acting(self, position):
        return () if len(position.turns) == 2 else tuple(sorted({0, 1, 2} - position.gone))

    def phase(self, position):
        return position.phase

    def play(self, position, turn):
        return position._replace(turns=(*position.turns, turn))

    def drop(self, position, seat):
        return position._replace(gone=position.gone | {seat}) if len(position.gone) < 2 else None

    def declined(self, position, seat):
        return position._replace(phase="") if seat == 0 else None

    def notes(self, position, turn):
        return ["seven!" if move == 7 else "" for _, move in turn]

    def sides(self, position):
        return (2, 1, 0)

    def outcome(self, position):
        return Outcome(points=shared(3), ending=Ending.FULL)

    def simplify(self, position, move):
        return move

    def view(self, position, seat):
        return position

    def news(self, turn, seat):
        return turn

    def format(self, move):
        return str(move)


UNTIMED = TimeControl()


def begun(clock=UNTIMED, asking="together", rules=None, startup=(S, S, S)):
    """Return a referee whose three seats are ready, and what it does first."""
    players = tuple(Player(code=code, command=("x",)) for code in "abc")
    spec = GameSpec(id="0", pairing="0", game="voices", players=players, clock=clock, asking=asking)
    referee = Referee(spec, rules or Voices())
    referee.begin()
    for seat in range(2):
        assert referee.replied(seat, m.Ready(), startup[seat]) == []
    return referee, referee.replied(2, m.Ready(), startup[2])


def asked(actions):
    return [
        action.seat
        for action in actions
        if isinstance(action, Send) and isinstance(action.request, m.AskMove)
    ]


def record(referee):
    return referee.record("", 0, [Closing()] * 3)


def test_all_are_asked_together_and_their_turn_is_played_when_all_have_answered():
    referee, first = begun()
    assert asked(first) == [0, 1, 2]
    assert referee.replied(2, m.Moved(5), 1) == []
    assert referee.replied(0, m.Moved(3), 1) == []
    assert asked(referee.replied(1, m.Moved(4), 1)) == [0, 1, 2]
    assert referee.position.turns == (((0, 3), (1, 4), (2, 5)),)


def test_in_turn_each_is_asked_when_the_one_before_has_answered():
    referee, first = begun(asking="in turn")
    assert asked(first) == [0]
    assert asked(referee.replied(0, m.Moved(3), 1)) == [1]
    assert asked(referee.replied(1, m.Moved(4), 1)) == [2]
    assert asked(referee.replied(2, m.Moved(5), 1)) == [0]


@pytest.mark.parametrize("asking", ["together", "in turn"])
@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        (m.Malformed("abc"), "ill-formed move 'abc'"),
        (m.Unsupported("no idea"), "no idea"),
        (m.Broken(FaultKind.EXIT, "exited (exit 1)"), "exited (exit 1)"),
    ],
)
def test_a_seat_in_trouble_is_dropped_and_the_others_go_on(asking, trouble, words):
    referee, _ = begun(asking=asking)
    actions = referee.replied(0, trouble, 1)
    assert Dismiss(0, kindly=False) in actions
    referee.replied(1, m.Moved(4), 1)
    assert asked(referee.replied(2, m.Moved(5), 1)) == ([1, 2] if asking == "together" else [1])
    assert referee.position.turns == (((1, 4), (2, 5)),)
    referee.replied(1, m.Moved(4), 1)
    referee.replied(2, m.Moved(5), 1)
    assert record(referee).result.warnings == (f"a is out of the game: {words}",)


def test_a_seat_that_has_spent_its_time_to_the_last_tick_is_asked_all_the_same():
    referee, _ = begun(clock=TimeControl(main=S))
    for seat, used in ((0, S), (1, 1)):
        assert referee.replied(seat, m.Moved(seat), used) == []
    assert asked(referee.replied(2, m.Moved(2), 1)) == [0, 1, 2]
    assert Dismiss(0, kindly=False) in referee.expired(0, 1, 1)
    for seat in (1, 2):
        referee.replied(seat, m.Moved(seat), 1)
    (warning,) = record(referee).result.warnings
    assert warning == "a is out of the game: used 0.000000001s with 0.000000000s left"


def test_a_seat_that_has_overspent_its_time_before_it_is_ready_is_dropped_before_it_is_asked():
    _, first = begun(clock=TimeControl(main=S, from_start=True), startup=(S + 1, 1, 1))
    assert asked(first) == [1, 2]
    assert Dismiss(0, kindly=False) in first


def test_what_the_rules_say_of_moves_and_who_had_which_side_is_in_the_record():
    referee, _ = begun()
    for move in (1, 7):
        for seat in range(3):
            referee.replied(seat, m.Moved(move), 1)
    told = record(referee)
    assert [[played.note for played in turn] for turn in told.turns] == [[""] * 3, ["seven!"] * 3]
    assert told.result.sides == (2, 1, 0)
    assert [engine.startup_ns for engine in told.result.engines] == [S] * 3


def test_a_phase_that_a_seat_declines_may_be_left_out():
    referee, first = begun(rules=Voices(phase="choice"), asking="in turn")
    assert asked(first) == [0]
    assert asked(referee.replied(0, m.Unsupported("cannot choose"), 1)) == [0]
    assert referee.position.phase == ""


def test_the_time_to_get_ready_is_taken_off_main_time_where_the_control_says_so():
    referee, _ = begun(clock=TimeControl(main=3 * S, from_start=True))
    assert referee.time_left() == (2 * S,) * 3


def test_turns_of_a_phase_that_is_declined_later_are_taken_back():
    class Choices(Voices):
        def acting(self, position):
            return (len(position.turns),) if position.phase else super().acting(position)

        def declined(self, position, seat):
            return Position()

    referee, first = begun(rules=Choices(phase="choice"))
    assert asked(first) == [0]
    assert asked(referee.replied(0, m.Moved(9), 1)) == [1]
    assert asked(referee.replied(1, m.Unsupported("cannot choose"), 1)) == [0, 1, 2]
    for _ in range(2):
        for seat in range(3):
            referee.replied(seat, m.Moved(1), 1)
    told = record(referee)
    assert [len(turn) for turn in told.turns] == [3, 3]
    assert told.result.warnings == ("b: cannot choose",)


@pytest.mark.parametrize(
    ("teams", "line"),
    [((0, 0, 1), "a & b vs c draw (full board)"), ((0, 1, 0), "a & c vs b draw (full board)")],
)
def test_a_result_says_who_is_in_which_team_as_the_rules_do(teams, line):
    rules = Voices()
    rules.teams = teams
    rules.outcome = lambda position: Outcome(points=shared(2), ending=Ending.FULL)
    referee, _ = begun(rules=rules)
    for seat in (0, 1, 2, 0, 1, 2):
        referee.replied(seat, m.Moved(seat), 1)
    result = record(referee).result
    assert [result.team_of(seat) for seat in range(3)] == list(teams)
    assert describe_result(result) == line
