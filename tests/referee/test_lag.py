"""Network delay of human players' answers: the credit, and its record."""

import pytest
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.record import Lag
from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.referee.referee import Referee
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing, Dismiss

S = 1_000_000_000
RULES = go_rules(GoOptions(board_size=5, komi=0.5), 0)
ANN = Player(code="ann", command=(PERSON,), executor=PERSON)
BEN = Player(code="ben", command=("ben",))
READY = m.Ready(tries_again=True)


def spec(**changes):
    usual = {"clock": TimeControl.parse("10s"), "players": (ANN, BEN), "take_backs": "always"}
    options = {"board_size": 5, "komi": 0.5}
    return GameSpec(**{"id": "0_0", "pairing": "0", "game": "go", "options": options, **usual, **changes})


class Table:
    """Both seats ready; `answers` of seat 0: (reply, s that it takes, s that the network has of them)."""

    def __init__(self, *answers, **changes):
        self.spec = spec(**changes)
        self.referee = Referee(self.spec, RULES)
        self.answers = list(answers)
        self.patience = []
        self.others = iter(["E1", "E2", "E3", "E4"])
        self.follow(self.referee.begin())

    def follow(self, actions):
        actions = list(actions)
        while actions:
            action = actions.pop(0)
            if not isinstance(action, Dismiss):
                actions += self.answer(action)

    def answer(self, say):
        replied = self.referee.replied
        match say.request:
            case m.NewGame():
                return replied(say.seat, READY, 0)
            case m.TellMoves():
                return replied(say.seat, m.Acknowledged(), 0)
            case m.Quit():
                return replied(say.seat, m.HasQuit(), 0)
        if say.seat:
            replied(1, m.Delayed(S), 0)  # whatever an engine says of itself
            return replied(1, m.Moved(RULES.parse(next(self.others))), S)
        self.patience.append(say.patience)
        if not self.answers:
            return []
        reply, used, lag = self.answers.pop(0)
        if lag:
            replied(0, m.Delayed(round(lag * S)), 0)
        return replied(0, m.Moved(RULES.parse(reply)) if isinstance(reply, str) else reply, round(used * S))

    @property
    def record(self):
        return self.referee.record("", 0, [Closing(), Closing()])

    def flaws(self, record=None):
        review = Review(self.spec, RULES, record or self.record, [lambda _text: m.Scored()] * 2)
        return [(each.what, each.move) for each in review.differences]


def charged(record):
    return [turn[0].ns for turn in record.turns if turn[0].seat == 0]


@pytest.mark.parametrize(
    ("used", "lag", "credited"),
    [(3, 0.25, S // 4), (3, 5, S), (0.5, 5, S // 2), (3, 0, 0), (3, -1, 0)],
)
def test_network_time_is_credited_up_to_the_limit_and_to_what_was_used(used, lag, credited):
    table = Table(("C3", used, lag), (m.Resigned(), 1, 0))
    record = table.record
    assert charged(record) == [round(used * S) - credited]
    assert record.lags == ((Lag(0, 0, credited),) if credited else ())
    assert record.result.engines[0].think_ns == round((used + 1) * S) - credited
    assert table.flaws() == []


def test_an_engine_is_credited_nothing():
    table = Table(("C3", 1, 0), (m.Resigned(), 1, 0))
    assert [turn[0].ns for turn in table.record.turns] == [S, S]
    assert table.record.lags == ()


def test_an_answer_that_is_late_by_the_network_alone_is_in_time():
    late = Table(("C3", 10.5, 0))
    assert late.referee.outcome.ending is Ending.TIME
    in_time = Table(("C3", 10.5, 0.6), (m.Resigned(), 0, 0))
    assert in_time.referee.outcome.ending is Ending.RESIGNATION
    assert in_time.patience[0] == 11 * S  # it is waited for so long
    assert in_time.flaws() == []


def test_who_gives_no_answer_loses_when_none_can_be_in_time_any_more():
    table = Table()
    (wait,) = table.referee.expired(0, 10 * S, 10 * S)
    assert wait.patience == S
    table.follow(table.referee.expired(0, 11 * S, 11 * S))
    assert table.referee.outcome.ending is Ending.TIME
    assert table.flaws() == []


def test_no_lag_is_credited_where_the_game_says_so():
    table = Table(("C3", 3, 0.5), (m.Resigned(), 1, 0), lag=0)
    assert charged(table.record) == [3 * S]
    assert table.record.lags == ()


def test_requests_are_credited_too():
    table = Table(
        ("C3", 2, 0.5), (m.WantsTakeBack(), 2, 0.5), ("D4", 2, 0.5), ("D4", 2, 0.5), (m.Resigned(), 1, 0.5)
    )
    record = table.record
    assert [(each.turn, each.ns) for each in record.lags] == [
        (0, S // 2),
        (2, S // 2),
        (0, S // 2),
        (2, S // 2),  # D4 is occupied: she is asked again
        (2, S // 2),
    ]
    assert [each.ns for each in record.extra_time] == [3 * S // 2, 3 * S // 2]
    assert table.flaws() == []


@pytest.mark.parametrize(
    "lags",
    [
        (Lag(0, 0, S + 1),),  # more than the limit
        (Lag(0, 1, 1),),  # of an engine
        (Lag(0, 0, 1), Lag(0, 0, 1)),  # one answer too many
        (Lag(9, 0, 1),),  # after the end
        (Lag(0, 7, 1),),  # of nobody
        (Lag(0, 0, 0),),
    ],
)
def test_a_record_that_credits_what_it_may_not_does_not_stand(lags):
    table = Table(("C3", 1, 0), (m.Resigned(), 1, 0))
    flaws = table.flaws(replace(table.record, lags=lags))
    assert ("network time", lags[0].turn + 1) in flaws
