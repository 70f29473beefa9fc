"""Persons who do not show up: which games wait for them, for how long, and how those are ruled on."""

import pytest
from fakes import make_spec
from msgspec.structs import replace

from gyoji.core.outcome import Ending
from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.play.context import make_rules
from gyoji.referee.review import Review
from gyoji.scheduler.attendance import Attendance, Awaited, absence
from gyoji.scheduler.issued_games import IssuedGame
from gyoji.scheduler.resources import ReadyQueue, person_resource

ANN, BEN = (Player(code=code, command=(PERSON,), executor=PERSON) for code in ("ann", "ben"))
ENGINE, OTHER = Player(code="e", command=("e",), resources={"gpu": 1}), Player(code="o", command=("o",))
LATE = "did not show up within 10m"
S = 1_000_000_000


def game(number, *players):
    return IssuedGame(replace(make_spec(number), players=players), number)


@pytest.fixture
def queue():
    return ReadyQueue({"gpu": 1, **{person_resource(code): 1 for code in ("ann", "ben")}})


def waiting(queue):
    return [(each.game.number, each.persons) for each in queue.waiting()]


def test_of_each_person_the_first_game_waits(queue):
    for each in (game(0, ANN, BEN), game(1, BEN, ANN), game(2, ANN, ENGINE)):
        queue.put(each)
    assert waiting(queue) == [(0, ("ann", "ben"))]
    queue.appear("ben", is_there=True)
    assert waiting(queue) == [(0, ("ann",))]
    queue.appear("ann", is_there=True)
    assert waiting(queue) == []


def test_a_game_that_lacks_something_else_does_not_wait_for_its_persons(queue):
    queue.put(game(0, ENGINE, OTHER))
    busy = queue.take()
    queue.put(game(1, ANN, ENGINE))
    queue.put(game(2, ANN, BEN))
    assert waiting(queue) == [(2, ("ann", "ben"))]
    queue.release(busy)
    assert waiting(queue) == [(1, ("ann",))]


def test_a_game_that_is_withdrawn_leaves_the_others_where_they_are(queue):
    games = [game(number, ANN, BEN) for number in range(4)]
    for each in games:
        queue.put(each)
    queue.withdraw(games[0])
    queue.withdraw(games[2])
    assert (len(queue), waiting(queue)) == (2, [(1, ("ann", "ben"))])
    queue.withdraw(games[1])
    queue.withdraw(games[3])
    assert (len(queue), waiting(queue), queue.awaits_people) == (0, [], False)


class Hall:
    """An `Attendance` of a queue, with a clock that is set by hand."""

    def __init__(self, queue):
        self.now, self.is_told, self.told = 0.0, True, []
        self.attendance = Attendance(
            queue.waiting, lambda: self.is_told, self.told.append, clock=lambda: self.now
        )

    def look(self, show_up=10 * S, **how):
        due, seconds = self.attendance.look(show_up, **how)
        return [each.game.number for each in due], seconds


def test_the_time_counts_from_when_the_game_could_begin(queue):
    hall = Hall(queue)
    assert hall.look() == ([], None)
    hall.now = 5.0
    queue.put(game(0, ANN, BEN))
    assert hall.look() == ([], 10.0)
    hall.now = 12.0
    queue.appear("ben", is_there=True)  # which changes nothing for the other one
    assert hall.look() == ([], 3.0)
    hall.now = 15.0
    assert hall.look() == ([0], None)
    assert [[each.players for each in told] for told in hall.told] == [[("ann", "ben")], [("ann",)]]
    assert hall.told[0][0] == Awaited(id="g0", players=("ann", "ben"), seconds=10.0)


def test_no_time_counts_while_nobody_can_be_told_or_no_game_begins(queue):
    hall = Hall(queue)
    queue.put(game(0, ANN, BEN))
    hall.look()
    for change in ({"is_told": False}, {}):
        vars(hall).update(change)
        hall.now += 9.0
        assert hall.look(goes_on=bool(change)) == ([], None)
        hall.is_told = True
        assert hall.look() == ([], 10.0)


def test_without_a_limit_games_wait_for_ever_and_that_is_told(queue):
    hall = Hall(queue)
    queue.put(game(0, ANN, BEN))
    assert hall.look(0) == ([], None)
    hall.now = 1e6
    assert hall.look(0) == ([], None)
    assert hall.told == [(Awaited(id="g0", players=("ann", "ben"), seconds=None),)]


GO = {"board_size": 5, "komi": 0.5}


def spec(game, *players, **options):
    return GameSpec(id="0_0", pairing="0", game=game, players=players, options=options)


def reviewed(spec, record):
    return [each.text for each in Review(spec, make_rules(spec), record, ()).differences]


@pytest.mark.parametrize(
    ("spec", "persons", "points", "detail"),
    [
        (spec("go", BEN, ANN, **GO), ("ann",), (1.0, 0.0), f"forfeit by ann: {LATE}"),
        (spec("go", ANN, BEN, **GO), ("ann", "ben"), None, f"ann and ben {LATE}"),
        (
            spec("gomoku", ANN, ENGINE, swap2=True),
            ("ann",),
            (0.0, 1.0),
            f"forfeit by ann: {LATE}",
        ),
        (
            spec("dighere", ENGINE, ANN, ENGINE, ANN),
            ("ann",),
            (1.0, 0.0),
            f"forfeit by ann (samurai): {LATE}",
        ),
    ],
)
def test_who_alone_does_not_come_has_lost_and_the_record_stands(spec, persons, points, detail):
    record = absence(spec, persons, 600 * S)
    outcome = record.result.outcome
    assert (outcome.ending, outcome.points, outcome.detail) == (Ending.ABSENCE, points, detail)
    assert outcome.is_forfeit
    assert record.turns == ()
    assert reviewed(spec, record) == []


def test_a_record_in_which_another_side_has_lost_by_absence_does_not_stand():
    game = spec("go", ANN, BEN, **GO)
    record = absence(game, ("ann",), 600 * S)
    other = replace(record.result.outcome, points=(1.0, 0.0))
    assert reviewed(game, replace(record, result=replace(record.result, outcome=other)))
