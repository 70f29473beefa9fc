"""The conformance kit for rules: it passes a game of every shape, and catches each broken promise."""

from dataclasses import dataclass, replace

import pytest
from msgspec import structs

from gyoji.core.faults import IllegalMove
from gyoji.core.outcome import Ending, Outcome, ranked, shared, won_by
from gyoji.testing.rules_kit import check_rules


@dataclass(frozen=True)
class Bids:
    """Where a game of `Auction` stands. last: what each seat bid last; out: the seats that have left."""

    turn: int = 0
    last: tuple[int, ...] = (0, 0, 0, 0)
    points: tuple[int, ...] = (0, 0)
    out: frozenset[int] = frozenset()


class Auction:
    """All seats bid 1 to 4 at once, never what they bid last; the highest lonely bid wins its team a point.

    In every third turn only the seats of team 0 bid. A seat sees the points and its own bids.
    """

    seats = 4
    teams = (0, 1, 0, 1)
    turns = 12

    def start(self):
        return Bids()

    def acting(self, position):
        if position.turn == self.turns or len(position.out) > 2:
            return ()
        team_only = position.turn % 3 == 2 and not position.out
        return tuple(
            seat for seat in range(4) if seat not in position.out and not (team_only and self.teams[seat])
        )

    def phase(self, position):
        return "last bids" if position.turn == self.turns - 1 else ""

    def legal(self, position, seat):
        if seat in self.acting(position):
            yield from (bid for bid in range(1, 5) if bid != position.last[seat])

    def check(self, position, seat, move):
        if seat not in self.acting(position):
            raise IllegalMove(seat, "does not bid now")
        if move not in (1, 2, 3, 4):
            raise IllegalMove(seat, "no bid")
        if move == position.last[seat]:
            raise IllegalMove(seat, f"bid {move} again")

    def play(self, position, turn):
        for seat, move in turn:
            self.check(position, seat, move)
        bids = [bid for _, bid in turn]
        points, last = list(position.points), list(position.last)
        for seat, bid in turn:
            last[seat] = bid
            if bid == max(bids) and bids.count(bid) == 1:
                points[self.teams[seat]] += 1
        return replace(position, turn=position.turn + 1, last=tuple(last), points=tuple(points))

    def drop(self, position, seat):
        return replace(position, out=position.out | {seat}) if len(position.out) < 2 else None

    def outcome(self, position):
        one, other = position.points
        points = shared(2) if one == other else won_by(0 if one > other else 1, 2)
        return Outcome(points=points, ending=Ending.SCORE, margin=abs(one - other))

    def view(self, position, seat):
        return (position.points, position.last[seat])

    def news(self, turn, seat):
        """Return the seat's own bid, which is all that it knows of a turn."""
        return tuple((who, bid) for who, bid in turn if who == seat)

    def parse(self, text):
        return int(text)

    def format(self, move):
        return str(move)


class Alone(Auction):
    """A game of one seat."""

    seats = 1
    teams = (0,)

    def acting(self, position):
        return (0,) if position.turn < self.turns else ()

    def drop(self, position, seat):
        return None

    def outcome(self, position):
        return Outcome(points=(1.0,), ending=Ending.FULL)


class EachForItself(Auction):
    """Four teams of one seat, which come in by their points."""

    teams = (0, 1, 2, 3)

    def start(self):
        return Bids(points=(0,) * 4)

    def acting(self, position):
        over = position.turn == self.turns or len(position.out) > 2
        return () if over else tuple(seat for seat in range(4) if seat not in position.out)

    def outcome(self, position):
        points = ranked([-each for each in position.points])
        return Outcome(points=points, ending=Ending.SCORE, totals=position.points)


class Undecided(Auction):
    def outcome(self, position):
        return Outcome(points=None, ending=Ending.NO_RESULT, detail="nobody counted")


class AtOnceOver(Auction):
    turns = 0


@pytest.mark.parametrize(
    "rules", [Auction(), Alone(), EachForItself(), Undecided(), AtOnceOver()], ids=lambda r: type(r).__name__
)
def test_a_game_that_keeps_its_promises_passes(rules):
    check_rules(rules, games=12)


class Recorded(Auction):
    def __init__(self):
        self.played = []

    def play(self, position, turn):
        self.played.append(turn)
        return super().play(position, turn)


def test_equal_seeds_play_equal_games_and_others_play_others():
    turns = []
    for seed in (1, 1, 2):
        rules = Recorded()
        check_rules(rules, games=3, seed=seed)
        turns.append(rules.played)
    assert turns[0] == turns[1] != turns[2]


class Drawn(Auction):
    notation = "a number from 1 to 4"

    def render(self, view, last=()):
        return f"points {view[0]}\nlast bid {view[1]}{' *' * len(last)}"


def test_a_game_that_can_be_drawn_passes():
    check_rules(Drawn(), games=4)


class DrawnWithColours(Drawn):
    def render(self, view, last=()):
        return "\x1b[31mpoints\x1b[0m"


class TeamsTooFew(Auction):
    teams = (0, 1)


class TeamsWithAGap(Auction):
    teams = (0, 2, 0, 2)


class NeverOver(Auction):
    turns = -1


class ActingUnordered(Auction):
    def acting(self, position):
        return super().acting(position)[::-1]


class ActingAsAList(Auction):
    def acting(self, position):
        return list(super().acting(position))


class PhaseOfTwoLines(Auction):
    def phase(self, position):
        return "one\ntwo"


class LegalForEverybody(Auction):
    def legal(self, position, seat):
        return [bid for bid in range(1, 5) if bid != position.last[seat]]


class LegalEmpty(Auction):
    def legal(self, position, seat):
        return ()


class LegalTwice(Auction):
    def legal(self, position, seat):
        return list(super().legal(position, seat)) * 2


class LegalInAnyOrder(Auction):
    flip = 1

    def legal(self, position, seat):
        self.flip = -self.flip
        return list(super().legal(position, seat))[:: self.flip]


class LegalTooMuch(Auction):
    def legal(self, position, seat):
        return range(1, 5) if seat in self.acting(position) else ()


class LegalTooLittle(Auction):
    def legal(self, position, seat):
        return [bid for bid in super().legal(position, seat) if bid != 1 + position.turn % 4]


class CheckLax(Auction):
    def check(self, position, seat, move):
        pass


class CheckBlamesSeatZero(Auction):
    def check(self, position, seat, move):
        try:
            super().check(position, seat, move)
        except IllegalMove as refused:
            raise IllegalMove(0, refused.reason) from None


class CheckWithoutReason(Auction):
    def check(self, position, seat, move):
        try:
            super().check(position, seat, move)
        except IllegalMove:
            raise IllegalMove(seat, "") from None


class PlayLax(Auction):
    def play(self, position, turn):
        lenient = replace(position, last=(0, 0, 0, 0))
        return super().play(lenient, turn)


class PlayByChance(Auction):
    count = 0

    def play(self, position, turn):
        self.count += 1
        after = super().play(position, turn)
        return replace(after, points=(after.points[0] + self.count % 2, after.points[1]))


class Ledger:
    """A position that changes under its owner's hands."""

    def __init__(self, bids):
        self.bids = bids

    def __eq__(self, other):
        return self.bids == other.bids

    def __hash__(self):
        return hash(self.bids)

    def __repr__(self):
        return repr(self.bids)

    def __getattr__(self, name):
        return getattr(self.bids, name)


class PlayInPlace(Auction):
    def start(self):
        return Ledger(Bids())

    def play(self, position, turn):
        after = super().play(position.bids, turn)
        if after.turn % 3:
            return Ledger(after)
        position.bids = after
        return position

    def drop(self, position, seat):
        return None


class DropKeepsTheSeat(Auction):
    def drop(self, position, seat):
        return replace(position, last=(0, 0, 0, 0))


class OutcomeOfTheReferee(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), ending=Ending.TIME)


class OutcomePerSeat(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), points=(0.25,) * 4)


class OutcomeOfTooMuch(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), points=(1.0, 1.0))


class OutcomeOfNearlyLevelTeams(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), points=(0.5, 0.5 + 1e-12))


class OutcomeWithTotalsOfSeats(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), totals=(1.0,) * 4)


class OutcomeNegative(Auction):
    def outcome(self, position):
        return structs.replace(super().outcome(position), margin=-1)


class FormatLoses(Auction):
    def format(self, move):
        return str(min(move, 3))


class FormatOfTwoLines(Auction):
    def format(self, move):
        return f"{move}\n"


class NewsOfAll(Auction):
    def news(self, turn, seat):
        return turn


class NewsOfNothing(Auction):
    def news(self, turn, seat):
        return ()


class NewsOfOthers(Auction):
    def news(self, turn, seat):
        return ((4, 0),)


class ViewByChance(Auction):
    count = 0

    def view(self, position, seat):
        self.count += 1
        return self.count


@pytest.mark.parametrize(
    ("flawed", "complaint"),
    [
        (TeamsTooFew, "2 teams for 4 seats"),
        (NewsOfAll, "are one turn to it by its views"),
        (NewsOfNothing, "is not told its own move"),
        (NewsOfOthers, "seats that made no move in it"),
        (TeamsWithAGap, "teams are 0 to 1"),
        (NeverOver, "none of 8 random games ended in 100 turns"),
        (ActingUnordered, "expected different seats in ascending order"),
        (ActingAsAList, "expected a tuple"),
        (PhaseOfTwoLines, "phase is"),
        (LegalForEverybody, "does not act but has moves"),
        (LegalEmpty, "acts but has no legal move"),
        (LegalTwice, "listed as legal twice"),
        (LegalInAnyOrder, "another order the second time"),
        (LegalTooMuch, "legal move .* is refused"),
        (LegalTooLittle, "is not in legal, but check lets it pass"),
        (CheckLax, "check lets it"),
        (CheckBlamesSeatZero, "is blamed on seat 0"),
        (CheckWithoutReason, "is refused because ''"),
        (PlayLax, "play takes .*, check says"),
        (PlayByChance, "the same turn gave two positions"),
        (PlayInPlace, "changed the position"),
        (DropKeepsTheSeat, "was dropped but acts"),
        (OutcomeOfTheReferee, "the ending 'time' is the referee's"),
        (OutcomePerSeat, "expected points for 2 teams"),
        (OutcomeOfTooMuch, "expected points from 0 to 1 that make 1"),
        (OutcomeOfNearlyLevelTeams, "nearly the same points"),
        (OutcomeWithTotalsOfSeats, "expected totals of 2 teams, or none"),
        (OutcomeNegative, "the margin is negative"),
        (FormatLoses, "4 -> '3' -> 3"),
        (FormatOfTwoLines, "is written"),
        (ViewByChance, "the views differ"),
        (DrawnWithColours, "a view is drawn as .*, expected printable lines"),
    ],
)
def test_a_broken_promise_is_named(flawed, complaint):
    with pytest.raises(AssertionError, match=complaint) as caught:
        check_rules(flawed(), games=8, longest=100)
    assert str(caught.value).isprintable()


def test_a_complaint_says_which_game_and_turn():
    with pytest.raises(AssertionError, match=r"^game 0 of seed 5: turn 0: "):
        check_rules(ActingAsAList(), seed=5)
