"""Moves taken back and hints: what a brain is told, and what follows if it cannot do it."""

import pytest
from gomocup_exchanges import MATCH, Table, lines

from gyoji.core import messages as m
from gyoji.testing.codec_kit import Exchange


def white(**settings):
    """Return a game in which White's brain is asked after h8 and answers i9."""
    table = Table(seat=1, **settings)
    return table, (table.prepared(), table.asked(b"TURN 7,7\r\n", b"8,8\r\n", "i9", "h8"))


# Moves taken back


def test_a_brain_takes_back_stone_by_stone_its_own_last_one_included():
    table, begun = white()
    replies = (m.More(b"TAKEBACK 7,7\r\nTURN 0,0\r\n"), table.moved("j10"))
    question = table.play("i9").take_back("|", "a1")
    back = Exchange(request=question, sent=b"TAKEBACK 8,8\r\n", heard=b"OK\r\nOK\r\n9,9\r\n", replies=replies)
    table.check(*begun, back, table.asked(b"TURN 1,0\r\n", b"2,2\r\n", "c3", "j10", "b1"))


def test_what_was_taken_back_may_be_several_turns_ago():
    table, begun = white()
    second = table.asked(b"TURN 9,9\r\n", b"9,8\r\n", "j9", "i9", "j10")
    question = table.play("j9").take_back("h8", "i9", "|", "a1")
    replies = (m.More(b"TAKEBACK 9,9\r\nTURN 0,0\r\n"), table.moved("c3"))
    heard = b"OK\r\nOK\r\n2,2\r\n"
    table.check(
        *begun, second, Exchange(request=question, sent=b"TAKEBACK 9,8\r\n", heard=heard, replies=replies)
    )


@pytest.mark.parametrize("refusal", [b"UNKNOWN command\r\n", b"ERROR no\r\n"])
def test_a_brain_without_takeback_is_told_the_board_anew(refusal):
    table, begun = white()
    second = table.asked(b"TURN 9,9\r\n", b"9,8\r\n", "j9", "i9", "j10")
    question = table.play("j9").take_back("h8", "i9", "|", "a1")
    board = lines("BOARD", "7,7,2", "8,8,1", "0,0,2", "DONE")
    replies = (m.More(b"RESTART\r\n" + board), table.moved("c3"))
    heard = refusal + b"OK\r\n2,2\r\n"
    table.check(
        *begun, second, Exchange(request=question, sent=b"TAKEBACK 9,8\r\n", heard=heard, replies=replies)
    )


# Hints


def asked_for_hint(table, board, heard, *replies, sent=b"RESTART\r\n", news=("i9",)):
    told = m.More(lines("BOARD", *board, "DONE"))
    return Exchange(request=table.hint(*news), sent=sent, heard=b"OK\r\n" + heard, replies=(told, *replies))


def test_a_hint_is_the_brains_move_for_the_other_colour_and_its_own_game_is_told_anew_afterwards():
    table, begun = white()
    hint = asked_for_hint(table, ("7,7,1", "8,8,2"), b"6,6\r\n", m.Hint(table.move("g7")))
    board = lines("BOARD", "7,7,2", "8,8,1", "0,0,2", "DONE")
    replies = (m.More(board), table.moved("c3"))
    anew = Exchange(request=table.ask("a1"), sent=b"RESTART\r\n", heard=b"OK\r\n2,2\r\n", replies=replies)
    table.check(*begun, hint, anew, table.asked(b"TURN 1,0\r\n", b"3,3\r\n", "d4", "c3", "b1"))


def test_a_hint_for_an_empty_board_is_how_the_brain_would_begin():
    table = Table(seat=1)
    replies = (m.More(b"BEGIN\r\n"), m.Hint(table.move("h8")))
    hint = Exchange(request=table.hint(), sent=b"RESTART\r\n", heard=b"OK\r\n7,7\r\n", replies=replies)
    anew = (m.More(lines("BOARD", "0,0,2", "DONE")), table.moved("c3"))
    asked = Exchange(request=table.ask("a1"), sent=b"RESTART\r\n", heard=b"OK\r\n2,2\r\n", replies=anew)
    table.check(table.prepared(), hint, asked)


def test_who_asks_for_a_hint_is_told_with_the_time_that_it_has():
    table = Table(seat=1, control=MATCH)
    conversation = table.begun("h8", answer=b"8,8\n")
    assert conversation.send(table.hint("i9")) == b"INFO time_left 180000\r\nRESTART\r\n"


@pytest.mark.parametrize(
    ("heard", "reply"),
    [
        (b"SUGGEST 6,6\r\n", "g7"),
        (b"15,15\r\n", m.Hint(None, "answered with '15,15'")),
        (b"6 6\r\n", m.Hint(None, "answered with '6 6'")),
    ],
)
def test_a_suggestion_is_a_hint_and_what_is_no_move_is_none(heard, reply):
    table, begun = white()
    reply = m.Hint(table.move(reply)) if isinstance(reply, str) else reply
    table.check(*begun, asked_for_hint(table, ("7,7,1", "8,8,2"), heard, reply))


def test_a_brain_that_refuses_to_start_anew_gives_no_hints_and_plays_on():
    table, begun = white()
    reply = m.Unsupported("refused RESTART and a second START: 'UNKNOWN command'")
    replies = (m.More(b"START 15\r\n"), reply)
    heard = b"UNKNOWN command\r\n" * 2
    hint = Exchange(request=table.hint("i9"), sent=b"RESTART\r\n", heard=heard, replies=replies)
    table.check(*begun, hint, table.asked(b"TURN 0,0\r\n", b"2,2\r\n", "c3", "a1"))


def test_what_a_brain_says_of_its_hint_is_no_remark_on_its_move():
    table = Table(seat=1)
    conversation = table.begun("h8", answer=b"8,8\n")
    conversation.send(table.hint("i9"))
    conversation.receive(b"OK\nMESSAGE for you\n6,6\n")
    conversation.send(table.ask("a1"))
    assert list(conversation.receive(b"OK\n2,2\n"))[1:] == [table.moved("c3")]
