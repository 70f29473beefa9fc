"""Counting with dead groups given: by area and by territory, with prisoners, dame and seki."""

from decimal import Decimal
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.go_diagrams import drawn_position

from gyoji.core.record import GameRecord
from gyoji.games.go.game_options import Options
from gyoji.games.go.judging import GoJudgeTable, Marks, cleared, count, dame_of, propose
from gyoji.games.go.phases import group_at
from gyoji.games.go.position import Position
from gyoji.games.go.rules import rules

SIX = rules(Options(board_size=6, komi=0.5))
SIX_BOARD = SIX.board

WALLS = """
    . X X O O .
    X . X O . O
    X X X O O O
    . . X O . .
    . . X O . X
    . . X O . .
"""
"""Black has 8 eyes, White 8 points with a black stone among them: 7 empty, and nothing is dame."""


def position(text, **changes):
    return drawn_position(SIX, text)._replace(**changes)


def at(*names):
    return sum(1 << SIX.parse(name) for name in names)


@pytest.mark.parametrize(
    ("marks", "is_territory", "lost", "lead"),
    [
        # alive: the stone at F2 makes White's lower corner nobody's
        (Marks(), False, (0, 0), 12 - 19),
        (Marks(), True, (0, 0), 2 - 8),
        # dead: it comes off, and is a prisoner by territory
        (Marks(dead=at("F2")), False, (0, 0), 18 - 18),
        (Marks(dead=at("F2")), True, (0, 0), 8 + 1 - 8),
        # stones taken in play count by territory only
        (Marks(dead=at("F2")), False, (3, 1), 18 - 18),
        (Marks(dead=at("F2")), True, (3, 1), 8 + 1 + 3 - 8 - 1),
        # a seki leaves stones by area, nothing by territory
        (Marks(dead=at("F2"), seki=at("D1", "D2", "D3")), False, (0, 0), 12 - 18),
        (Marks(dead=at("F2"), seki=at("D1", "D2", "D3")), True, (0, 0), 2 + 1 - 8),
        # a filled point is a stone: no territory any more
        (Marks(dead=at("F2"), white=at("F1")), False, (0, 0), 18 - 18),
        (Marks(dead=at("F2"), white=at("F1")), True, (0, 0), 7 + 1 - 8),
    ],
)
def test_what_is_said_to_be_dead_decides_the_count(marks, is_territory, lost, lead):
    game = position(WALLS, black_lost=lost[0], white_lost=lost[1])
    counted = count(SIX_BOARD, game, marks, is_territory=is_territory, extra=Decimal("0.5"))
    assert counted.lead == lead + Decimal("0.5")


def test_dame_belongs_to_nobody_until_it_is_filled():
    game = position("\n".join(["XX.OO."] * 6))
    assert dame_of(SIX_BOARD, game, Marks()) == at(*(f"C{row}" for row in range(1, 7)))
    filled = Marks(black=at("C1", "C2", "C3"), white=at("C4", "C5", "C6"))
    assert dame_of(SIX_BOARD, game, filled) == 0


def test_the_proposal_calls_dead_only_what_is_beyond_doubt():
    alive, dead = propose(SIX_BOARD, position(WALLS), suicide=True)
    assert alive & at("A6", "C1", "C6") == at("C1", "C6")
    assert dead == 0
    sure = """
        O . X . X .
        X X X X X X
        X X X X X X
        O O O O O O
        O O O O O O
        . O . O X .
    """
    assert propose(SIX_BOARD, position(sure), suicide=False)[1] == at("A6", "E1")


def test_a_group_is_all_that_is_joined_to_the_stone():
    assert group_at(SIX_BOARD, position(WALLS), SIX.parse("F2")) == at("F2")
    with pytest.raises(ValueError, match="no stone"):
        group_at(SIX_BOARD, position(WALLS), SIX.parse("F1"))


def test_komi_and_handicap_stand_beside_the_board():
    go = rules(Options(board_size=9, komi=0.5, handicap=3))
    table = GoJudgeTable(go, GameRecord(result=SimpleNamespace(left_out=(), settled=""), turns=()))
    assert [row[3] for row in table.view().rows] == ["0", "3.5"]


@given(stones=st.lists(st.sampled_from((0, 0, 1, 2)), min_size=36, max_size=36), is_territory=st.booleans())
def test_colours_swapped_the_count_is_the_other_way_round(stones, is_territory):
    points = sorted(SIX_BOARD.places)
    black, white = (
        sum(1 << point for point, each in zip(points, stones, strict=True) if each == colour)
        for colour in (1, 2)
    )
    marks = Marks(dead=black & -black)
    mine = Position(black, white, black_lost=2, white_lost=1)
    yours = Position(white, black, black_lost=1, white_lost=2)
    leads = [
        count(SIX_BOARD, each, marks, is_territory=is_territory, extra=Decimal(0)).lead
        for each in (mine, yours)
    ]
    assert leads[0] == -leads[1]
    assert not cleared(mine, marks)[0] & marks.dead
