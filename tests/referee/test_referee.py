"""The referee's rulings, with scripted seats and with time as an argument."""

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import Meter, TimeControl
from gyoji.core.faults import FaultKind
from gyoji.core.outcome import Ending
from gyoji.core.record import Played
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Closing, Dismiss, Send, Wait

S = 1_000_000_000


def spec(**changes):
    players = (Player(code="x", command=("x",)), Player(code="y", command=("y",)))
    options = {"board_size": 5, "komi": 0.5}
    return GameSpec(
        **{"id": "0_0", "pairing": "0", "game": "go", "players": players, "options": options} | changes
    )


class Seats:
    """Plays the parts of both seats: each answers its questions from its list, and everything else politely.

    An answer is a vertex, a reply, or (vertex or reply, seconds used).
    """

    def __init__(self, black, white, *, opinions=("", ""), told=(False, False), **changes):
        self.spec = spec(**changes)
        self.rules = go_rules(GoOptions(**self.spec.options), 0)
        self.referee = Referee(self.spec, self.rules)
        self.answers = [list(black), list(white)]
        self.opinions = [self.opinion(text) for text in opinions]
        self.told = told
        self.requests = [[], []]
        self.dismissed = {}
        self.queue = self.referee.begin()

    def opinion(self, text):
        if not text:
            return m.Scored()
        if text == "0":
            return m.Scored(text, is_level=True)
        winner = {"B": 0, "W": 1}.get(text[0])
        margin = float(text[2:]) if text[2:] else None
        return m.Scored(text, winner, margin=margin)

    def run(self):
        while self.queue:
            action = self.queue.pop(0)
            if isinstance(action, Send):
                self.requests[action.seat].append(action.request)
                self.queue += self.respond(action)
            elif isinstance(action, Dismiss):
                self.dismissed[action.seat] = action.kindly
        return self

    def respond(self, say):
        match say.request:
            case m.NewGame():
                ready = m.Ready(f"engine {say.seat}", knows_rules=self.told[say.seat])
                return self.referee.replied(say.seat, ready, 0)
            case m.AskMove():
                if not self.answers[say.seat]:
                    return []
                return self.answer(say.seat, self.answers[say.seat].pop(0))
            case m.TellMoves():
                return self.referee.replied(say.seat, m.Acknowledged(), 0)
            case m.AskScore():
                return self.referee.replied(say.seat, self.opinions[say.seat], 0)
            case m.Quit():
                return self.referee.replied(say.seat, m.HasQuit(), 0)

    def answer(self, seat, answer):
        reply, seconds = answer if type(answer) is tuple else (answer, 0)
        if isinstance(reply, str):
            reply = m.Moved(self.rules.parse(reply))
        return self.referee.replied(seat, reply, round(seconds * S))

    @property
    def outcome(self):
        assert self.referee.is_over
        return self.referee.outcome

    def record(self):
        return self.referee.record("2026-11-21T06:00:00+00:00", 0, [Closing(), Closing()])


def ruling(outcome):
    return outcome.winner, outcome.ending, outcome.seat


RULINGS = [
    # black's answers, white's answers, winner, ending, whose doing, words of the detail
    (["C3", "pass"], ["pass"], 0, Ending.SCORE, None, ""),
    (["C3", m.Resigned()], ["D4"], 1, Ending.RESIGNATION, 0, ""),
    ([m.ClaimedWin()], [], 0, Ending.CLAIM, 0, "claim"),
    ([m.Malformed("zz99")], [], 1, Ending.ILL_FORMED_MOVE, 0, "forfeit by x: ill-formed move 'zz99'"),
    (["C3", "C3"], ["D4"], 1, Ending.ILLEGAL_MOVE, 0, "occupied"),
    (["C3"], ["C3"], 0, Ending.ILLEGAL_MOVE, 1, "forfeit by y"),
    ([m.Unsupported("out of ideas")], [], 1, Ending.REJECTION, 0, "out of ideas"),
    (["C3"], [m.RejectedMove("illegal move", as_illegal=True)], 0, Ending.REJECTION, 1, "C3 is legal, but"),
    (["C3"], [m.RejectedMove("syntax error", as_illegal=False)], 0, Ending.REJECTION, 1, "syntax error"),
    (["C3"], [m.Broken(FaultKind.EXIT, "exited (signal 11)")], 0, Ending.FAULT, 1, "signal 11"),
    ([m.Broken(FaultKind.PROTOCOL, "two\nlines")], [], 1, Ending.FAULT, 0, "two lines"),
]


@pytest.mark.parametrize(("black", "white", "winner", "ending", "seat", "words"), RULINGS)
def test_the_right_side_loses_for_the_right_reason(black, white, winner, ending, seat, words):
    outcome = Seats(black, white).run().outcome
    assert ruling(outcome) == (winner, ending, seat)
    assert words in outcome.detail
    assert outcome.detail.isprintable()


def test_a_move_against_the_rules_is_kept_beside_those_that_were_played():
    record = Seats([("C3", 1), ("C3", 2)], ["D4"]).run().record()
    assert record.refused == Played(0, "C3", 2 * S)
    assert len(record.turns) == 2
    assert Seats([m.Malformed("zz99")], []).run().record().refused is None


REFUSED = m.RejectedMove("refused play b C3: 'illegal move'", as_illegal=True)
TROMP_TAYLOR = {"options": {"board_size": 5, "komi": 0.5, "ruleset": "tromp-taylor"}}
NO_RULESET = {"options": {"board_size": 5, "komi": 0.5, "ruleset": "none"}}


@pytest.mark.parametrize(
    ("changes", "loser", "ending", "words"),
    [
        ({}, 1, Ending.REJECTION, "forfeit by y: C3 is legal, but refused play b C3: 'illegal move'"),
        (NO_RULESET, 0, Ending.ILLEGAL_MOVE, "forfeit by x: y says that C3 is illegal"),
        (
            TROMP_TAYLOR,
            1,
            Ending.REJECTION,
            "forfeit by y: C3 is legal, but refused play b C3: 'illegal move'",
        ),
        (TROMP_TAYLOR | {"refused_moves": "mover"}, 0, Ending.ILLEGAL_MOVE, "y says that C3 is illegal"),
        (NO_RULESET | {"refused_moves": "refuser"}, 1, Ending.REJECTION, "forfeit by y: C3 is legal"),
    ],
)
def test_who_refuses_a_legal_move_loses_where_a_ruleset_decides(changes, loser, ending, words):
    outcome = Seats(["C3"], [REFUSED], **changes).run().outcome
    assert ruling(outcome) == (1 - loser, ending, loser)
    assert words in outcome.detail


COUNTS = [
    # what the engines say, which of them were told the rules, the warnings; White has nothing: B+24.5
    (("B+24.5", "B+24.5"), (True, True), ()),
    (("B+24.5", "W+3.5"), (True, True), ("y was told the rules and says 'W+3.5'",)),
    (("B+20.5", "W+3.5"), (True, False), ("x was told the rules and says 'B+20.5'",)),
    (("0", ""), (True, True), ("x was told the rules and says '0'",)),
    (("B+", ""), (True, True), ()),
]


@pytest.mark.parametrize(("opinions", "told", "warnings"), COUNTS)
def test_an_engine_that_was_told_the_rules_and_counts_otherwise_is_warned_of(opinions, told, warnings):
    seats = Seats(["C3", "pass"], ["pass"], opinions=opinions, told=told, scorer="internal").run()
    assert ruling(seats.outcome) == (0, Ending.SCORE, None)
    assert seats.outcome.margin == 24.5
    result = seats.record().result
    assert result.warnings == warnings
    said = [opinion if is_told else "" for opinion, is_told in zip(opinions, told, strict=True)]
    assert list(result.scores) == said


def test_nobody_is_asked_for_the_score_of_a_game_that_was_not_counted():
    seats = Seats(["C3", m.Resigned()], ["D4"], opinions=("B+1", "B+1"), told=(True, True)).run()
    assert not [each for seat in seats.requests for each in seat if isinstance(each, m.AskScore)]


def test_forfeits_are_warned_of_and_the_bad_move_is_not_in_the_record():
    seats = Seats(["C3", "D4"], ["D4"]).run()
    record = seats.record()
    assert [move for turn in record.turns for (_, move, *_) in turn] == ["C3", "D4"]
    assert record.result.warnings == (record.result.outcome.detail,)
    assert record.result.outcome.is_forfeit


def test_an_engine_is_told_of_the_turns_it_has_not_heard():
    seats = Seats(["C3", "D4", m.Resigned()], ["B2", "A1"]).run()
    parse = seats.rules.parse
    news = [request.news for request in seats.requests[1] if isinstance(request, m.AskMove)]
    assert news == [((((0, parse("C3")),)),), (((1, parse("B2")),), ((0, parse("D4")),))]


def test_the_last_move_is_told_and_a_refusal_of_it_changes_nothing():
    seats = Seats(["C3", "pass"], ["pass"])
    seats.respond = lambda say, respond=seats.respond: (
        seats.referee.replied(say.seat, m.RejectedMove("illegal move", as_illegal=True), 0)
        if isinstance(say.request, m.TellMoves)
        else respond(say)
    )
    assert seats.run().outcome.winner == 0
    assert any(isinstance(request, m.TellMoves) for request in seats.requests[1])
    assert seats.dismissed == {0: True, 1: True}


SCORES = [
    # what the engines say, winner, margin, level, words
    (("", ""), None, None, False, "no score reported"),
    (("B+3.5", ""), 0, 3.5, False, ""),
    (("", "W+2"), 1, 2, False, ""),
    (("B+3.5", "B+3.5"), 0, 3.5, False, ""),
    (("B+3.5", "B+4.5"), 0, None, False, "unknown margin"),
    (("B+3.5", "B+"), 0, None, False, "unknown margin"),
    (("B+", "B+"), 0, None, False, "unknown margin"),
    (("B+3.5", "W+3.5"), None, None, False, "players disagreed"),
    (("0", "W+3.5"), None, None, False, "players disagreed"),
    (("0", "0"), None, 0, True, ""),
    (("0", ""), None, 0, True, ""),
    (("who knows", ""), None, None, False, "no score reported"),
]


@pytest.mark.parametrize(("opinions", "winner", "margin", "level", "words"), SCORES)
def test_engines_opinions_make_the_score_as_the_table_says(opinions, winner, margin, level, words):
    if opinions[0] == "who knows":
        seats = Seats(["pass"], ["pass"], scorer="players")
        seats.opinions[0] = m.Scored("who knows")
    else:
        seats = Seats(["pass"], ["pass"], opinions=opinions, scorer="players")
    outcome = seats.run().outcome
    assert (outcome.winner, outcome.margin, outcome.is_level, outcome.detail) == (
        winner,
        margin,
        level,
        words,
    )
    assert outcome.ending is Ending.SCORE
    assert seats.record().result.scores == opinions


def test_an_engine_that_dies_when_asked_for_the_score_leaves_it_to_the_other():
    seats = Seats(["pass"], ["pass"], opinions=("", "W+2"), scorer="players")
    seats.opinions[0] = m.Broken(FaultKind.EXIT, "exited (exit 1)")
    assert seats.run().outcome.winner == 1
    assert seats.record().result.late == ("x: when asked for the score: exited (exit 1)",)


@pytest.mark.parametrize(
    ("scorer", "words"), [("judge", "waiting for the judge"), ("engine", "not scored yet")]
)
def test_who_has_no_seat_scores_later_and_what_the_seats_think_is_in_the_record(scorer, words):
    seats = Seats(["pass"], ["pass"], opinions=("B+2", "W+2"), scorer=scorer).run()
    assert (seats.outcome.points, seats.outcome.ending, seats.outcome.detail) == (None, Ending.SCORE, words)
    assert seats.record().result.scores == ("B+2", "W+2")


def test_the_move_limit_stops_an_undecided_game():
    outcome = Seats(["C3", "D4"], ["B2"], move_limit=3).run().outcome
    assert (outcome.points, outcome.ending) == (None, Ending.MOVE_LIMIT)


def test_the_second_pass_on_the_move_limit_still_ends_the_game_by_score():
    assert Seats(["C3", "pass"], ["pass"], move_limit=3).run().outcome.ending is Ending.SCORE


def test_time_is_checked_before_legality():
    seats = Seats(["C3", ("C3", 11)], ["D4"], clock=TimeControl.parse("10s")).run()
    assert ruling(seats.outcome) == (1, Ending.TIME, 0)
    assert "used 11.000s with 10.000s left" in seats.outcome.detail


def test_a_loss_on_time_says_by_how_much_however_little():
    seats = Seats([("C3", 10.000004)], [], clock=TimeControl.parse("10s")).run()
    assert "used 10.000004s with 10.000000s left" in seats.outcome.detail


def test_who_has_spent_a_clock_to_the_last_tick_is_asked_before_it_loses():
    seats = Seats([("C3", 10), ("pass", 0)], ["D4", "pass"], clock=TimeControl.parse("10s")).run()
    assert seats.outcome.ending is Ending.SCORE
    asked = [request for request in seats.requests[0] if isinstance(request, m.AskMove)]
    assert [request.clock.main for request in asked] == [10 * S, 0]


def test_who_is_asked_with_nothing_on_a_cpu_clock_loses_when_it_has_used_some():
    seats = Seats([("C3", 10)], ["D4"], clock=TimeControl(main=10 * S, meter=Meter.CPU)).run()
    assert [type(action) for action in seats.referee.expired(0, 0, 2_000_000)] == [Wait]
    seats.queue = seats.referee.expired(0, 1_000_000, 4_000_000)
    assert ruling(seats.run().outcome) == (1, Ending.TIME, 0)
    assert "used 0.001s with 0.000s left" in seats.outcome.detail


def test_each_seat_has_its_own_clock_when_its_player_has_one():
    fast = Player(code="y", command=("y",), clock=TimeControl.parse("1s"))
    players = (Player(code="x", command=("x",)), fast)
    seats = Seats([("C3", 100)], [("D4", 2)], players=players).run()
    assert ruling(seats.outcome) == (0, Ending.TIME, 1)


def thinking(**changes):
    seats = Seats([], [], **changes)
    patience = None
    for action in seats.queue:
        for said in seats.respond(action):
            patience = said.patience
    return seats, patience


def test_silence_without_a_clock_ends_at_the_move_budget():
    seats, patience = thinking()
    assert patience == 600 * S
    seats.queue = seats.referee.expired(0, patience, patience)
    assert ruling(seats.run().outcome) == (1, Ending.FAULT, 0)
    assert "gave no answer for 10m" in seats.outcome.detail
    assert seats.dismissed == {0: False, 1: True}


def test_silence_under_a_clock_is_a_loss_on_time():
    seats, patience = thinking(clock=TimeControl.parse("10s + 2s/move", margin=S))
    assert patience == 11 * S
    seats.queue = seats.referee.expired(0, patience, patience)
    assert ruling(seats.run().outcome) == (1, Ending.TIME, 0)


def test_a_cpu_clock_that_has_not_run_out_is_waited_for():
    seats, patience = thinking(clock=TimeControl.parse("10s"))
    assert seats.referee.expired(0, 4 * S, patience) == [Wait(0, 6 * S)]
    seats.queue = seats.referee.expired(0, 4 * S, 600 * S)
    assert ruling(seats.run().outcome) == (1, Ending.FAULT, 0)


def test_an_engine_that_does_not_read_is_called_so():
    seats, patience = thinking()
    seats.queue = seats.referee.expired(0, patience, patience, deaf=True)
    assert "did not read" in seats.run().outcome.detail


def test_the_opponent_who_was_still_thinking_is_dismissed_without_blame():
    seats, _ = thinking()
    seats.queue = seats.referee.replied(1, m.Broken(FaultKind.EXIT, "exited (exit 0)"), 0)
    assert ruling(seats.run().outcome) == (0, Ending.FAULT, 1)
    assert seats.dismissed == {0: False, 1: False}
    assert seats.record().result.late == ()


def test_an_engine_that_cannot_start_loses_and_the_other_goes_home():
    seats = Seats([], [])
    prepared = seats.queue
    seats.queue = seats.referee.replied(0, m.Ready(), 0)
    seats.queue += seats.referee.replied(1, m.Unsupported("boardsize 5 failed: too small"), 0)
    assert len(prepared) == 2
    outcome = seats.run().outcome
    assert ruling(outcome) == (0, Ending.FAULT, 1)
    assert "at start-up: boardsize 5 failed: too small" in outcome.detail


def test_trouble_after_the_end_is_noted_and_changes_nothing():
    seats = Seats(["C3", m.Resigned()], ["D4"])
    seats.respond = lambda say, respond=seats.respond: (
        seats.referee.broken(say.seat, FaultKind.EXIT, "exited (signal 6)")
        if isinstance(say.request, m.Quit) and say.seat == 1
        else respond(say)
    )
    assert seats.run().outcome.winner == 1
    assert seats.record().result.late == ("y: when told to quit: exited (signal 6)",)


def test_remarks_go_to_their_move_and_those_without_one_to_the_end():
    seats, _ = thinking()
    referee, parse = seats.referee, seats.rules.parse
    referee.replied(0, m.Moved(parse("C3")), 0)
    referee.replied(0, m.Comment("centre"), 0)
    referee.replied(1, m.Moved(parse("D4")), 0)
    seats.queue = referee.replied(0, m.Resigned(), 0)
    referee.replied(0, m.Comment("I am lost"), 0)
    seats.run()
    record = seats.record()
    assert [[played.comment for played in turn] for turn in record.turns] == [["centre"], [""]]
    assert record.final_remarks == ((0, "I am lost"),)


@pytest.mark.parametrize(
    ("remarks", "kept", "end"),
    [
        (["1234567890", ""], ["1234567890", ""], None),
        (["12345678", "abcdef"], ["12345678", "ab…"], 3),
        (["12345678901", "more"], ["1234567890…", ""], 1),
        (["碁" * 4, "x"], ["碁碁碁…", ""], 1),
    ],
)
def test_remarks_are_kept_within_their_budget_and_the_record_says_where_that_ends(remarks, kept, end):
    talkative = Player(code="x", command=("x",), budgets=Budgets(remarks=10))
    seats, _ = thinking(players=(talkative, Player(code="y", command=("y",))))
    referee, parse = seats.referee, seats.rules.parse
    for seat, move in ((0, "C3"), (1, "D4"), (0, "C2"), (1, "D2")):
        referee.replied(seat, m.Moved(parse(move)), 0)
        referee.replied(seat, m.Comment(remarks.pop(0) if seat == 0 else "as much as it likes"), 0)
    seats.queue = referee.replied(0, m.Resigned(), 0)
    record = seats.run().record()
    assert [turn[0].comment for turn in record.turns[::2]] == kept
    assert {turn[0].comment for turn in record.turns[1::2]} == {"as much as it likes"}
    text = f"x: said more than 10B about its moves: no more is kept from move {end} on"
    assert record.result.late == ((text,) if end else ())


def test_free_handicap_is_placed_by_black_and_counts_neither_as_move_nor_as_turn_of_the_limit():
    options = {"board_size": 9, "komi": 0.5, "handicap": 2, "handicap_style": "free"}
    black = ["C3 G7", m.Resigned()]
    seats = Seats(black, ["E5"], options=options, move_limit=2).run()
    asked = [request.phase for request in seats.requests[0] if isinstance(request, m.AskMove)]
    assert asked == ["handicap", ""]
    assert seats.record().turns[0][0].phase == "handicap"


class MarkedRules:
    """Go in whose special phase every move at C3 is plainly a pass; the phase is White's first turn."""

    def __init__(self, rules):
        self._rules = rules

    def __getattr__(self, name):
        return getattr(self._rules, name)

    def phase(self, position):
        return "special" if position.black and not position.white else ""

    def simplify(self, position, move):
        return self._rules.parse("pass") if self._rules.format(move) == "C3" else move


@pytest.mark.parametrize("knows_rules", [True, False])
def test_an_engine_that_does_not_know_all_the_rules_is_told_plain_moves(knows_rules):
    seats = Seats(["D4", m.Resigned()], ["C3"], move_limit=2)
    seats.referee = Referee(seats.spec, MarkedRules(seats.rules))
    seats.queue = seats.referee.begin()
    respond = seats.respond
    seats.respond = lambda say: (
        seats.referee.replied(say.seat, m.Ready(knows_rules=knows_rules), 0)
        if isinstance(say.request, m.NewGame)
        else respond(say)
    )
    seats.run()
    told = seats.requests[0][2].news[-1]
    assert told == ((1, seats.rules.parse("C3" if knows_rules else "pass")),)
    record = seats.record()
    assert [turn[0].move for turn in record.turns] == ["D4", "C3"]
    assert record.turns[1][0].phase == "special"
    assert record.result.outcome.ending is Ending.RESIGNATION, "the special phase has no move limit"


def test_an_engine_that_cannot_score_is_not_asked():
    seats = Seats(["pass"], ["pass"], opinions=("B+1", "W+2"), scorer="players")
    respond = seats.respond
    seats.respond = lambda say: (
        seats.referee.replied(say.seat, m.Ready(can_score=say.seat == 1), 0)
        if isinstance(say.request, m.NewGame)
        else respond(say)
    )
    assert seats.run().outcome.winner == 1
    assert not any(isinstance(request, m.AskScore) for request in seats.requests[0])
