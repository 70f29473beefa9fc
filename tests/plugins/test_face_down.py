"""A game with hidden moves: the referee and a codec keep them from the other seat, and the kits see leaks."""

import json
import sys
from importlib import import_module
from pathlib import Path

import pytest

from gyoji.core.plugins import PROTOCOLS
from gyoji.core.spec import GameSpec, Player
from gyoji.play.game import play
from gyoji.play.order import Order
from gyoji.testing.rules_kit import check_rules
from gyoji.testing.secrecy_kit import Story, check_secrecy

ENGINE = str(Path(__file__).parent / "engines" / "odds_player.py")


def game(name="face_down"):
    """Return the module of a game."""
    return import_module(name)


def codec():
    protocol = PROTOCOLS.find("json_lines")
    return protocol.codec(protocol.options())


def speaker(moves):
    """Return an engine that speaks JSON lines and makes these moves."""
    left = list(moves)

    def say(line):
        told = json.loads(line)
        if "ask" in told:
            return json.dumps({"move": left.pop(0)}).encode() + b"\n"
        answers = {"prepare": {"ready": "me"}, "tell": {"heard": True}, "finish": {"bye": True}}
        return json.dumps(next(answers[key] for key in told if key in answers)).encode() + b"\n"

    return say


def spec(name="face_down", seats=2, **changes):
    players = tuple(Player(code=f"p{seat}", command=("p",)) for seat in range(seats))
    return GameSpec(id="0_0", pairing="0", game=name, players=players, **changes)


def dealt(kind, hands):
    """Return the rules by which these cards are dealt, whatever would be drawn."""
    made = kind(game().Options(), 0)
    made._shuffled = [card for cards in zip(*hands, strict=True) for card in cards]
    return made


def stories(kind=None):
    """Three games that seat 0 cannot tell apart: the other one lays its cards in another order each time."""
    found = []
    for others in ((3, 4, 5), (5, 3, 4), (4, 5, 3)):
        rules = dealt(kind or game().FaceDown, ((1, 2, 6), others))
        moves = [card for pair in zip((6, 1, 2), others, strict=True) for card in pair]
        turns = tuple(((number % 2, card),) for number, card in enumerate(moves))
        found.append(Story(spec=spec(), rules=rules, turns=turns))
    return found


def test_the_rules_keep_what_the_port_promises():
    for cards in (1, 2, 5):
        check_rules(game().rules(game().Options(cards=cards), 3), games=8)


def leaky(what):
    """Rules that tell a seat too much: by the news, or by the view."""

    class TellsAll(game().FaceDown):
        def news(self, turn, seat):
            return turn

    class ShowsAll(game().FaceDown):
        def view(self, position, seat):
            return position.laid

    return TellsAll if what == "news" else ShowsAll


def test_the_rules_kit_sees_news_that_tell_of_hidden_moves():
    rules = leaky("news")(game().Options(), 3)
    with pytest.raises(AssertionError, match=r"one turn to it by its views, but it is told \(\(0, \d\),\)"):
        check_rules(rules, games=8)


@pytest.mark.parametrize("length", range(7))
def test_a_seat_is_sent_equal_bytes_in_games_that_it_may_not_tell_apart(length):
    told = [Story(spec=each.spec, rules=each.rules, turns=each.turns[:length]) for each in stories()]
    sent = check_secrecy(told, 0, codec, speaker)
    asked = [json.loads(line) for line in sent.splitlines()]
    told_of_moves = [pair for said in asked if "ask" in said for turn in said["news"] for pair in turn]
    assert [pair[1] for pair in told_of_moves if pair[0] == 1] == ["?"] * min(length // 2, 2)


@pytest.mark.parametrize("what", ["news", "view"])
def test_the_kit_sees_rules_that_tell_too_much(what):
    with pytest.raises(AssertionError, match="seat 0 can tell story 0 from story 1: in write "):
        check_secrecy(stories(leaky(what)), 0, codec, speaker)


def test_the_kit_sees_a_codec_that_tells_too_much():
    class Talkative:
        def __init__(self):
            self._codec = codec()
            self.receive, self.finish = self._codec.receive, self._codec.finish

        def send(self, request):
            self._rules = getattr(request, "rules", None) or self._rules
            return self._codec.send(request).replace(b"{", b'{"all": %d,' % self._rules._shuffled[1], 1)

    with pytest.raises(AssertionError, match="from story 1: in write 0, b'3,"):
        check_secrecy(stories(), 0, Talkative, speaker)


def test_the_kit_wants_stories_that_can_be_compared_and_played():
    first, second, _ = stories()
    with pytest.raises(AssertionError, match="seat 1 does not make the same moves in all 2 stories"):
        check_secrecy([first, second], 1, codec, speaker)
    twice = Story(spec=first.spec, rules=first.rules, turns=(*first.turns[:2], *first.turns[:2]))
    with pytest.raises(AssertionError, match="only 2 of 4 turns were played: forfeit by p0"):
        check_secrecy([twice], 0, codec, speaker)
    silent = lambda moves: lambda line: b""  # noqa: E731
    with pytest.raises(AssertionError, match="only 0 of 6 turns were played: an engine does not answer"):
        check_secrecy([first], 0, codec, silent)


def test_cards_that_others_hold_are_told_to_nobody():
    module = game("odds_and_evens")
    found = []
    for last in ((4, 7), (7, 4)):
        hands = ((1, 8), (2, 5), (3, 6), last)
        rules = module.OddsAndEvens(module.Options(turns=2), 0)
        rules._shuffled = [card for cards in zip(*hands, strict=True) for card in cards]
        turns = (((0, 1), (1, 2), (2, 3), (3, 4)),)
        found.append(Story(spec=spec("odds_and_evens", 4, seed=last[0]), rules=rules, turns=turns))
    other = Story(spec=found[0].spec, rules=dealt_otherwise(module), turns=found[0].turns)
    for seat in (0, 1):
        check_secrecy([*found, other], seat, codec, speaker)
    with pytest.raises(AssertionError, match="seat 2 can tell story 0 from story 2"):
        check_secrecy([*found, other], 2, codec, speaker)


def dealt_otherwise(module):
    """Seats 2 and 3 have each other's last card."""
    rules = module.OddsAndEvens(module.Options(turns=2), 0)
    rules._shuffled = [1, 2, 3, 4, 8, 5, 7, 6]
    return rules


@pytest.mark.process
def test_engines_play_and_none_is_told_a_card_that_another_has_laid(tmp_path):
    players = [
        Player(
            code=f"p{seat}",
            command=(sys.executable, "-I", "-S", ENGINE, "--spy", f"told{seat}"),
            protocol="json_lines",
            cwd=str(tmp_path),
        )
        for seat in range(2)
    ]
    made = GameSpec(id="0_0", pairing="0", game="face_down", players=tuple(players), seed=4)
    report = play(Order(spec=made))
    assert report.void is None, report.void
    laid = [
        [each.move for turn in report.record.turns for each in turn if each.seat == seat] for seat in (0, 1)
    ]
    assert [len(moves) for moves in laid] == [3, 3]
    for seat in (0, 1):
        told = [json.loads(line) for line in (tmp_path / f"told{seat}").read_text().splitlines()]
        news = [pair for said in told for turn in said.get("news", said.get("tell", ())) for pair in turn]
        assert {move for who, move in news if who != seat} == {"?"}
        assert [move for who, move in news if who == seat][:2] == laid[seat][:2]
        assert all(set(laid[seat]) >= set(map(str, said["view"][1])) for said in told if "view" in said)
