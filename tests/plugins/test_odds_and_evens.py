"""A second game proves the ports: four seats in two pairs, hidden cards, moves at once, another protocol."""

import json
import sys
from pathlib import Path

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import FaultKind, IllegalMove
from gyoji.core.outcome import Ending
from gyoji.core.plugins import GAMES, PROTOCOLS
from gyoji.core.spec import GameSpec, Player
from gyoji.play.game import play
from gyoji.play.order import Order
from gyoji.testing.codec_kit import Exchange, check_codec
from gyoji.testing.rules_kit import check_rules

ENGINE = str(Path(__file__).parent / "engines" / "odds_player.py")


@pytest.fixture
def game():
    return GAMES.find("odds_and_evens")


@pytest.fixture
def rules(game):
    return game.rules(game.options(turns=3), seed=7)


@pytest.fixture
def codec():
    protocol = PROTOCOLS.find("json_lines")
    return protocol.codec(protocol.options())


def test_the_plug_ins_are_found_by_name_beside_the_others():
    assert {"go", "odds_and_evens"} <= set(GAMES.names)
    assert "json_lines" in PROTOCOLS.names


@pytest.mark.parametrize("turns", [1, 2, 5])
def test_the_rules_keep_what_the_port_promises(game, turns):
    for seed in range(3):
        check_rules(game.rules(game.options(turns=turns), seed=seed), games=8)


def test_the_deal_is_a_function_of_the_seed_and_a_seat_sees_its_own_cards_only(game, rules):
    again, other = game.rules(game.options(turns=3), 7), game.rules(game.options(turns=3), 8)
    assert rules.start() == again.start() != other.start()
    position = rules.start()
    hidden = position._replace(hands=(position.hands[0], *reversed(position.hands[1:])))
    assert rules.view(position, 0) == rules.view(hidden, 0)
    assert rules.view(position, 1) != rules.view(hidden, 1)


def lowest(rules, position):
    return tuple((seat, rules.legal(position, seat)[0]) for seat in rules.acting(position))


def test_an_even_sum_is_a_turn_for_the_evens(rules):
    position, evens = rules.start(), 0
    while rules.acting(position):
        turn = lowest(rules, position)
        evens += sum(card for _, card in turn) % 2 == 0
        position = rules.play(position, turn)
    outcome = rules.outcome(position)
    assert outcome.winner == (0 if evens >= 2 else 1)
    assert outcome.margin == abs(2 * evens - 3)


def test_the_others_play_on_without_a_seat_until_a_pair_is_gone(rules):
    position = rules.drop(rules.start(), 2)
    assert rules.acting(position) == (0, 1, 3)
    with pytest.raises(IllegalMove, match="no card to lay"):
        rules.check(position, 2, rules.start().hands[2][0])
    assert rules.drop(position, 0) is None
    assert rules.acting(rules.drop(position, 1)) == (0, 3)


def test_the_codec_keeps_what_the_port_promises(rules):
    protocol, view = PROTOCOLS.find("json_lines"), rules.view(rules.start(), 1)
    prepare = m.NewGame(1, rules, view, TimeControl())
    ask = m.AskMove(view, (), "", TimeControl().start())
    broken = m.Broken(FaultKind.PROTOCOL, "")

    def exchange(request, heard, *replies, closes=False):
        return Exchange(request=request, heard=heard, replies=replies, closes=closes)

    start = exchange(prepare, b'{"ready": "me"}\n', m.Ready(name="me"))
    moved = exchange(ask, b'{"remark": "hm"}\n{"move": "9"}\n', m.Comment("hm"), m.Moved(9))
    heard = exchange(m.TellMoves(view, ()), b'{"heard": true}\n', m.Acknowledged())
    scored = exchange(m.AskScore(), b'{"score": "3"}\n', m.Scored(text="3"))
    parted = exchange(m.Quit(), b'{"bye": true}\n', m.HasQuit())
    ends = [
        exchange(ask, b'{"opinion": 0.9}\n{"move": "9"}\n', m.Moved(9, m.Evaluation(win=0.9))),
        exchange(ask, b'{"opinion": 0.9}\n{"resign": true}\n', m.Resigned()),
        exchange(ask, b'{"move": "99"}\n', m.Malformed("99")),
        exchange(ask, b'{"resign": true}\n', m.Resigned()),
        exchange(ask, b'{"cannot": "sleepy"}\n', m.Unsupported("sleepy")),
        exchange(ask, b'{"move": "9"}', m.Moved(9), closes=True),
        exchange(ask, b"hello\n", broken),
        exchange(ask, b'{"move": "9"}\n{"move": "8"}\n', m.Moved(9), broken),
    ]
    conversations = [[start, moved, heard, scored, parted], *([start, end] for end in ends)]
    check_codec(lambda: protocol.codec(protocol.options()), conversations, tail=b"")


def test_what_is_said_has_the_news_and_the_view_of_the_seat(rules, codec):
    control, view = TimeControl.parse("10s"), rules.view(rules.start(), 1)
    assert json.loads(codec.send(m.NewGame(1, rules, view, control)))["limit"] == "10s"
    said = json.loads(codec.send(m.AskMove(view, (((0, 5), (1, 7)),), "", control.start())))
    assert said == {"ask": 10.0, "news": [[[0, "5"], [1, "7"]]], "view": [1, list(view.hand), [], []]}


@pytest.mark.parametrize(
    "line", [b"hello\n", b"[1]\n", b'{"ready": 1, "move": 2}\n', b'{"move": "1"}\n', b"\xff\n"]
)
def test_what_is_no_answer_breaks_the_conversation(rules, codec, line):
    codec.send(m.NewGame(0, rules, rules.view(rules.start(), 0), TimeControl()))
    (broken,) = codec.receive(line + line)
    assert broken.kind is FaultKind.PROTOCOL
    assert codec.receive(line) == []


def test_an_answer_before_the_question_breaks_the_conversation(rules, codec):
    codec.send(m.NewGame(0, rules, rules.view(rules.start(), 0), TimeControl()))
    ready, broken = codec.receive(b'{"ready": "me"}\n{"move": "1"}\n')
    assert ready == m.Ready(name="me")
    assert "nothing was asked" in broken.detail


def player(code, *words, cwd=None):
    command = (sys.executable, "-I", "-S", ENGINE, *words)
    return Player(code=code, command=command, protocol="json_lines", cwd=cwd)


def play_one(*players, turns=5):
    spec = GameSpec(
        id="0_0",
        pairing="0",
        game="odds_and_evens",
        players=players,
        options={"turns": turns},
        seed=11,
        clock=TimeControl.parse("20s"),
    )
    report = play(Order(spec=spec))
    assert report.void is None, report.void
    return report.record


@pytest.mark.process
def test_four_engines_play_a_whole_game_and_none_is_told_a_card_of_another(game, tmp_path):
    players = [player(f"p{seat}", "--spy", f"{seat}", cwd=str(tmp_path)) for seat in range(4)]
    record = play_one(*players)
    rules = game.rules(game.options(turns=5), 11)
    hands = rules.start().hands
    assert record.result.turns == 5
    assert record.result.outcome.ending is Ending.SCORE
    assert [[each.move for each in turn] for turn in record.turns] == [
        [str(hand[number]) for hand in hands] for number in range(5)
    ]
    for seat in range(4):
        told = [json.loads(line) for line in (tmp_path / str(seat)).read_text().splitlines()]
        first = next(said for said in told if "ask" in said)
        assert first["view"] == [seat, list(hands[seat]), [], []]
        assert [len(said["view"][2]) for said in told if "view" in said] == [0, 0, 1, 2, 3, 4, 5]
    assert [engine.name for engine in record.result.engines] == [f"player {seat}" for seat in range(4)]


@pytest.mark.process
def test_the_game_goes_on_without_an_engine_that_died_and_is_lost_without_its_partner():
    players = [player(f"p{seat}") for seat in range(4)]
    dying = player("dying", "--stop", "3")
    record = play_one(*players[:2], dying, players[3])
    assert [len(turn) for turn in record.turns] == [4, 4, 3, 3, 3]
    assert record.result.outcome.ending is Ending.SCORE
    (warning,) = record.result.warnings
    assert warning.startswith("dying is out of the game: exited")

    other = player("other", "--stop", "5")
    outcome = play_one(other, players[1], dying, players[3]).result.outcome
    assert (outcome.ending, outcome.seat, outcome.points) == (Ending.FAULT, 0, (0.0, 1.0))
