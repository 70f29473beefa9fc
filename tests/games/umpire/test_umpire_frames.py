"""Pictures of games with an umpire: what it draws becomes frames, and each sees its own."""

import json

from test_umpire_rules import Talk, ask, line, rules_for

from gyoji.api.games import board_svg
from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.game import Choice, Frame, Scene
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played
from gyoji.games.umpire import frames as pictures
from gyoji.games.umpire.frames import frames, offered, scene, seen
from gyoji.games.umpire.position import format_answer
from gyoji.protocols.human import HumanCodec


def recorded(talk, *turns, left_out=()):
    result = GameResult(
        id="",
        pairing="",
        players=("a", "b"),
        outcome=Outcome(points=None, ending=Ending.NO_RESULT),
        turns=len(turns),
        engines=(),
        started="",
        wall_ns=0,
        left_out=left_out,
    )
    played = tuple(tuple(Played(seat, format_answer(move), 0) for seat, move in turn) for turn in turns)
    return GameRecord(result=result, turns=played, umpire=tuple(talk.lines))


def drawn(talk, *turns, **more):
    record = recorded(talk, *turns, **more)
    rules = talk.rules.replayed(record.umpire)
    return scene(rules), list(frames(rules, record))


def test_a_grid_becomes_a_board_and_changes_of_it():
    first = line(
        picture={
            "grid": [["B", ""], ["", "Bob"]],
            "kind": "hexes",
            "columns": ["a", "b"],
            "legend": {"=1": "water"},
            "counts": "points",
        }
    )
    second = line(
        picture={
            "grid": [["", "=1 W"], ["", "Bob"]],
            "marks": [[0, 1]],
            "arrows": [[0, 0, 0, 1]],
            "tally": [3, 4],
            "text": "two\nlines",
            "table": {"columns": ["seat", "points"], "rows": [[0, 3.5]]},
        }
    )
    talk = Talk(rules_for()).umpire(first, ask(0)).answer(a="x")
    talk.umpire(second, line(move={"seat": 0, "text": "goes right"}), ask(1))
    board, (start, after) = drawn(talk, ((0, "x"),))
    assert board == Scene(
        kind="hexes", columns=("a", "b"), rows=("0", "1"), tally="points", legend=(("=1", "water"),)
    )
    assert start == Frame(changes=((0, "B"), (3, "'Bob")))
    assert after == Frame(
        changes=((0, ""), (1, "=1 W")),
        marks=(1,),
        tally=(3, 4),
        words=("goes right",),
        arrows=((0, 1),),
        text="two\nlines",
        table=(("seat", "points"), ("0", "3.5")),
    )
    picture = board_svg(board, {0: "B", 1: "=1 'K", 3: "'Bob"})
    assert ">Bob</text>" in picture
    assert "#56b4e9" in picture


def test_a_game_without_pictures_has_its_moves():
    talk = Talk(rules_for()).umpire(ask(0, 1)).answer(a="x", b="y").umpire(line(end={}))
    board, (start, after) = drawn(talk, ((0, "x"), (1, "y")))
    assert (board.width, start, after.changes) == (0, Frame(changes=()), ())


def test_a_turn_after_which_a_seat_fails_shows_what_followed():
    talk = Talk(rules_for()).umpire(ask(0)).answer(a="x")
    talk.umpire(line(picture={"text": "b to move"}), ask(1)).fail(1)
    talk.umpire(line(picture={"text": "b is out"}), ask(0))
    _, (_, after) = drawn(talk, ((0, "x"),), left_out=(1,))
    assert after.text == "b is out"


def test_a_person_sees_the_picture_for_the_seat_and_what_it_was_told_and_asked():
    talk = Talk(rules_for()).umpire(
        line(picture={"for": [0], "text": "your cards: 5 6"}),
        line(picture={"for": [], "text": "all cards"}),
        line(tell={"seat": 0, "say": "b bids"}),
        json.dumps({"ask": [{"seat": 0, "say": "your bid", "choices": ["1", "pass", {"x": 2}]}]}),
    )
    view = talk.rules.view(talk.position, 0)
    assert seen(talk.rules, view, 0).text == "your cards: 5 6\nb bids\nyour bid"
    assert offered(talk.rules, view, 0).choices == (
        Choice("1", "1", key="1"),
        Choice("pass", "pass"),
        Choice('={"x":2}', '{"x":2}'),
    )
    assert talk.rules.read(view, "pass") == "pass"
    assert talk.rules.render(view) == "your cards: 5 6\nb bids\nyour bid"
    other = talk.rules.view(talk.position, 1)
    assert seen(talk.rules, other, 1) == Frame(changes=())


def test_a_persons_board_comes_with_the_first_picture_for_the_seat():
    codec, talk = HumanCodec(pictures), Talk(rules_for())
    first = talk.rules.view(talk.position, 0)
    told = [codec.send(m.NewGame(0, talk.rules, first, TimeControl()))]
    talk.umpire(line(picture={"for": [1], "grid": [["x"] * 9]}), ask(0))
    told.append(codec.send(m.AskMove(talk.rules.view(talk.position, 0), (), "", TimeControl().start())))
    talk.answer(a="1").umpire(line(picture={"for": [0], "grid": [["B", ""]], "rows": ["top"]}), ask(0))
    told.append(codec.send(m.AskMove(talk.rules.view(talk.position, 0), (), "", TimeControl().start())))
    scenes = [json.loads(each)["scene"] for each in told]
    assert [(each["columns"], each["rows"]) for each in scenes] == [([], []), ([], []), (["0", "1"], ["top"])]
