"""Games scored by an engine without a seat, with real processes."""

import sys

import pytest

from gyoji.core.outcome import Ending
from gyoji.core.spec import Budgets, GameSpec, Player
from gyoji.core.text import parse_duration
from gyoji.play.engine_scoring import score_by_engine
from gyoji.play.game import play
from gyoji.play.order import Order

pytestmark = pytest.mark.process

KOZO = (sys.executable, "-m", "gyoji.engines.kozo")

SCRIPT = """
import sys
moves, score = sys.argv[1].split(), sys.argv[2]
for line in sys.stdin:
    word = line.split()[0]
    if word == "genmove":
        print("=", moves.pop(0) if moves else "pass", end="\\n\\n", flush=True)
    elif word == "final_score" and score == "hang":
        import time; time.sleep(60)
    elif word == "final_score" and score == "die":
        sys.exit(3)
    elif word == "play" and score == "refuse" or word == "final_score" and score == "fail":
        print("? no, thank you", end="\\n\\n", flush=True)
    elif word == "final_score":
        print("=", score, end="\\n\\n", flush=True)
    elif word == "final_status_list":
        print("= C3 D3" if score == "B+1" else "? unknown command", end="\\n\\n", flush=True)
    elif word == "protocol_version":
        print("= 2", end="\\n\\n", flush=True)
    elif word in ("list_commands", "known_command"):
        print("= final_score" if word == "list_commands" else "= true", end="\\n\\n", flush=True)
    else:
        print("=", end="\\n\\n", flush=True)
    if word == "quit":
        break
"""


def scripted(code, moves="", score="0"):
    # Who answers has time for it: a busy machine costs no answer.
    budgets = Budgets(score=parse_duration("300ms" if score == "hang" else "60s"))
    return Player(code=code, command=(sys.executable, "-c", SCRIPT, moves, score), budgets=budgets)


def game(scoring_player, scorer="engine"):
    players = (scripted("x", "C3 D3", score="W+99"), scripted("y", score="W+99"))
    return GameSpec(
        id="0_0",
        pairing="0",
        game="go",
        players=players,
        options={"board_size": 5, "komi": 2.5},
        scorer=scorer,
        scoring_player=scoring_player,
    )


def test_kozo_scores_a_game_of_others_and_the_record_names_it():
    record = play(Order(spec=game(Player(code="kozo", command=KOZO)))).record
    outcome = record.result.outcome
    assert (outcome.winner, outcome.margin, outcome.ending) == (0, 22.5, Ending.SCORE)
    assert outcome.detail == "scored by kozo: B+22.5"
    assert record.result.scores == ("W+99", "W+99"), "the players' own opinion is in the record too"


@pytest.mark.parametrize(
    ("score", "winner", "detail"),
    [
        ("W+3.5", 1, "scored by s: W+3.5"),
        ("0", None, "scored by s: 0"),
        ("B+", 0, "scored by s: B+"),
        ("who knows", None, "not scored by s: answered 'who knows'"),
        ("fail", None, "not scored by s: final_score failed: 'no, thank you'"),
        ("refuse", None, "not scored by s: "),
        ("die", None, "not scored by s: "),
        ("hang", None, "not scored by s: gave no answer for 0.3"),
    ],
)
def test_what_the_scoring_player_says_decides_and_its_failure_decides_nothing(score, winner, detail):
    report = play(Order(spec=game(scripted("s", score=score))))
    outcome = report.record.result.outcome
    assert outcome.winner == winner
    assert outcome.detail.startswith(detail)
    assert (outcome.points is None) == detail.startswith("not")
    assert outcome.ending is Ending.SCORE


def test_a_scoring_player_that_cannot_be_started_leaves_the_game_undecided():
    report = play(Order(spec=game(Player(code="s", command=("/nowhere/engine",)))))
    outcome = report.record.result.outcome
    assert outcome.points is None
    assert outcome.detail.startswith("not scored by s: ")


@pytest.mark.parametrize(("score", "dead"), [("B+1", ("C3", "D3")), ("B+2", None)])
def test_a_judged_game_is_appraised_later_with_its_dead_stones_if_the_engine_can_tell(score, dead):
    spec = game(scripted("s", score=score), scorer="judge")
    record = play(Order(spec=spec)).record
    assert record.result.outcome.detail == "waiting for the judge"
    opinion = score_by_engine(spec, record)
    assert (opinion.text, opinion.dead) == (score, dead)
