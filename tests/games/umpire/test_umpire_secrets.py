"""A seat is sent what the umpire tells and asks it, byte for byte, and nothing else."""

import json

import pytest
from test_umpire_rules import Talk, line

from gyoji.core.spec import GameSpec, Player
from gyoji.games.umpire.game_options import Options
from gyoji.games.umpire.rules import UmpireRules
from gyoji.games.umpire.speech import SpeechCodec
from gyoji.testing.secrecy_kit import Story, check_secrecy


def ask(seat, say, **more):
    return json.dumps({"ask": [{"seat": seat, "say": say, **more}]})


def story(number, *, leaks=False):
    """Return a game of three; what seats 1 and 2 are dealt, say and do differs from story to story."""
    options = Options(seats=3, settings={"deck": number})
    talk = Talk(UmpireRules(options, number))
    cards = [f"the cards are {number}{seat}" for seat in range(3)]
    told = [line(tell={"seat": seat, "say": cards[seat]}) for seat in (1, 2)]
    talk.umpire(
        line(keep=number),
        *told,
        line(tell={"seat": "all", "say": "begin"}),
        line(picture={"for": [1], "text": cards[1]}),
        line(picture={"for": [], "grid": [[str(number)]]}),
        ask(0, "your bid"),
    ).answer(a="7")
    talk.umpire(line(move={"seat": 0, "text": f"bids {number}"}), ask(1, f"bid {number}")).answer(
        b=f"pass {number}"
    )
    talk.umpire(line(fault={"seat": 1, "why": cards[1]}), ask(2, {"n": number})).answer(c=f"{number}")
    talk.umpire(
        line(note={"text": cards[2]}),
        line(tell={"seat": [0, 1], "say": cards[1] if leaks else "two have passed"}),
        ask(0, "your bid"),
    ).answer(a="8")
    talk.umpire(line(tell={"seat": 2, "say": cards[0]}), ask(1, "go"))
    spec = GameSpec(
        id=f"{number}",
        pairing="0",
        game="umpire",
        players=tuple(Player(code=code, command=()) for code in ("a", f"b{number}", f"c{number}")),
        options={"seats": 3, "settings": {"deck": number}},
        seed=number,
    )
    rules = talk.rules.replayed(tuple(talk.lines))
    turns = (((0, "7"),), ((1, f"pass {number}"),), ((2, f"{number}"),), ((0, "8"),))
    return Story(spec=spec, rules=rules, turns=turns)


def speaker(moves):
    left = list(moves)
    return lambda data: f"{left.pop(0)}\n".encode() if data.endswith(b"your bid\n") else b""


def test_a_seat_cannot_tell_games_apart_that_differ_in_what_others_hear_and_do():
    stories = [story(number) for number in (1, 2, 3)]
    sent = check_secrecy(stories, 0, lambda: SpeechCodec("text"), speaker)
    assert sent == b"begin\nyour bid\ntwo have passed\nyour bid\n"


def test_an_umpire_that_tells_the_wrong_seat_is_found():
    with pytest.raises(AssertionError, match="seat 0 can tell story 0 from story 1"):
        check_secrecy([story(1, leaks=True), story(2, leaks=True)], 0, lambda: SpeechCodec("text"), speaker)
