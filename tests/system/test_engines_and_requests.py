"""Real engines that play against somebody who takes moves back and asks for a hint."""

import shutil
import sys

import pytest

from gyoji import api
from gyoji.core.outcome import Ending

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(GNUGO is None, reason="no gnugo: install Debian's package gnugo"),
]

GO = {"board_size": 5, "komi": 0.5}
OURS = (sys.executable, "-m")
ENGINES = {
    "GNU Go": ("go", GO, "gtp", (str(GNUGO), "--mode", "gtp", "--level", "1")),
    "kozo": ("go", GO, "gtp", (*OURS, "gyoji.engines.kozo")),
    "narabe": ("gomoku", {"board_size": 10}, "gomocup", (*OURS, "gyoji.engines.narabe")),
}


def played(name, answers, **options):
    """Return the record of a game with that engine, and the notices that its opponent, who moves first, has
    had.
    """
    game, settings, protocol, command = ENGINES[name]
    engine = api.Player(code="engine", command=command, protocol=protocol, options=options)
    notices, answers = [], list(answers)

    def answer(question):
        notices.append(question.notice)
        said = answers.pop(0)
        return next(iter(question.legal())) if said == "any" else said

    record = api.play(
        game, [answer, engine], names=["somebody", ""], requests=["take-back", "hint"], **settings
    )
    return record, [notice for notice in notices if notice]


@pytest.mark.parametrize("name", ENGINES)
def test_a_move_is_taken_back_and_the_engine_plays_on_from_where_the_game_is(name):
    back = api.WantsTakeBack()
    record, _ = played(name, ["any", "any", back, back, "any", "any", "any", back, "any", api.Resigned()])
    result = record.result
    assert (result.outcome.ending, result.outcome.seat) == (Ending.RESIGNATION, 0)
    assert (len(record.turns), [each.turn for each in record.taken_back]) == (6, [2, 0, 4])
    assert (result.warnings, result.late) == ((), ())


@pytest.mark.parametrize("name", ENGINES)
def test_an_engine_gives_hints_its_opponent_and_plays_on(name):
    ask = api.WantsHint()
    record, notices = played(name, ["any", ask, "any", ask, api.WantsTakeBack(), ask, "any", api.Resigned()])
    assert (record.result.outcome.ending, record.result.outcome.seat) == (Ending.RESIGNATION, 0)
    assert [notice.split(": ")[0] for notice in notices] == ["hint"] * 3
    assert (record.result.warnings, record.result.late) == ((), ())


def test_gnu_go_says_what_it_thinks_of_its_moves():
    record, _ = played("GNU Go", ["C3", "any", api.Resigned()], evaluate=True)
    said = [(each.turn, each.seat) for each in record.opinions]
    assert said == [(1, 1), (3, 1)]
    assert all(each.evaluation.score is not None for each in record.opinions)
