"""Results as PGN: who is White, whose view the result is, and what a rating program has to find."""

import pytest
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import GameResult
from gyoji.report.pgn import pgn

RESULT = GameResult(
    id="AvB_07",
    pairing="AvB",
    players=("rapfi", "pela"),
    outcome=Outcome(points=won_by(0, 2), ending=Ending("five")),
    turns=33,
    engines=(),
    started="2026-11-21T01:00:00+00:00",
    wall_ns=1,
)


def test_a_whole_game():
    assert pgn(RESULT, event="cup", site="Brno") == (
        '[Event "cup"]\n'
        '[Site "Brno"]\n'
        '[Date "2026.11.21"]\n'
        '[Round "8"]\n'
        '[White "pela"]\n'
        '[Black "rapfi"]\n'
        '[Result "0-1"]\n'
        '[GameId "AvB_07"]\n'
        '[PlyCount "33"]\n'
        '[Termination "five"]\n'
        "\n"
        "0-1\n"
        "\n"
    )


def told(**changes):
    """White, Black and the result of a game."""
    tags = dict(line[1:-2].split(' "', 1) for line in tagged(pgn(replace(RESULT, **changes), event="cup")))
    return tags["White"], tags["Black"], tags["Result"]


def tagged(text):
    return [line for line in text.splitlines() if line.startswith("[")]


@pytest.mark.parametrize(
    ("points", "sides", "expected"),
    [
        (won_by(0, 2), (), ("pela", "rapfi", "0-1")),
        (won_by(1, 2), (), ("pela", "rapfi", "1-0")),
        (won_by(0, 2), (0, 1), ("pela", "rapfi", "0-1")),
        (won_by(0, 2), (1, 0), ("rapfi", "pela", "1-0")),
        (won_by(1, 2), (1, 0), ("rapfi", "pela", "0-1")),
        (lost_by(0, 2), (1, 0), ("rapfi", "pela", "0-1")),
        (shared(2), (), ("pela", "rapfi", "1/2-1/2")),
        (None, (), ("pela", "rapfi", "*")),
    ],
)
def test_white_is_who_had_white_and_the_result_is_from_its_view(points, sides, expected):
    assert told(outcome=Outcome(points=points, ending=Ending("five")), sides=sides) == expected


def test_a_team_is_called_by_its_player():
    assert told(players=("a", "b", "a", "b")) == ("b", "a", "0-1")


def test_what_is_not_known_is_a_question_mark():
    text = pgn(replace(RESULT, id="odd", started=""), event="cup")
    assert {'[Site "?"]', '[Round "?"]', '[Date "????.??.??"]'} <= set(text.splitlines())


def test_names_cannot_break_out_of_their_tag():
    text = pgn(RESULT, event='a "b" \\ c\n[White "x"]')
    assert text.splitlines()[0] == r'[Event "a \"b\" \\ c [White \"x\"]"]'


def test_white_is_whose_side_the_game_calls_so():
    tags = pgn(RESULT, event="cup", sides=("white", "black")).splitlines()
    assert {'[White "rapfi"]', '[Black "pela"]', '[Result "1-0"]'} <= set(tags)


def test_a_game_of_three_sides_is_refused():
    result = replace(RESULT, players=("a", "b", "c"), teams=(0, 1, 2), outcome=RESULT.outcome)
    with pytest.raises(ValueError, match="game AvB_07 has 3 sides, and PGN has two players"):
        pgn(result, event="cup")
