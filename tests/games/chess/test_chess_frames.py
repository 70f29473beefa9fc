"""Games of chess as pictures, and what a person clicks and types."""

import json
from pathlib import Path
from random import Random

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.games.chess import frames
from gyoji.games.chess.form import FORM
from gyoji.games.chess.game_options import Options, rules
from gyoji.games.chess.position import legal_moves
from gyoji.protocols.human import HumanCodec
from gyoji.report.html import boards

ROOT = Path(boards.__file__).parent


def record(moves, first=0):
    turns = tuple((Played((number + first) % 2, move, 0),) for number, move in enumerate(moves))
    result = GameResult(
        id="0",
        pairing="",
        players=("a", "b"),
        outcome=Outcome(points=None, ending=Ending.MOVE_LIMIT),
        turns=len(turns),
        engines=(),
        started="",
        wall_ns=0,
    )
    return GameRecord(result=result, turns=turns)


def drawn(signs):
    """Return the rows of a board in the letters of FEN."""
    letters = [signs.get(place, "") for place in range(64)]
    signs = [(each[2] if each[1] == "0" else each[2].lower()) if each else "." for each in letters]
    return [signs[row : row + 8] for row in range(0, 64, 8)]


def diagram(made, position):
    return [line.split()[1:] for line in made.render(position).splitlines()[:8]]


@pytest.mark.parametrize("options", [Options(opening="e4 e5"), Options(variant="chess960", opening="7")])
def test_the_frames_draw_what_the_rules_draw_after_every_turn(options):
    made, chance = rules(options), Random(4)
    position, moves, positions = made.start(), [], [made.start()]
    while not position.end and len(moves) < 120:
        moves.append(chance.choice(legal_moves(position)))
        position = made.play(position, ((position.turn, moves[-1]),))
        positions.append(position)
    signs = {}
    for frame, position in zip(frames.frames(made, record(moves)), positions, strict=True):
        signs |= dict(frame.changes)
        assert drawn(signs) == diagram(made, position)
        assert drawn(dict(frames.seen(made, position, 0).changes)) == diagram(made, position)


def test_moves_are_marked_and_told_in_san():
    made = rules(Options(opening="e4"))
    first, second = frames.frames(made, record(["g8f6"], first=1))
    assert first.marks == (52, 36)
    assert (second.marks, second.words) == ((6, 21), ("Nf6",))


def test_every_legal_move_is_a_way_from_square_to_square():
    made = rules(Options(opening="4k3/P7/8/8/8/8/8/R3K2R w KQ - 0 1"))
    offered = frames.offered(made, made.start(), 0)
    assert offered.points == (2,)
    assert sorted(way.move for way in offered.ways) == sorted(legal_moves(made.start()))
    names = [f"{column}{row}" for row in "87654321" for column in "abcdefgh"]
    assert all("".join(names[place] for place in way.places) == way.move[:4] for way in offered.ways)
    promotions = [(way.words, way.sign) for way in offered.ways if way.places == (8, 0)]
    assert promotions == [("queen", "M0Q"), ("rook", "M0R"), ("bishop", "M0B"), ("knight", "M0N")]
    assert [way.sign for way in offered.ways if way.move in ("e1g1", "e1c1")] == ["", ""]


def test_the_chessmen_of_the_page_are_those_of_notebooks():
    script = (ROOT / "shapes.js").read_text()
    for kind, path in boards.MEN.items():
        assert f'  {kind}: "{path}"' in script


def test_the_board_is_drawn_for_notebooks():
    made = rules(Options())
    signs = dict(frames.seen(made, made.start(), 0).changes)
    picture = boards.board_svg(frames.scene(made), signs, marks=(52,))
    assert picture.count("translate(") == 32
    assert picture.count("h10v10h-10z") == 32


def test_the_form_offers_all_variants():
    field, _ = FORM.fields
    assert [value for value, _ in field.choices] == ["standard", "chess960", "dfrc"]


@pytest.mark.parametrize(
    ("text", "move"), [("Nf3", "g1f3"), ("g1f3", "g1f3"), ("G1F3", "g1f3"), ("e4", "e2e4"), ("e2e5", "e2e5")]
)
def test_a_person_types_san_or_coordinates(text, move):
    made, codec = rules(Options()), HumanCodec(pictures=frames)
    position, control = made.start(), TimeControl()
    codec.send(m.NewGame(0, made, position, control))
    codec.receive(b"")
    codec.send(m.AskMove(position, (), "", control.start()))
    *_, reply = codec.receive(json.dumps({"question": 1, "move": text}).encode() + b"\n")
    assert reply == m.Moved(move)


def test_what_is_no_move_is_refused_with_the_reason():
    made, codec = rules(Options()), HumanCodec()
    position, control = made.start(), TimeControl()
    codec.send(m.NewGame(0, made, position, control))
    codec.receive(b"")
    codec.send(m.AskMove(position, (), "", control.start()))
    (reply,) = codec.receive(b'{"question": 1, "move": "Nf6"}\n')
    assert b"'Nf6' is not legal" in reply.data
