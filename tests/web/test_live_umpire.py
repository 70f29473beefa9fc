"""A game with an umpire while it is played: its pictures arrive with its words."""

import json

from gyoji.core.record import Played
from gyoji.core.spec import GameSpec, Player
from gyoji.play.live_updates import Live
from gyoji.web.live import LiveGame

BEGIN = '{"begin":{"protocol":1,"seats":2,"teams":[0,1],"players":["a","b"],"seed":1,"settings":{}}}'


def picture(*row, **more):
    return json.dumps({"picture": {"grid": [list(row)], **more}})


def ask(seat):
    return json.dumps({"ask": [{"seat": seat, "say": "go"}]})


def live(*lines, first=0, turns=(), heard=0, **more):
    played = tuple((Played(seat, move, 0),) for seat, move in turns)
    return Live(id="0", first=first, turns=played, heard=heard, umpire=lines, **more)


def game(*, hidden=False):
    players = tuple(Player(code=code, command=()) for code in "ab")
    spec = GameSpec(id="0", pairing="0", game="umpire", players=players, options={"seats": 2}, seed=1)
    return LiveGame(spec, "", hidden=hidden)


def test_the_board_appears_with_the_first_picture_and_changes_with_each_turn():
    shown = game()
    shown.take(live(BEGIN))
    assert shown.values()["columns"] == ()
    shown.take(live(picture("B", "", text="a to move"), ask(0), heard=1, acting=(0,)))
    values = shown.values()
    assert (values["columns"], values["frames"]) == (("0", "1"), [[[0, "B"], (), (), (), "a to move"]])
    move = json.dumps({"move": {"seat": 0, "text": "goes right"}})
    answer = '{"answers":{"0":{"say":"x"}}}'
    first = shown.take(
        live(answer, move, picture("", "B", marks=[[0, 1]]), ask(1), heard=3, turns=[(0, "x")], acting=(1,))
    )
    news = shown.news(first)
    assert news["frames"][-1] == [[0, "", 1, "B"], (1,)]
    assert [each[1] for turn in news["turns"] for each in turn] == ["goes right"]
    assert shown.record().umpire[0] == BEGIN


def test_a_watcher_who_comes_later_is_told_all_of_it_again():
    shown = game()
    lines = (BEGIN, picture("B", ""), ask(0), '{"answers":{"0":{"say":"x"}}}', picture("", "B"), ask(1))
    shown.take(live(*lines, turns=[(0, "x")]))
    before = {**shown.values(), "at": 0}
    shown.take(live(*lines, turns=[(0, "x")]))
    assert {**shown.values(), "at": 0} == before
    assert len(before["frames"]) == 2


def test_what_is_hidden_is_not_there():
    shown = game(hidden=True)
    shown.take(live(BEGIN, picture("B", "", text="the card is 5"), ask(0)))
    assert "the card" not in json.dumps([shown.values(), shown.news(0), shown.brief(0)])
