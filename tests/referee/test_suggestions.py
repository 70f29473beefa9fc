"""Engines that suggest moves to a human player, and limits that a human player changes during a game."""

import pytest
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending
from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.games.gomoku.game_options import Options, rules
from gyoji.referee.referee import Referee
from gyoji.referee.seat_state import Closing, Dismiss

S = 1_000_000_000
RULES = rules(Options(board_size=7))
SOMEBODY = m.Ready("somebody", tries_again=True, consents=True, chooses=True)
BRAIN = m.Ready("brain", knows_rules=True, takes_limits=True)


def move(text):
    return RULES.parse(text)


class Game:
    """A person, Black, and a brain; each seat says what it is given, and each answer takes a second."""

    def __init__(self, person, brain, *, ready=(SOMEBODY, BRAIN), protocol=PERSON, clock="none"):
        players = (
            Player(code="me", command=("me",), protocol=protocol),
            Player(code="brain", command=("brain",), protocol="gomocup"),
        )
        options = {"board_size": 7}
        self.spec = GameSpec(
            id="0",
            pairing="0",
            game="gomoku",
            players=players,
            options=options,
            clock=TimeControl.parse(clock),
        )
        self.referee = Referee(self.spec, RULES)
        self._answers, self._ready = (list(person), list(brain)), ready
        self.asked = ([], [])
        self.patience = []  # of the brain
        self.drive(self.referee.begin())

    def drive(self, actions):
        actions = [*actions]
        while actions:
            action = actions.pop(0)
            if not isinstance(action, Dismiss):
                self.asked[action.seat].append(action.request)
                if action.seat:
                    self.patience.append(action.patience)
                actions += self._respond(action)

    def _respond(self, say):
        seat, replied = say.seat, self.referee.replied
        match say.request:
            case m.NewGame():
                return replied(seat, self._ready[seat], 0)
            case m.TellMoves():
                return replied(seat, m.Acknowledged(), 0)
            case m.Quit():
                return replied(seat, m.HasQuit(), 0)
        if not self._answers[seat]:
            return []
        said = self._answers[seat].pop(0)
        return replied(seat, m.Moved(move(said)) if isinstance(said, str) else said, S)

    def requests(self, seat, kind):
        return [each for each in self.asked[seat] if isinstance(each, kind)]

    @property
    def record(self):
        return self.referee.record("2026-11-21T06:00:00+00:00", 0, [Closing(), Closing()])

    @property
    def moves(self):
        return [turn[0].move for turn in self.referee.log.annotated()]


def suggested(text):
    return m.Suggested(move(text))


def test_a_person_chooses_another_move_than_the_brain_suggests():
    game = Game(["d4", "c3", "a1", m.Resigned()], [suggested("d5"), "c3", "e5"])
    assert game.moves == ["d4", "c3", "a1", "e5"]
    (asked,) = game.requests(0, m.AskChoice)
    assert (asked.seat, asked.move, asked.news) == (1, move("d5"), (((0, move("d4")),),))
    assert asked.notice == "brain suggests d5: play it, or choose another move for it"
    assert game.requests(1, m.ImposeMove) == [m.ImposeMove(move("c3"))]
    assert [each.news for each in game.requests(0, m.AskMove)][1] == (((1, move("c3")),),)
    assert game.record.result.warnings == ("move 2: brain suggests d5, me chooses c3",)
    assert game.referee.outcome.ending is Ending.RESIGNATION


def test_the_suggestion_may_be_chosen_and_is_worth_no_line():
    game = Game(["d4", "d5", m.Resigned()], [suggested("d5"), "d5"])
    assert (game.moves, game.record.result.warnings) == (["d4", "d5"], ())


def test_a_choice_that_the_rules_refuse_is_asked_for_again():
    game = Game(["d4", "d4", "c3", m.Resigned()], [suggested("d5"), "c3"])
    assert [each.notice for each in game.requests(0, m.AskChoice)][1:] == ["occupied point d4"]
    assert [each.news for each in game.requests(0, m.AskChoice)][1:] == [()]
    assert game.moves == ["d4", "c3"]


def test_a_brain_that_does_not_obey_makes_the_move_that_it_answers():
    assert Game(["d4", "c3", m.Resigned()], [suggested("d5"), "e6"]).moves == ["d4", "e6"]


def test_where_no_person_plays_the_suggestion_is_played():
    game = Game(["d4", m.Resigned()], [suggested("d5"), "d5"], ready=(BRAIN, BRAIN))
    assert game.requests(1, m.ImposeMove) == [m.ImposeMove(move("d5"))]
    assert (game.moves, game.requests(0, m.AskChoice)) == (["d4", "d5"], [])


def test_a_person_who_gives_no_answer_lets_the_suggestion_be_played():
    game = Game(["d4"], [suggested("d5"), "d5"])
    game.drive(game.referee.expired(0, S, S))
    assert game.moves == ["d4", "d5"]


def test_a_person_may_resign_instead_of_choosing():
    outcome = Game(["d4", m.Resigned()], [suggested("d5")]).referee.outcome
    assert (outcome.ending, outcome.winner) == (Ending.RESIGNATION, 1)


def test_the_time_of_the_suggestion_and_of_the_move_is_that_of_one_move_and_the_choice_is_nobodys():
    game = Game(["d4", "c3", m.Resigned()], [suggested("d5"), "c3"], clock="10s")
    assert [turn[0].ns for turn in game.record.turns] == [S, 2 * S]
    assert [clock.main // S for clock in game.requests(0, m.AskMove)[-1].clocks] == [9, 8]
    assert game.record.extra_time == ()
    assert game.patience[1:3] == [10 * S, 9 * S]  # once asked, and once told


def test_both_parts_of_a_move_are_held_against_its_limit():
    outcome = Game(["d4", "c3"], [suggested("d5"), "c3"], clock="1500ms/move").referee.outcome
    assert (outcome.ending, outcome.winner) == (Ending.TIME, 0)
    late = Game(["d4"], [suggested("d5")], clock="500ms/move", ready=(SOMEBODY, BRAIN)).referee
    assert late.outcome.ending is Ending.TIME


def test_a_person_limits_the_engine_in_the_middle_of_a_game_and_it_is_told_once():
    request = m.WantsLimit(5 * S)
    game = Game(["d4", request, "a1", "a2", m.Resigned()], ["d5", "e5", "e6"])
    controls = [each.control for each in game.requests(1, m.AskMove)]
    assert controls == [None, TimeControl(move=5 * S), None]
    assert game.patience[1:4] == [600 * S, 5 * S, 5 * S]
    notices = [each.notice for each in game.requests(0, m.AskMove) if each.notice]
    assert notices == ["brain: 5s for each move from now on"]
    assert game.record.result.warnings == (f"before move 3: {notices[0]}",)


def test_the_new_limit_counts_and_may_be_taken_away_again():
    short, none = m.WantsLimit(S // 2), m.WantsLimit(0)
    outcome = Game(["d4", short, "a1"], ["d5", "e5"]).referee.outcome
    assert (outcome.ending, outcome.winner) == (Ending.TIME, 0)
    free = Game(["d4", short, none, "a1", m.Resigned()], ["d5", "e5"], clock="100s")
    assert (free.moves, free.referee._states[1].control.describe()) == (["d4", "d5", "a1", "e5"], "1m40s")


@pytest.mark.parametrize(
    ("changes", "notice"),
    [
        (
            {"ready": (SOMEBODY, replace(BRAIN, takes_limits=False))},
            "brain cannot be told another limit in the middle of a game",
        ),
        ({"protocol": "gtp"}, "only a person changes limits"),
    ],
)
def test_a_limit_is_not_always_to_be_changed(changes, notice):
    game = Game(["d4", m.WantsLimit(S), m.Resigned()], ["d5"], **changes)
    assert [each.notice for each in game.requests(0, m.AskMove) if each.notice] == [notice]
