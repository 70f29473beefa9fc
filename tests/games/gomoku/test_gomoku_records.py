"""Training samples of games of gomoku."""

from pathlib import Path

import pytest
from gomoku_games import (
    DOUBLE_THREE,
    FIVE,
    FORBIDDEN,
    LATE,
    REFUSED,
    game_record,
    game_spec,
    swap2_game,
)

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import Played
from gyoji.games.gomoku.board import column_name
from gyoji.games.gomoku.samples import SAMPLES
from gyoji.games.gomoku.sgf_records import read_game
from gyoji.sgf.grammar import parse

GOLDEN = Path(__file__).parents[2] / "golden/gomoku/samples"
OPENING = 3
"""Stones of the opening of these games, which carbon and pela played under c-gomoku-cli's eyes."""

csv, binpack = SAMPLES["csv"], SAMPLES["binpack"]


@pytest.mark.parametrize("form", SAMPLES)
@pytest.mark.parametrize("rule", [0, 4])
def test_samples_are_those_of_c_gomoku_cli(form, rule):
    [tree] = parse((GOLDEN / f"rule{rule}-{form}.sgf").read_bytes())
    account = read_game(tree)
    names = [f"{column_name(x)}{y + 1}" for x, y in account.stones]
    has_black_won = account.claim.fits == "B-"
    outcome = Outcome(points=(1.0, 0.0) if has_black_won else (0.0, 1.0), ending=Ending("five"))
    record = game_record(" ".join(names[OPENING:]), first=1, outcome=outcome)
    spec = game_spec(rule=rule, opening="".join(names[:OPENING]))
    assert SAMPLES[form](spec, record) == (GOLDEN / f"rule{rule}.{form}").read_bytes()


def test_a_sample_says_what_came_of_it_for_who_made_the_move():
    assert csv(game_spec(), game_record("h8 i9 g7")) == b",h8,2\nh8,i9,0\nh8i9,g7,2\n"
    level = Outcome(points=(0.5, 0.5), ending=Ending.FULL)
    assert csv(game_spec(opening="h8"), game_record("i9", outcome=level, first=1)) == b"h8,i9,1\n"


def test_the_stones_of_swap2_are_those_before_the_first_sample():
    moves = [*swap2_game((1, "f6e5"), (0, "swap")), Played(1, "a1", 1), Played(0, "a2", 1)]
    record = game_record(moves, sides=(0, 1))
    assert csv(game_spec(swap2=True), record) == b"h8i9g7f6e5,a1,0\nh8i9g7f6e5a1,a2,2\n"


@pytest.mark.parametrize(
    ("record", "lines"),
    [
        (game_record("h8 i9", outcome=LATE), 0),
        (game_record("h8 i9", outcome=Outcome(points=(0.0, 1.0), ending=Ending.FAULT, seat=0)), 0),
        (game_record("h8 i9", outcome=Outcome(points=None, ending=Ending.MOVE_LIMIT)), 0),
        (game_record("h8 i9", outcome=FORBIDDEN, refused=REFUSED), 0),
        (game_record(DOUBLE_THREE, outcome=FORBIDDEN, refused=REFUSED), 8),
        (game_record("h8 i9 a1", outcome=FIVE), 3),
    ],
)
def test_games_that_were_not_decided_on_the_board_have_no_samples(record, lines):
    assert csv(game_spec(), record).count(b"\n") == lines
    assert bool(binpack(game_spec(), record)) == bool(lines)


@pytest.mark.parametrize("options", [{"rule": "caro"}, {"board_size": (15, 16)}, {"board_size": 23}])
@pytest.mark.parametrize("form", SAMPLES)
def test_what_c_gomoku_cli_has_not_is_refused(form, options):
    with pytest.raises(ValueError, match="samples are of square boards of 5 to 22 and of freestyle"):
        SAMPLES[form](game_spec(**options), game_record("h8"))
