"""The kit for formats notices each promise that a format can break."""

import pytest
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameResult
from gyoji.core.spec import GameSpec, Player
from gyoji.testing.competition_kit import check_competition

A, B = (Player(code=code, command=(code,)) for code in "ab")


class Queue:
    """A format that is right: games 0 to 9, the seats in turn."""

    count = 10

    def __init__(self):
        self.taken = set()
        self.done = {}

    def spec(self, number):
        return GameSpec(id=f"{number}", pairing="", game="go", players=(B, A) if number % 2 else (A, B))

    def add(self, result):
        self.taken.add(int(result.id))
        self.done[result.id] = result

    def free(self):
        return [number for number in range(self.count) if number not in self.taken]

    def next_game(self):
        number = min(self.free(), default=None)
        if number is None:
            return None
        self.taken.add(number)
        return self.spec(number)

    def remaining(self):
        return len(self.free())

    def checks(self):
        return [replace(self.spec(0), players=(A, A)), replace(self.spec(0), players=(B, B))]

    def summary(self):
        return sorted(self.done)


def result_of(spec):
    return GameResult(
        id=spec.id,
        pairing="",
        players=tuple(player.code for player in spec.players),
        outcome=Outcome(points=None, ending=Ending.SCORE),
        turns=1,
        engines=(),
        started="",
        wall_ns=0,
    )


def check(kind):
    check_competition(kind, result_of, longest=30, summary=lambda event: event.summary(), is_balanced=True)


class Twice(Queue):
    def next_game(self):
        return self.spec(0) if len(self.taken) == 5 and not self.taken.add(99) else super().next_game()


class NoEnd(Queue):
    count = 1000

    def remaining(self):
        return 7


class WrongCount(Queue):
    def remaining(self):
        return 1


class Impure(Queue):
    made = 0

    def __init__(self):
        super().__init__()
        Impure.made += 1
        self.seed = Impure.made

    def spec(self, number):
        return replace(super().spec(number), seed=self.seed)


class OrderMatters(Queue):
    def summary(self):
        return list(self.done)


class Forgets(Queue):
    """Counts games instead of noting which."""

    def add(self, result):
        self.done[result.id] = result
        if len(self.done) > len(self.taken):
            self.taken = set(range(len(self.done)))


class Unfair(Queue):
    def spec(self, number):
        return replace(super().spec(number), players=(A, B))


class Unchecked(Queue):
    def checks(self):
        return super().checks()[:1]


class Unsendable(Queue):
    unsendable = object()

    def spec(self, number):
        return replace(super().spec(number), note=self.unsendable)


class Tuner(Queue):
    """Each game is of a new candidate; the candidate's number is the last result's, so their order counts."""

    def __init__(self):
        super().__init__()
        self.last = "0"

    def add(self, result):
        if result.id not in self.done:
            super().add(result)
            self.last = result.id

    def spec(self, number):
        candidate = Player(code=f"#{number}", command=("candidate", self.last))
        return replace(super().spec(number), players=(candidate, B))

    def checks(self):
        sample = Player(code="candidate", command=("candidate", "0"))
        return [replace(self.spec(0), players=(each, each)) for each in (sample, B)]

    def summary(self):
        return self.last


class CountsWhatItIssues(Tuner):
    def summary(self):
        return len(self.taken), self.last

    def next_game(self):
        spec = super().next_game()
        self.taken.add(f"again {spec.id}" if spec else "none")
        return spec


class ForgetsGaps(Tuner):
    """Goes on after the highest number that has a result."""

    def free(self):
        highest = max((int(name) for name in self.done), default=-1)
        return [number for number in super().free() if number > highest]


def check_tuner(kind):
    check_competition(kind, result_of, longest=30, summary=lambda event: event.summary(), is_tuner=True)


def test_a_right_tuner_passes():
    check_tuner(Tuner)


@pytest.mark.parametrize(
    ("kind", "complaint"), [(CountsWhatItIssues, "another order|and then folded"), (ForgetsGaps, "with gaps")]
)
def test_a_tuner_that_is_no_fold_is_noticed(kind, complaint):
    with pytest.raises(AssertionError, match=complaint):
        check_tuner(kind)


def test_a_right_format_passes():
    check(Queue)


@pytest.mark.parametrize(
    ("kind", "complaint"),
    [
        (Twice, "issued twice"),
        (NoEnd, "no end after"),
        (WrongCount, "remaining"),
        (Impure, "the same competition gives"),
        (OrderMatters, "another order"),
        (Forgets, "resumed"),
        (Unfair, "has sat"),
        (Unchecked, "is not checked"),
    ],
)
def test_a_broken_promise_is_noticed(kind, complaint):
    with pytest.raises(AssertionError, match=complaint):
        check(kind)


def test_a_spec_that_is_no_json_is_noticed():
    with pytest.raises((AssertionError, TypeError), match="JSON"):
        check(Unsendable)
