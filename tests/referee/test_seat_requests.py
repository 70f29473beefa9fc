"""Requests of seats instead of moves, and adjudicated games."""

import pytest
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.messages import Evaluation
from gyoji.core.outcome import Ending
from gyoji.core.record import ExtraTime, Opinion, Played, TakenBack
from gyoji.core.spec import Adjudication, GameSpec, Player, Threshold
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.referee.referee import Referee
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing, Dismiss

S = 1_000_000_000
TAKE_BACK, DRAW, HINT = m.WantsTakeBack(), m.OffersDraw(), m.WantsHint()
PERSON = m.Ready("person", tries_again=True, consents=True)
ENGINE = m.Ready("engine", gives_hints=True)


def spec(**changes):
    players = (Player(code="x", command=("x",)), Player(code="y", command=("y",)))
    options = {"board_size": 5, "komi": 0.5}
    return GameSpec(
        **{"id": "0_0", "pairing": "0", "game": "go", "players": players, "options": options} | changes
    )


class Talk:
    """Two seats, each with what it says to every question in turn; what is none of these is polite.

    An answer is a vertex, a reply, or (vertex or reply, evaluation): then it says what it thinks of its move.
    """

    def __init__(self, black, white, *, ready=(PERSON, ENGINE), **changes):
        self.rules = go_rules(GoOptions(board_size=5, komi=0.5), 0)
        self.referee = Referee(spec(**changes), self.rules)
        self.answers = [list(black), list(white)]
        self.asked = [[], []]
        self.patience = {}  # for the last request of each kind
        self.ready = ready
        actions = [*self.referee.begin()]
        while actions:
            action = actions.pop(0)
            if not isinstance(action, Dismiss):
                self.asked[action.seat].append(action.request)
                self.patience[type(action.request)] = action.patience
                actions += self.respond(action)

    def respond(self, say):
        seat, replied = say.seat, self.referee.replied
        match say.request:
            case m.NewGame():
                return replied(seat, self.ready[seat], 0)
            case m.TellMoves():
                return replied(seat, m.Acknowledged(), 0)
            case m.Quit():
                return replied(seat, m.HasQuit(), 0)
        if not self.answers[seat]:
            return []
        reply, *said = answer if type(answer := self.answers[seat].pop(0)) is tuple else (answer,)
        if isinstance(reply, str):
            reply = m.Moved(self.rules.parse(reply))
        actions = replied(seat, reply, S)
        for evaluation in said:
            actions += replied(seat, m.Comment("", evaluation), 0)
        return actions

    def questions(self, seat):
        return [each for each in self.asked[seat] if isinstance(each, m.AskMove)]

    def notices(self, seat):
        return [each.notice for each in self.questions(seat) if each.notice]

    @property
    def outcome(self):
        return self.referee.outcome

    @property
    def record(self):
        return self.referee.record("2026-11-21T06:00:00+00:00", 0, [Closing(), Closing()])

    @property
    def moves(self):
        return [turn[0].move for turn in self.record.turns]


def test_an_answer_that_cannot_be_taken_is_asked_for_again_of_who_tries_again():
    talk = Talk(["C3", "D4", m.Malformed("D"), "E5"], ["D4", m.Resigned()])
    assert talk.notices(0) == ["occupied point D4", "ill-formed move 'D'"]
    assert (talk.moves, talk.outcome.ending) == (["C3", "D4", "E5"], Ending.RESIGNATION)


def test_an_engine_does_not_try_again():
    assert Talk(["C3"], ["C3"]).outcome.ending is Ending.ILLEGAL_MOVE


def test_a_move_is_taken_back_with_what_followed_it_and_the_record_tells():
    talk = Talk(["C3", TAKE_BACK, "A1", m.Resigned()], ["D4", "B2"], take_backs="ask")
    assert talk.moves == ["A1", "B2"]
    assert talk.record.taken_back == (TakenBack(0, 0, ((Played(0, "C3", S),), (Played(1, "D4", S),))),)
    first, again, last = talk.questions(0)[1:]
    assert (first.taken_back, again.taken_back, again.news) == (0, 2, ())
    assert (last.taken_back, len(last.news)) == (0, 2)
    (told,) = [each for each in talk.questions(1) if each.taken_back]
    assert (told.taken_back, talk.rules.format(told.news[0][0][1])) == (2, "A1")


def test_a_second_take_back_goes_on_where_the_first_has_led():
    black = ["C3", "C2", TAKE_BACK, TAKE_BACK, "A1", m.Resigned()]
    talk = Talk(black, ["D4", "D2", "B2"], take_backs="always")
    assert talk.moves == ["A1", "B2"]
    assert [each.turn for each in talk.record.taken_back] == [2, 0]
    (told,) = [each for each in talk.questions(1) if each.taken_back]
    assert told.taken_back == 4  # two take-backs, of which it hears at once


@pytest.mark.parametrize(
    ("take_backs", "answer", "expected"),
    [
        ("ask", m.Declined(), ["y declines the take-back"]),
        ("ask", m.Agreed(), []),
        ("always", "unasked", []),
        ("never", "unasked", ["no move can be taken back in this game"]),
    ],
)
def test_a_person_is_asked_for_a_take_back_where_the_event_says_so(take_backs, answer, expected):
    white = ["D4", *([] if answer == "unasked" else [answer]), "B2"]
    talk = Talk(["C3", TAKE_BACK, "A1", m.Resigned()], white, ready=(PERSON, PERSON), take_backs=take_backs)
    assert talk.notices(0) == expected
    assert talk.moves == (["C3", "D4", "A1", "B2"] if expected else ["A1", "B2"])
    asked = [each for each in talk.asked[1] if isinstance(each, m.AskConsent)]
    assert asked == ([] if answer == "unasked" else [m.AskConsent(0, "take-back")])


def test_there_is_nothing_to_take_back_before_ones_first_move():
    talk = Talk([TAKE_BACK, "C3", m.Resigned()], ["D4"], take_backs="always")
    assert talk.notices(0) == ["there is no move of yours to take back"]


def test_no_move_is_taken_back_where_an_engine_cannot_be_told():
    ready = (PERSON, replace(ENGINE, takes_back=False))
    talk = Talk(["C3", TAKE_BACK, "A1", m.Resigned()], ["D4", "B2"], take_backs="always", ready=ready)
    assert talk.notices(0) == ["y cannot take moves back"]
    assert talk.moves == ["C3", "D4", "A1", "B2"]


def test_a_draw_is_agreed_or_declined():
    people = (PERSON, PERSON)
    agreed = Talk([DRAW], [m.Agreed()], ready=people, draw_offers=True)
    assert (agreed.outcome.ending, agreed.outcome.points, agreed.outcome.seat) == (
        Ending.AGREEMENT,
        (0.5, 0.5),
        0,
    )
    declined = Talk([DRAW, "C3"], [m.Declined(), m.Resigned()], ready=people, draw_offers=True)
    assert (declined.notices(0), declined.outcome.ending) == (["y declines the draw"], Ending.RESIGNATION)


@pytest.mark.parametrize(
    ("allowed", "notice"),
    [(True, "an engine answers no offer of a draw"), (False, "no draw can be offered in this game")],
)
def test_an_engine_is_offered_no_draw(allowed, notice):
    assert Talk([DRAW, m.Resigned()], [], draw_offers=allowed).notices(0) == [notice]


def test_a_hint_is_told_and_moves_nobody():
    hint = m.Hint(go_rules(GoOptions(board_size=5, komi=0.5), 0).parse("B2"))
    talk = Talk(["C3", HINT, m.Resigned()], ["D4", hint], hints=True)
    (asked,) = [each for each in talk.asked[1] if isinstance(each, m.AskHint)]
    assert (asked.seat, len(asked.news)) == (0, 1)  # its own move, which it made since
    assert (talk.notices(0), talk.moves) == (["hint: B2"], ["C3", "D4"])


@pytest.mark.parametrize("clock", ["2s", "2s/move", "none"])
def test_who_gives_a_hint_has_the_time_of_a_move_without_a_clock(clock):
    hint = m.Hint(go_rules(GoOptions(board_size=5, komi=0.5), 0).parse("B2"))
    control = TimeControl.parse(clock)
    talk = Talk(["C3", HINT, m.Resigned()], ["D4", hint], hints=True, clock=control)
    assert talk.patience[m.AskHint] == spec().players[1].budgets.move


@pytest.mark.parametrize(
    ("changes", "notice"),
    [
        ({"hints": False}, "there are no hints in this game"),
        ({"hints": True, "ready": (PERSON, PERSON)}, "no player here can give a hint"),
    ],
)
def test_a_hint_is_not_always_to_be_had(changes, notice):
    assert Talk([HINT, m.Resigned()], [], **changes).notices(0) == [notice]


def test_the_time_of_a_request_is_charged_and_that_of_its_answer_to_nobody():
    talk = Talk(
        ["C3", TAKE_BACK, "A1", m.Resigned()],
        ["D4", m.Agreed()],
        ready=(PERSON, PERSON),
        take_backs="ask",
        clock=TimeControl.parse("10s"),
    )
    left = [[clock.main // S for clock in each.clocks] for each in talk.questions(0)]
    assert left == [[10, 10], [9, 9], [8, 9]]


def differences(talk, record):
    """Return what is found when the record of a talk is judged again."""
    spec = replace(talk.referee.spec, clock=talk.referee._states[0].control)
    review = Review(spec, talk.rules, record, [lambda _text: m.Scored()] * 2)
    return [(each.what, each.got, each.expected) for each in review.differences]


def test_the_time_of_answers_that_were_no_move_is_in_the_record_in_its_place():
    talk = Talk(["C3", DRAW, "D4", "E5", m.Resigned()], ["D4", "E4"], draw_offers=True)
    assert talk.record.extra_time == (ExtraTime(2, 0, S), ExtraTime(2, 0, S))
    assert talk.moves == ["C3", "D4", "E5", "E4"]
    assert differences(talk, talk.record) == []


def test_a_clock_that_ran_out_is_judged_again_with_what_requests_have_taken_from_it():
    clock = TimeControl.parse("3s")
    talk = Talk(["C3", DRAW, "E5", DRAW], ["D4", "E4"], draw_offers=True, clock=clock)
    record = talk.record
    assert record.result.outcome.ending is Ending.TIME
    assert "with 0.000s left" in record.result.outcome.detail
    assert differences(talk, record) == []
    altered = replace(record, extra_time=(ExtraTime(2, 0, S // 2),))
    assert differences(talk, altered) == [("clock of x", "0.000s left", "0.500s left")]
    too_long = replace(record, extra_time=(ExtraTime(2, 0, 4 * S),))
    assert differences(talk, too_long)[0][0] == "clock of x"


AHEAD, BEHIND, LEVEL = Evaluation(win=0.97), Evaluation(win=0.02), Evaluation(win=0.5)
WIN = Adjudication(win=Threshold(chance=0.95, moves=2))
BLACK, WHITE = ["A1", "A2", "A3", "A4", "A5"], ["E1", "E2", "E3", "E4", "E5"]


def said(moves, *evaluations):
    return [(move, each) if each else move for move, each in zip(moves, evaluations, strict=False)]


@pytest.mark.parametrize(
    ("settings", "black", "white", "turns"),
    [
        (WIN, [AHEAD] * 5, [BEHIND] * 5, 6),  # two moves of each, and the one after
        (WIN, [AHEAD] * 5, [LEVEL] * 5, None),
        (WIN, [LEVEL] * 5, [BEHIND] * 5, None),
        (Adjudication(win=Threshold(chance=0.95, moves=2), agreed=False), [LEVEL] * 5, [BEHIND] * 5, 6),
        (WIN, [AHEAD] * 5, [BEHIND, None, BEHIND, BEHIND, BEHIND], 10),
        (
            Adjudication(win=Threshold(chance=0.95, moves=2, after=9)),
            [AHEAD] * 5,
            [BEHIND] * 5,
            10,
        ),  # White says it
        (Adjudication(win=Threshold(score=5.0)), [AHEAD] * 5, [BEHIND] * 5, None),  # which they do not tell
        (Adjudication(draw=Threshold(chance=0.1, moves=1)), [LEVEL] * 5, [LEVEL] * 5, 4),
        (Adjudication(length=7), [None] * 5, [None] * 5, 7),
    ],
)
def test_a_game_is_adjudicated_when_both_sides_say_so_long_enough(settings, black, white, turns):
    talk = Talk(said(BLACK, *black), said(WHITE, *white), ready=(ENGINE, ENGINE), adjudication=settings)
    if turns is None:
        assert talk.outcome is None
    else:
        assert (talk.outcome.ending, talk.referee.turns) == (Ending.ADJUDICATION, turns)
        level = settings.win is None
        assert talk.outcome.points == ((0.5, 0.5) if level else (1.0, 0.0))


def test_what_is_no_move_takes_time_from_the_clock_but_is_none_of_the_moves():
    black = ["C3", TAKE_BACK, "D4", m.Malformed("D"), "E5", HINT, "A1", m.Resigned()]
    talk = Talk(black, ["D4", "D3", m.Resigned()], clock=TimeControl.parse("30s"))
    assert [engine.think_ns for engine in talk.record.result.engines] == [3 * S, 3 * S]
    assert talk.questions(0)[-1].clock.main == 24 * S


def test_opinions_are_kept_with_their_turns():
    talk = Talk([("C3", AHEAD), m.Resigned()], [("D4", BEHIND)])
    assert talk.record.opinions == (Opinion(0, 0, AHEAD), Opinion(1, 1, BEHIND))


def test_opinions_stand_in_the_order_of_turns_however_late_one_arrives():
    talk = Talk(["C3"], [("D4", BEHIND)])
    talk.referee.replied(0, m.Comment("", LEVEL), 0)
    talk.referee.replied(0, m.Comment("", AHEAD), 0)
    talk.referee.replied(0, m.Resigned(), S)
    assert talk.record.opinions == (Opinion(0, 0, LEVEL), Opinion(0, 0, AHEAD), Opinion(1, 1, BEHIND))


def test_what_was_said_of_a_move_that_was_taken_back_does_not_count():
    black = [("A1", AHEAD), ("A2", AHEAD), TAKE_BACK, ("A3", LEVEL), ("A4", AHEAD), ("A5", AHEAD)]
    white = said(WHITE, *[BEHIND] * 5)
    talk = Talk(black, white, take_backs="always", adjudication=WIN)
    assert talk.outcome is None
