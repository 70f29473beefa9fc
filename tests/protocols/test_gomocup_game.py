"""Moves of a Gomocup brain: the commands that ask for them, and the lines that are answers."""

import pytest
from gomocup_exchanges import END, MATCH, Table, game, infos, lines
from msgspec.structs import replace

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.testing.codec_kit import Exchange

SECOND = 10**9


# Which command asks


def test_a_game_from_the_empty_board_is_begun_and_then_told_turn_by_turn():
    table = Table()
    table.check(
        table.prepared(),
        table.asked(b"BEGIN\r\n", b"7,7\r\n", "h8"),
        table.asked(b"TURN 0,14\r\n", b"8,7\n", "i8", "h8", "a15"),
        table.asked(b"TURN 14,0\r\n", b"9,7\r", "j8", "i8", "o1"),
        Exchange(request=table.tell("j8", "a1"), sent=b"", heard=b"\r\n", replies=(m.Acknowledged(),)),
        Exchange(request=m.AskScore(), sent=b"", heard=b"\r\n", replies=(m.Scored(),)),
        END,
    )


def test_who_moves_second_from_the_empty_board_hears_the_first_move():
    table = Table(seat=1)
    table.check(
        table.prepared(),
        table.asked(b"TURN 7,7\r\n", b"8,8\r\n", "i9", "h8"),
        table.asked(b"TURN 7,8\r\n", b"8,9\r\n", "i10", "i9", "h9"),
        END,
    )


@pytest.mark.parametrize(
    ("opening", "seat", "told"),
    [
        ("h8i9", 0, ("7,7,1", "8,8,2")),
        ("h8i9g7", 1, ("7,7,2", "8,8,1", "6,6,2")),
        ("h8", 1, ("7,7,2",)),
    ],
)
def test_an_opening_is_told_as_a_board_in_playing_order_to_who_moves_first(opening, seat, told):
    table = Table(seat, game(opening=opening))
    table.check(
        table.prepared(),
        table.asked(lines("BOARD", *told, "DONE"), b"0,0\r\n", "a1"),
        table.asked(b"TURN 1,0\r\n", b"0,1\r\n", "a2", "a1", "b1"),
    )


def test_an_opening_is_told_with_the_first_move_to_who_moves_second():
    table = Table(1, game(opening="h8i9"))
    table.check(
        table.prepared(),
        table.asked(lines("BOARD", "7,7,2", "8,8,1", "0,0,2", "DONE"), b"0,1\r\n", "a2", "a1"),
        table.asked(b"TURN 1,0\r\n", b"1,1\r\n", "b2", "a2", "b1"),
    )


def test_a_single_stone_may_be_told_by_turn_whatever_it_is_if_the_brain_wants_it():
    table = Table(1, game(opening="h8"), turn_after_one_stone=True)
    table.check(table.prepared(), table.asked(b"TURN 7,7\r\n", b"0,0\r\n", "a1"))


def test_stones_of_counted_rows_are_told_as_belonging_to_nobody():
    rules = game(rule="continuous")
    table = Table(1, rules)
    table.play("a1", "a9", "b1", "b9", "c1", "c9", "d1", "d9", "e1")
    dead, own = ("0,0,3", "1,0,3", "2,0,3", "3,0,3", "4,0,3"), ("0,8,1", "1,8,1", "2,8,1", "3,8,1")
    board = [stone for pair in zip(dead, (*own, ""), strict=True) for stone in pair if stone]
    conversation = table.codec()
    conversation.send(table.prepare())
    conversation.receive(b"OK\n")
    assert conversation.send(table.ask()) == lines("BOARD", *board, "DONE")


def test_a_counted_row_of_the_opening_is_told_as_belonging_to_nobody():
    table = Table(1, game(rule="continuous", opening="a1a9b1b9c1c9d1d9e1"))
    board = ("0,0,3", "0,8,1", "1,0,3", "1,8,1", "2,0,3", "2,8,1", "3,0,3", "3,8,1", "4,0,3")
    table.check(table.prepared(infos(rule=2)), table.asked(lines("BOARD", *board, "DONE"), b"4,8\r\n", "e9"))


def test_rectangles_have_columns_first():
    table = Table(1, game((20, 10)))
    table.check(
        table.prepared(start=b"ABOUT\r\nRECTSTART 20,10\r\n"),
        table.asked(b"TURN 19,9\r\n", b"18,0\n", "s1", "t10"),
    )


# What is left of the match


@pytest.mark.parametrize(
    ("told", "match", "first"),
    [
        ("limited", True, b"INFO time_left 180000\r\n"),
        ("limited", False, b""),
        ("always", True, b"INFO time_left 180000\r\n"),
        ("always", False, b"INFO time_left 2147483647\r\n"),
        ("never", True, b""),
        ("never", False, b""),
    ],
)
def test_time_left_is_told_before_every_question(told, match, first):
    control = {"control": MATCH} if match else {}
    table = Table(1, time_left=told, **control)
    more = infos(match=180000, turn=180000) if match else infos()
    table.check(
        table.prepared(more),
        table.asked(first + b"TURN 7,7\r\n", b"8,8\r\n", "i9", "h8"),
        table.asked(first + b"TURN 7,8\r\n", b"8,9\r\n", "i10", "i9", "h9"),
    )


@pytest.mark.parametrize(
    ("left", "told"),
    [(90 * SECOND, b"90000"), (1_999_999, b"1"), (0, b"0"), (-1, b"-1"), (10**19, b"2147483647")],
)
def test_time_left_is_in_whole_milliseconds_and_may_be_negative(left, told):
    table = Table(control=MATCH)
    conversation = table.codec()
    conversation.send(table.prepare())
    conversation.receive(b"OK\n")
    question = table.ask(clock=Clock(left, 0, 1, 0))
    assert conversation.send(question) == b"INFO time_left " + told + b"\r\nBEGIN\r\n"


# What is an answer


@pytest.mark.parametrize(
    "noise",
    [
        "MESSAGE I will be the winner",
        "DEBUG The most promising move now is [10,14] alfa=10025",
        "debug 1,2",
        "OK",
        "ok - everything is good",
        "",
        "   \t ",
        "\x00\x07",
        "7,",
        "h8",
        "SWAP",
        "SUGGEST what?",
        'name="latecomer", version="0"',
        b"\xff\xfe caf\xe9",
        "7.5,7",
        "0x7,7",
        "\u0667,\u0667",
        "x" * 9000,
        "7 7 7",
        "at 7 7",
    ],
)
@pytest.mark.parametrize("end", [b"\n", b"\r", b"\r\n", b"\n\r\n\r"])
def test_all_that_has_not_the_form_of_an_answer_is_noise(noise, end):
    table = Table()
    heard = (noise if isinstance(noise, bytes) else noise.encode()) + end + b"8,9" + end
    conversation = table.codec()
    conversation.send(table.prepare())
    conversation.receive(b"OK\n")
    conversation.send(table.ask())
    *complaints, moved = conversation.receive(heard)
    assert moved == table.moved("i10")
    assert all(type(each) is m.Warned for each in complaints)


@pytest.mark.parametrize("noise", ["thinking", "OK", "h8", "7,", "SUGGEST what?", "ERROR", "UNKNOWN x"])
def test_the_last_line_that_is_no_answer_is_a_complaint(noise):
    table = Table()
    conversation = table.codec()
    conversation.send(table.prepare())
    conversation.receive(b"OK\n")
    conversation.send(table.ask())
    assert list(conversation.receive(f"{noise}\n".encode())) == [m.Warned(noise)]


@pytest.mark.parametrize("text", ["8,9 ok", "8,9,1", "8,9 3,3", "8,9ms", "8,9" + " " * 9000 + "3,3", "8 ,9;"])
def test_a_line_that_begins_with_a_point_is_that_move_whatever_follows(text):
    table = Table()
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", f"{text}\r\n".encode(), "i10"))


@pytest.mark.parametrize("text", ["7 7", "7;7", "7  :7", "15 15"])
def test_two_numbers_without_a_comma_are_no_move_and_lose_at_once(text):
    table = Table()
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", f"{text}\r\n".encode(), (m.Malformed(text),)))


@pytest.mark.parametrize("text", ["8,9", " 8,9 ", "8 , 9", "\t8,\t9", "08,009", "\x008,9\x00", "8,9\r"])
def test_blanks_and_zeros_and_control_characters_around_numbers_are_forgiven(text):
    table = Table()
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", text.encode() + b"\n", "i10"))


@pytest.mark.parametrize(
    "text",
    ["99999999999,1", "1," + "9" * 5000, "100,100", "-1,-1", "-0001,3", "15,0", "0,15", "3,-2", "00015,3"],
)
def test_a_point_off_the_board_is_no_move_however_great_its_numbers(text):
    table = Table()
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", f"{text}\r\n".encode(), (m.Malformed(text),)))


def test_an_end_of_line_in_two_pieces_makes_no_line_of_its_own():
    conversation = Table().begun(answer=b"7,7\r")
    table = Table()
    table.play("h8", "a1")
    news = tuple(table.turns)
    conversation.send(m.AskMove(table.position, news, "", table.control.start()))
    assert list(conversation.receive(b"\n")) == []
    assert list(conversation.receive(b"8,7\r")) == [table.moved("i8")]


@pytest.mark.parametrize("text", ["ERROR [10,10]", "UNKNOWN command", "error 7,7"])
def test_a_refusal_is_a_complaint_and_the_answer_may_still_come(text):
    table = Table()
    replies = (m.Warned(text), table.moved("i10"))
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", f"{text}\n8,9\n{text}\n".encode(), replies))


def test_a_suggestion_is_what_is_played_and_the_answer_may_still_be_another_move():
    table = Table()
    table.check(
        table.prepared(),
        Exchange(
            request=table.ask(),
            sent=b"BEGIN\r\n",
            heard=b"MESSAGE what about this\nSuggest 7,7\n",
            replies=(m.More(b"PLAY 7,7\r\n"),),
        ),
        Exchange(heard=b"7,8\r\n", replies=(table.moved("h9"),)),
        Exchange(
            request=table.ask("h9", "a1"),
            sent=b"TURN 0,0\r\n",
            heard=b"1,1\r\n",
            replies=(m.Comment("what about this"), table.moved("b2")),
        ),
    )


def test_a_suggestion_waits_for_what_a_person_chooses_if_the_player_says_so():
    table = Table(suggestions="ask")
    table.check(
        table.prepared(),
        table.asked(
            b"BEGIN\r\n", b"MESSAGE what about this\nSuggest 7,7\n", (m.Suggested(table.move("h8")),)
        ),
        Exchange(
            request=m.ImposeMove(table.move("i9")),
            sent=b"PLAY 8,8\r\n",
            heard=b"8,8\r\n",
            replies=(table.moved("i9"),),
        ),
        Exchange(
            request=table.ask("i9", "a1"),
            sent=b"TURN 0,0\r\n",
            heard=b"1,1\r\n",
            replies=(m.Comment("what about this"), table.moved("b2")),
        ),
    )


@pytest.mark.parametrize(
    ("told", "control"),
    [
        (b"INFO timeout_turn 5000\r\n", "5s/move"),
        (b"INFO timeout_turn 2147483647\r\n", "none"),
        (b"INFO timeout_turn 180000\r\nINFO time_left 180000\r\n", "3m"),
    ],
)
def test_other_limits_are_told_before_the_next_move(told, control):
    table, limits = Table(), TimeControl.parse(control)
    begun = (table.prepared(), table.asked(b"BEGIN\r\n", b"7,7\r\n", "h8"))
    changed = replace(table.ask("h8", "a1"), control=limits, clock=limits.start())
    table.check(
        *begun,
        Exchange(
            request=changed, sent=told + b"TURN 0,0\r\n", heard=b"1,1\r\n", replies=(table.moved("b2"),)
        ),
    )


def test_a_limit_that_the_player_sets_itself_stays():
    table = Table(info={"timeout_turn": "4500"})
    conversation = table.begun(answer=b"7,7\n")
    changed = replace(table.ask("h8", "a1"), control=TimeControl.parse("5s/move"))
    assert conversation.send(changed) == b"TURN 0,0\r\n"


@pytest.mark.parametrize("text", ["7 , 7", "07,7"])
def test_a_suggestion_is_imposed_in_the_protocols_own_form(text):
    table = Table()
    conversation = table.codec()
    conversation.send(table.prepare())
    conversation.receive(b"OK\n")
    conversation.send(table.ask())
    assert conversation.receive(f"SUGGEST {text}\n".encode()) == [m.More(b"PLAY 7,7\r\n")]


def test_a_suggestion_off_the_board_is_an_ill_formed_answer():
    table = Table()
    reply = m.Malformed("SUGGEST 7,15")
    table.check(table.prepared(), table.asked(b"BEGIN\r\n", b"SUGGEST 7,15\n", (reply,)))


def test_a_strict_player_loses_by_an_error_and_any_other_may_still_answer():
    text = b"MESSAGE hm\nERROR no memory\n7,7\n"
    strict, lenient = Table(strict=True), Table()
    refused = m.Unsupported("answered with 'ERROR no memory'")
    strict.check(strict.prepared(), strict.asked(b"BEGIN\r\n", text, (refused,)))
    complained = m.Warned("ERROR no memory")
    lenient.check(lenient.prepared(), lenient.asked(b"BEGIN\r\n", text, (complained, lenient.moved("h8"))))


# What nobody asked for


def test_an_answer_before_the_question_is_dropped_and_mentioned_in_the_end():
    table = Table()
    table.check(
        table.prepared(),
        table.asked(b"BEGIN\r\n", b"7,7\n8,8\nSWAP\n", "h8"),
        table.asked(b"TURN 0,0\r\n", b"9,9\r\n", "j10", "h8", "a1"),
        Exchange(
            request=m.Quit(),
            sent=b"END\r\n",
            heard=b"bye\nMESSAGE bye\n",
            closes=True,
            replies=(m.HasQuit(problem="answered 2 times when nothing was asked, first '8,8'"),),
        ),
    )


def test_a_line_that_had_begun_before_the_question_does_not_answer_it():
    table = Table()
    conversation = table.begun(answer=b"7,7\n8,")
    conversation.send(table.ask("h8", "a1"))
    assert list(conversation.receive(b"8\n")) == []
    assert list(conversation.receive(b"9,9\n")) == [table.moved("j10")]


def test_blanks_that_had_begun_before_the_question_are_no_line():
    table = Table()
    conversation = table.begun(answer=b"7,7\n \x00")
    conversation.send(table.ask("h8", "a1"))
    assert list(conversation.receive(b"\n9,9\n")) == [table.moved("j10")]


def test_numbers_in_two_pieces_are_not_taken_for_shorter_ones():
    table = Table()
    conversation = table.begun()
    conversation.send(table.ask("h8", "a1"))
    assert list(conversation.receive(b"1")) == []
    assert list(conversation.receive(b"1,3\n")) == [table.moved("l4")]


# Words


def test_messages_become_a_remark_on_the_move_they_came_with_when_the_next_question_is_put():
    table = Table()
    table.check(
        table.prepared(),
        table.asked(b"BEGIN\r\n", b"MESSAGE caf\xe9\nDEBUG secret\nmessage two\n7,7\nMESSAGE after\n", "h8"),
        Exchange(
            request=table.ask("h8", "a1"),
            sent=b"TURN 0,0\r\n",
            heard=b"8,8\n",
            replies=(m.Comment("caf\xe9\ntwo\nafter"), table.moved("i9")),
        ),
    )


def test_the_last_remark_comes_before_the_good_bye_of_an_engine_that_goes_or_stays():
    for keep in (False, True):
        conversation = Table().begun(answer=b"MESSAGE won\n7,7\n")
        assert conversation.send(m.Quit(keep)) == (b"" if keep else b"END\r\n")
        replies = [*conversation.receive(b""), *(() if keep else conversation.finish())]
        assert replies == [m.Comment("won"), m.HasQuit(stays=keep)]


def test_what_a_brain_said_while_it_thought_is_no_remark_on_its_move_before():
    table = Table()
    conversation = table.begun()
    conversation.send(table.ask("h8", "a1"))
    conversation.receive(b"MESSAGE help\n")
    assert conversation.finish() == []
    idle = Table().begun(answer=b"7,7\nMESSAGE good night\n")
    assert idle.finish() == [m.Comment("good night")]


def test_a_last_answer_without_the_end_of_its_line_counts_when_the_output_ends():
    conversation = Table().begun(answer=b"7,7")
    assert conversation.finish() == [Table().moved("h8")]


# A board that is not as it should be


def other_move(table):
    """Return the conversation of a brain whose h8 was replaced by d4, and its next request."""
    conversation = table.begun()
    return conversation, table.ask("d4", "a1")


def test_a_brain_whose_answer_was_not_played_is_told_the_board_anew():
    table = Table()
    conversation, question = other_move(table)
    assert conversation.send(question) == b"RESTART\r\n"
    assert conversation.receive(b"MESSAGE hm\nOK\n") == [m.More(lines("BOARD", "3,3,1", "0,0,2", "DONE"))]
    assert list(conversation.receive(b"9,9\n")) == [table.moved("j10")]
    assert conversation.send(table.ask("j10", "b1")) == b"TURN 1,0\r\n"


@pytest.mark.parametrize("answer", ["UNKNOWN command", "ERROR no"])
def test_a_brain_that_cannot_be_told_the_board_cannot_go_on(answer):
    conversation, question = other_move(Table())
    conversation.send(question)
    assert conversation.receive(f"{answer}\n".encode()) == [m.More(b"START 15\r\n")]
    refused = m.Unsupported(f"refused RESTART and a second START: {answer!r}")
    assert conversation.receive(f"{answer}\n9,9\n".encode()) == [refused]


def test_a_brain_that_knows_no_restart_may_be_started_a_second_time():
    conversation, question = other_move(Table())
    conversation.send(question)
    got = conversation.receive(b"UNKNOWN\nOK\n")
    assert got == [m.More(b"START 15\r\n"), m.More(lines("BOARD", "3,3,1", "0,0,2", "DONE"))]
    assert list(conversation.receive(b"9,9\n")) == [Table().moved("j10")]


def taken_back():
    """Return the conversation of a brain that played i9 after h8, and a request after b2 instead of both."""
    table, other = Table(seat=1, control=MATCH), Table(seat=1, control=MATCH)
    return table.begun("h8", answer=b"8,8\n"), other.ask("b2")


def test_surplus_stones_are_taken_back_newest_first():
    conversation, question = taken_back()
    assert conversation.send(question) == b"INFO time_left 180000\r\nTAKEBACK 8,8\r\n"
    assert conversation.receive(b"OK\n") == [m.More(b"TAKEBACK 7,7\r\n")]
    assert conversation.receive(b"noise\n5,5\nOK\n") == [m.More(b"TURN 1,1\r\n")]
    assert list(conversation.receive(b"9,9\n")) == [Table().moved("j10")]
    conversation.send(m.Quit())
    (parted,) = conversation.finish()
    assert parted.problem == "answered once when nothing was asked, first '5,5'"


@pytest.mark.parametrize("done", [b"", b"OK\n"])
def test_who_cannot_take_back_is_told_the_board_anew(done):
    conversation, question = taken_back()
    conversation.send(question)
    replies = [*conversation.receive(done), *conversation.receive(b"UNKNOWN\n")]
    assert replies[-1] == m.More(b"RESTART\r\n")
    assert conversation.receive(b"OK\n") == [m.More(lines("BOARD", "1,1,2", "DONE"))]
    assert list(conversation.receive(b"9,9\n")) == [Table().moved("j10")]


def test_a_board_that_should_be_empty_is_begun_anew():
    conversation = Table().begun()
    assert conversation.send(Table().ask()) == b"RESTART\r\n"
    assert conversation.receive(b"OK\n") == [m.More(b"BEGIN\r\n")]
