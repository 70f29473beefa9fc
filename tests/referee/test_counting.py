"""The outcome of a game after both sides have passed: dead stones, and engines that count."""

import pytest

from gyoji.core import messages as m
from gyoji.core.faults import FaultKind
from gyoji.core.outcome import Ending
from gyoji.core.replay import counted, play_over
from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.games.go.game_options import Options as GoOptions
from gyoji.games.go.rules import rules as go_rules
from gyoji.protocols.gtp.dialogues import read_score
from gyoji.referee.referee import Referee
from gyoji.referee.review import Review
from gyoji.referee.seat_state import Closing, Dismiss, Send

# Black has the two columns on the left, White a wall in the third; E3 is a black stone behind it:
#  5 . X O . .
#  4 . X O . .
#  3 . X O . X
#  2 . X O . .
#  1 . X O . .
#    A B C D E
BLACK = ["B1", "B2", "B3", "B4", "B5", "E3", "pass"]
WHITE = ["C1", "C2", "C3", "C4", "C5", "pass"]
ALIVE, DEAD = (0, 5.5), (1, 5.5)
"""(winner, margin) with E3 alive, and without it."""
TAKING = (["pass"] * 3, ["E2", "E4", "D3", "pass"])
"""What each side plays when White takes E3 off; then the other passes."""

BROKEN = m.Broken(FaultKind.EXIT, "exited (exit 1)")
CLEAN = {"cleans_up": True}


class Table:
    """Two seats that play from their lists, and name dead stones from theirs, as often as they are asked.

    ready: for each seat, what its engine can do; after: the moves of each once both have passed.
    """

    def __init__(self, *, dead=(None, None), scores=((), ()), after=((), ()), ready=({}, {}), **changes):
        options = {"board_size": 5, "komi": 0.5, "ruleset": "tromp-taylor", **changes.pop("options", {})}
        players = tuple(Player(code=code, command=(code,)) for code in "xy")
        self.spec = GameSpec(
            **{"id": "0", "pairing": "0", "game": "go", "players": players, "options": options} | changes
        )
        self.rules = go_rules(GoOptions(**options))
        self.referee = Referee(self.spec, self.rules)
        self.moves = [[*BLACK, *after[0]], [*WHITE, *after[1]]]
        self.dead, self.scores, self.ready = [list(each or ()) for each in dead], scores, ready
        self.cannot_tell = [each is None for each in dead]
        self.asked = []  # (seat, phase or what else it was asked)
        self.notices, self.questions = [], []  # (seat, notice) and (seat, request) about dead stones
        queue = self.referee.begin()
        while queue:
            action = queue.pop(0)
            if isinstance(action, Send):
                reply = self.reply(action.seat, action.request)
                if reply is not None:
                    queue += self.referee.replied(action.seat, reply, 0)
            else:
                assert isinstance(action, Dismiss)

    def reply(self, seat, request):
        match request:
            case m.NewGame():
                return m.Ready(**self.ready[seat])
            case m.AskMove():
                self.asked.append((seat, request.phase))
                if request.notice:
                    self.notices.append((seat, request.notice))
                move = self.moves[seat].pop(0) if self.moves[seat] else "pass"
                return m.Moved(self.rules.parse(move))
            case m.TellMoves():
                return m.Acknowledged()
            case m.AskScore(wants_score=False):
                self.asked.append((seat, "dead"))
                self.questions.append((seat, request))
                if self.cannot_tell[seat]:
                    return m.Scored()
                named = self.dead[seat].pop(0) if self.dead[seat] else ""
                return named if isinstance(named, m.Broken) else m.Scored(dead=tuple(named.split()))
            case m.AskScore():
                self.asked.append((seat, "score"))
                return self.scores[seat] or m.Scored()
            case m.Quit():
                return m.HasQuit()

    @property
    def result(self):
        assert self.referee.is_over
        self.record = self.referee.record("2026-11-22T06:00:00+00:00", 0, [Closing(), Closing()])
        return self.record.result

    def ending(self):
        """((winner, margin), how dead stones were settled, those that were named, turns)."""
        result = self.result
        assert result.outcome.ending is Ending.SCORE
        again = self.rules.outcome(
            counted(self.rules, self.record.result, play_over(self.rules, self.record)[1])
        )
        assert (again.points, again.margin) == (result.outcome.points, result.outcome.margin)
        outcome = result.outcome
        return (outcome.winner, outcome.margin), result.settled, result.dead, result.turns


SETTLED = {
    "both name it": ({"dead": (["E3"], ["E3"])}, DEAD, "agreement", ("E3",), 13),
    "one of its points will do": ({"dead": (["E3 E3 A9 Z1 D1"], ["E3"])}, DEAD, "agreement", ("E3",), 13),
    "nobody names one": ({"dead": ([], [])}, ALIVE, "agreement", (), 13),
    "they differ, and it is taken": ({"dead": ([], ["E3"]), "after": TAKING}, DEAD, "dispute", (), 20),
    "they differ, and nobody plays": ({"dead": ([], ["E3", "E3"])}, ALIVE, "dispute", (), 15),
    "they differ, and agree later": ({"dead": (["", "E3"], ["E3", "E3"])}, DEAD, "dispute", ("E3",), 15),
    "a liar gains nothing": ({"dead": (["C1"], ["E3", "E3 B1"])}, ALIVE, "dispute", (), 15),
    "one cannot tell, the other gives it up": ({"dead": (["E3"], None)}, DEAD, "agreement", ("E3",), 13),
    "one cannot tell, and it is disputed": ({"dead": (None, ["E3", "E3"])}, ALIVE, "dispute", (), 15),
    "neither can tell": ({"dead": (None, None)}, ALIVE, "", (), 13),
    "one breaks down, the other's word counts": (
        {"dead": ([BROKEN], ["E3"])},
        DEAD,
        "agreement",
        ("E3",),
        13,
    ),
    "both can clean up": ({"ready": (CLEAN, CLEAN), "after": TAKING}, DEAD, "play", (), 20),
    "both clean up and leave it": ({"ready": (CLEAN, CLEAN)}, ALIVE, "play", (), 15),
    "one can clean up": ({"ready": (CLEAN, {}), "dead": (["E3"], ["E3"])}, DEAD, "agreement", ("E3",), 13),
    "by play, whoever can": ({"options": {"dead_stones": "play"}, "after": TAKING}, DEAD, "play", (), 20),
    "by agreement, although both could play": (
        {"options": {"dead_stones": "agreement"}, "ready": (CLEAN, CLEAN), "dead": (["E3"], ["E3"])},
        DEAD,
        "agreement",
        ("E3",),
        13,
    ),
    "all are alive": ({"options": {"dead_stones": "alive"}, "ready": (CLEAN, CLEAN)}, ALIVE, "", (), 13),
    "to the letter": (
        {"options": {"ruleset": "tromp-taylor +literal"}, "dead": (["E3"], ["E3"])},
        ALIVE,
        "",
        (),
        13,
    ),
    "no ruleset": ({"options": {"ruleset": ""}, "dead": (["E3"], ["E3"])}, ALIVE, "", (), 13),
    "a program that cannot play on": (
        {"ready": ({"resumes": False}, {}), "dead": (None, ["E3"])},
        ALIVE,
        "dispute",
        (),
        13,
    ),
}


@pytest.mark.parametrize("name", SETTLED)
def test_it_is_settled_which_stones_are_dead_before_the_rules_count(name):
    settings, counted, settled, dead, turns = SETTLED[name]
    assert Table(**settings).ending() == (counted, settled, dead, turns)


def test_engines_that_were_told_the_rules_have_taken_dead_stones_off_before_they_passed():
    told = {"cleans_up": True, "knows_rules": True, "can_score": False}
    table = Table(ready=(told, told))
    assert table.ending() == (ALIVE, "", (), 13)
    assert ("dead" in dict(table.asked).values()) is False


HUMANS = {
    "an engine differs": (
        (["B1"], ["E3"]),
        {0: "You differ about B1, E3: you call B1 dead, y calls E3 dead."},
    ),
    "an engine names nothing": ((["C1"], None), {0: "you call C1 dead."}),
    "two people differ": (
        ([], ["E3"]),
        {
            0: "You differ about E3: you call none dead, y calls E3 dead.",
            1: "You differ about E3: x calls none dead, you call E3 dead.",
        },
    ),
    "they agree": ((["E3"], ["E3"]), {}),
}


@pytest.mark.parametrize("name", HUMANS)
def test_a_person_is_told_what_the_other_side_calls_dead_and_why_play_goes_on(name):
    dead, notices = HUMANS[name]
    people = "two people" in name
    players = (
        Player(code="x", command=(), executor=PERSON),
        Player(code="y", command=(), executor=PERSON) if people else Player(code="y", command=("y",)),
    )
    table = Table(dead=dead, players=players)
    claims = {0: (), 1: ()} if people or dead[1] is None else {0: ((1, ("E3",)),), 1: ()}
    first = {seat: request.claims for seat, request in reversed(table.questions)}
    assert first == claims
    assert dict(reversed(table.notices)) == {
        seat: f"{text} Playing on costs nothing." for seat, text in notices.items()
    }


def test_a_person_who_hangs_up_before_it_is_asked_for_dead_stones_holds_nothing_up():
    players = (Player(code="x", command=(), executor=PERSON), Player(code="y", command=("y",)))
    assert Table(dead=([BROKEN], ["E3"]), players=players).ending() == (DEAD, "agreement", ("E3",), 13)


def test_play_that_went_on_has_a_phase_of_its_own_and_an_end():
    points = [f"{column}{row}" for row in (1, 2, 3, 4, 5) for column in "DE"]
    table = Table(ready=(CLEAN, CLEAN), after=(["A1", "pass"] * 40, ["pass", *points] * 9))
    assert {phase for _, phase in table.asked[13:]} == {"cleanup"}
    assert {phase for _, phase in table.asked[:13]} == {""}
    assert table.result.turns <= 13 + 50


def test_an_engine_that_never_passes_again_does_not_hold_the_game_up():
    white = ["D1", "E1", "D2", "E2", "D4", "E4", "D5", "E5"]
    black = ["A1", "A2", "A4", "A5"]
    table = Table(ready=(CLEAN, CLEAN), after=(black, white), options={"ruleset": "chinese"})
    assert table.result.outcome.points is not None


TERRITORY = {"options": {"ruleset": "japanese"}}
J_ALIVE, J_DEAD = (0, 4.5), (1, 6.5)


PHASES = {
    "both name it": ({"dead": (["E3"], ["E3"])}, J_DEAD, "agreement", ("E3",), 13),
    "both name it, and both could clean up": (
        {"ready": (CLEAN, CLEAN), "dead": (["E3"], ["E3"])},
        J_DEAD,
        "agreement",
        ("E3",),
        13,
    ),
    "both name none, and both could clean up": (
        {"ready": (CLEAN, CLEAN), "dead": ([], [])},
        J_ALIVE,
        "agreement",
        (),
        13,
    ),
    "they differ": ({"dead": ([], ["E3"])}, J_ALIVE, "dispute", (), 17),
    "they differ, and it is taken in the second phase": (
        {"dead": ([], ["E3"]), "after": (["pass"] * 5, ["pass", "E2", "E4", "D3", "pass"])},
        J_DEAD,
        "dispute",
        (),
        22,
    ),
    "they differ about another group": (
        {"dead": (["E3"], ["E3 B1"])},
        J_DEAD,
        "dispute",
        ("E3",),
        17,
    ),
    "what both named has grown since": (
        {"dead": (["E3"], ["E3 B1"]), "after": (["E4"], [])},
        J_ALIVE,
        "dispute",
        (),
        19,
    ),
    "one cannot tell": ({"dead": (["E3"], None)}, J_ALIVE, "play", (), 17),
    "neither can tell": ({"dead": (None, None)}, J_ALIVE, "play", (), 17),
    "one cannot tell, and they are to agree": (
        {"dead": (["E3"], None), "options": {"ruleset": "japanese", "dead_stones": "agreement"}},
        J_DEAD,
        "agreement",
        ("E3",),
        13,
    ),
    "they are to play": (
        {"dead": (["E3"], ["E3"]), "options": {"ruleset": "japanese", "dead_stones": "play"}},
        J_ALIVE,
        "",
        (),
        17,
    ),
}


@pytest.mark.parametrize("name", PHASES)
def test_under_territory_rules_the_clean_up_phases_follow_unless_the_engines_agree(name):
    settings, counted, settled, dead, turns = PHASES[name]
    table = Table(**{**TERRITORY, **settings})
    assert table.ending() == (counted, settled, dead, turns)
    assert ((0, "dead") in table.asked) == (settled != "")


@pytest.mark.parametrize("dead", [([], ["E3"]), (None, ["E3"])])
def test_a_person_rules_where_the_engines_do_not_agree_if_the_setting_says_so(dead):
    table = Table(dead=dead, disputed_score="judge", **TERRITORY)
    assert (table.result.outcome.detail, table.result.turns) == ("waiting for the judge", 13)
    assert judged_again(table) == []


@pytest.mark.parametrize("scorer", ["players", "engine", "judge"])
def test_no_clean_up_phases_are_played_where_the_rules_do_not_count(scorer):
    table = Table(ready=(CLEAN, CLEAN), scorer=scorer, scores=(said("W+6.5"), said("W+6.5")), **TERRITORY)
    assert table.result.turns == 13
    assert {phase for _, phase in table.asked} == {"", "score"}
    if scorer == "players":
        assert (table.result.outcome.winner, table.result.outcome.margin) == J_DEAD


def judged_again(table):
    """Return the differences that a review of the table's record finds."""
    table.result  # noqa: B018 (makes the record)
    return Review(table.spec, table.rules, table.record, (read_score, read_score)).differences


@pytest.mark.parametrize("name", PHASES)
def test_the_record_says_what_was_agreed_so_that_it_is_judged_the_same_again(name):
    settings = PHASES[name][0]
    assert judged_again(Table(**{**TERRITORY, **settings})) == []


@pytest.mark.parametrize(("scorer", "way"), [("internal", "auto"), ("internal", "play"), ("judge", "auto")])
def test_no_clean_up_phase_is_recorded_that_a_program_cannot_play(scorer, way):
    ready = ({"resumes": False, "can_score": False},) * 2
    settings = {**TERRITORY, "options": {**TERRITORY.get("options", {}), "dead_stones": way}}
    table = Table(ready=ready, scorer=scorer, **settings)
    assert table.result.turns == 13
    assert {played.phase for turn in table.record.turns for played in turn} == {""}
    assert table.result.outcome.detail == ("waiting for the judge" if scorer == "judge" else "")


# Engines that count


def said(text):
    margin = float(text[2:]) if text[2:] else None
    margin = margin if margin is None or 0 < margin < float("inf") else float("inf")
    return m.Scored(text, "BW".index(text[0]), margin=margin)


PLAYERS = {"scorer": "players", "options": {"ruleset": ""}}


@pytest.mark.parametrize("lie", ["B+999", "B+nan", "B+inf", "B+-3", "B+81"])
def test_a_score_that_cannot_be_is_left_out_with_a_warning(lie):
    result = Table(scores=(said(lie), said("W+5.5")), **PLAYERS).result
    assert (result.outcome.winner, result.outcome.margin) == (1, 5.5)
    assert result.warnings == (f"x: final_score {lie!r} is impossible here, and left out",)
    assert result.scores == (lie, "W+5.5")


def test_by_area_nobody_can_win_by_more_than_the_board():
    area = {"scorer": "players"}
    assert Table(scores=(said("B+25"), said("W+5.5")), **area).result.outcome.winner == 1
    assert Table(scores=(said("B+24.5"), said("W+5.5")), **area).result.outcome.points is None


DISPUTES = {
    "both name the same stones": ("W+5.5", {"dead": (["E3"], ["E3"])}, DEAD, "", "agreement"),
    "both name none": ("W+5.5", {"dead": ([], [])}, ALIVE, "", "agreement"),
    "they name others": ("W+5.5", {"dead": ([], ["E3"])}, (None, None), "players disagreed", ""),
    "one cannot tell": ("W+5.5", {"dead": (None, ["E3"])}, (None, None), "players disagreed", ""),
    "the judge": (
        "W+5.5",
        {"dead": ([], ["E3"]), "disputed_score": "judge"},
        (None, None),
        "waiting for the judge",
        "",
    ),
    "another engine": (
        "W+5.5",
        {"dead": ([], ["E3"]), "disputed_score": "engine"},
        (None, None),
        "not scored yet",
        "",
    ),
    "gomill": (
        "W+5.5",
        {"dead": (["E3"], ["E3"]), "disputed_score": "undecided"},
        (None, None),
        "players disagreed",
        "",
    ),
    "a margin": ("B+3.5", {"dead": ([], [])}, ALIVE, "", "agreement"),
    "a winner that both name stays": (
        "B+3.5",
        {"dead": (["E3"], ["E3"])},
        (0, None),
        "unknown margin",
        "",
    ),
}


@pytest.mark.parametrize("name", DISPUTES)
def test_scores_that_differ_go_to_the_dead_stones_and_then_to_who_decides(name):
    white, settings, counted, detail, settled = DISPUTES[name]
    result = Table(scores=(said("B+5.5"), said(white)), **PLAYERS, **settings).result
    assert (result.outcome.winner, result.outcome.margin) == counted
    assert (result.outcome.detail, result.settled) == (detail, settled)


def test_engines_that_agree_are_not_asked_for_dead_stones():
    table = Table(scores=(said("B+5.5"), said("B+5.5")), **PLAYERS)
    assert [what for _, what in table.asked if what] == ["score", "score"]
