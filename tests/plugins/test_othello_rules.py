"""The rules of the example plug-in: the rules kit, published numbers of positions, its options."""

from importlib import import_module
from pathlib import Path

import pytest

from gyoji.core.faults import IllegalMove
from gyoji.core.record import EngineReport, GameRecord, GameResult, Played
from gyoji.core.replay import Wanted
from gyoji.core.spec import GameSpec, Player
from gyoji.testing.record_kit import check_record_formats
from gyoji.testing.rules_kit import check_rules

SOURCE = Path(__file__).parents[2] / "examples/plugins/othello/src"

PERFT = (4, 12, 56, 244, 1396, 8200)
"""Positions after so many moves from the first: known from many programs."""


@pytest.fixture
def othello(monkeypatch):
    monkeypatch.syspath_prepend(SOURCE)
    return import_module("gyoji_othello.rules")


def made(othello, **options):
    return othello.rules(othello.Options(**options), 0)


def positions(rules, position, depth):
    if not depth:
        return 1
    acting = rules.acting(position)
    moves = [(seat, move) for seat in acting for move in rules.legal(position, seat)]
    return sum(positions(rules, rules.play(position, (pair,)), depth - 1) for pair in moves)


@pytest.mark.parametrize("options", [{}, {"empties": "nobody"}, {"opening": "f5d6c3"}])
def test_the_rules_keep_what_the_port_promises(othello, options):
    check_rules(made(othello, **options), games=12)


def test_its_record_format_keeps_what_the_port_promises(othello):
    check_record_formats(import_module("gyoji_othello").GAME, {})


def test_there_are_as_many_positions_as_others_have_counted(othello):
    rules = made(othello)
    assert tuple(positions(rules, rules.start(), depth) for depth in range(1, 7)) == PERFT


def test_who_cannot_move_is_passed_over_and_the_game_ends_when_nobody_can(othello):
    rules = made(othello)
    black, white = 1 << othello.square_of("a1"), 1 << othello.square_of("b1") | 1 << othello.square_of("d1")
    position = rules.play(othello.Position(black, white), ((0, othello.square_of("c1")),))
    assert rules.acting(position) == (0,)
    over = rules.play(position, ((0, othello.square_of("e1")),))
    assert rules.acting(over) == ()
    assert (rules.outcome(over).points, rules.outcome(over).margin) == ((1.0, 0.0), 64.0)
    assert made(othello, empties="nobody").outcome(over).totals == (5, 0)


@pytest.mark.parametrize(
    ("seat", "square", "reason"),
    [
        (0, "d4", "there is a disc on d4"),
        (0, "a1", "a1 turns no disc"),
        (1, "d3", "it is not its turn"),
    ],
)
def test_an_illegal_move_is_told_why(othello, seat, square, reason):
    rules = made(othello)
    with pytest.raises(IllegalMove, match=reason):
        rules.check(rules.start(), seat, rules.parse(square))


@pytest.mark.parametrize("opening", ["a1", "f5d6c3x", "f5f5", "zz"])
def test_an_opening_that_cannot_be_played_is_refused(othello, opening):
    with pytest.raises(ValueError, match=r"opening: move|no square"):
        othello.Options(opening=opening)


def test_a_file_of_openings_names_its_bad_lines(othello):
    assert othello.openings(b"f5 d6 # tiger\n\nF5F6\n", "x", {}) == ["f5d6", "f5f6"]
    with pytest.raises(ValueError, match="line 2: move 1, a1, is not legal"):
        othello.openings(b"f5\na1\n", "x", {})


def record_of(othello, moves, opening=""):
    rules = made(othello, opening=opening)
    position, turns = rules.start(), []
    for at in range(0, len(moves), 2):
        (seat,) = rules.acting(position)
        position = rules.play(position, ((seat, rules.parse(moves[at : at + 2])),))
        turns.append((Played(seat, moves[at : at + 2], 2_000_000, "a ] b\\"),))
    result = GameResult(
        id="0_0",
        pairing="0",
        players=("a", "b"),
        outcome=rules.outcome(position),
        turns=len(turns),
        engines=(EngineReport(),) * 2,
        started="2026-11-22T10:00:00+00:00",
        wall_ns=1,
    )
    players = tuple(Player(code=code, command=("x",)) for code in "ab")
    spec = GameSpec(id="0_0", pairing="0", game="othello", players=players, options={"opening": opening})
    return spec, GameRecord(result=result, turns=tuple(turns))


def test_a_person_sees_the_board(othello):
    rules = made(othello)
    position = rules.play(rules.start(), ((0, rules.parse("d3")),))
    assert rules.render(position, ((0, rules.parse("d3")),)).splitlines()[2:] == [
        "3 . . .(X). . . .",
        "4 . . . X X . . .",
        "5 . . . X O . . .",
        *(f"{row} . . . . . . . ." for row in (6, 7, 8)),
        "  a b c d e f g h",
    ]


@pytest.mark.parametrize("opening", ["", "f5d6"])
def test_a_file_is_read_as_it_was_written(othello, opening):
    sgf = import_module("gyoji_othello.records").SGF
    spec, record = record_of(othello, "c3d3" if opening else "f5d6c3d3", opening)
    data = sgf.write(spec, record)
    assert sgf.is_ours(data)
    assert not sgf.is_ours(data.replace(b"GM[2]", b"GM[1]"))
    (replay,) = sgf.replay(data, Wanted())
    assert (replay.refusals, dict(replay.facts)["moves"]) == ((), "4")
    assert sgf.content(data) == sgf.content(data.replace(b"2ms", b"3ms"))
    (replay,) = sgf.replay(data.replace(b"[fe]", b"[aa]"), Wanted())
    assert replay.refusals == ("move 1, B a1: a1 turns no disc",)
