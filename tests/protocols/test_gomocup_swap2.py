"""The swap2 opening by SWAP2BOARD: its three questions, their answers, and the game after them."""

import pytest
from gomocup_exchanges import MATCH, Table, game, infos, lines

from gyoji.core import messages as m
from gyoji.games.gomoku import position
from gyoji.protocols.gomocup.codec import CHOICE as OUR_CHOICE
from gyoji.protocols.gomocup.codec import LAST as OUR_LAST
from gyoji.protocols.gomocup.codec import THREE as OUR_THREE
from gyoji.testing.codec_kit import Exchange

THREE = ("7,7", "8,7", "9,9")
FIVE = (*THREE, "8,8", "8,6")


def table(seat, **options):
    return Table(seat, game(rule="standard", swap2=True), **options)


def prepared(side, **told):
    return side.prepared(infos(rule=1, **told))


def question(*stones):
    return lines("SWAP2BOARD", *stones, "DONE")


def test_the_opener_puts_three_stones_and_hears_that_its_side_was_swapped():
    side = table(0)
    side.check(
        prepared(side),
        side.asked(question(), b"7,7 8,7 9,9\r\n", "h8i8j10"),
        side.asked(lines("BOARD", "7,7,2", "8,7,1", "9,9,2", "DONE"), b"0,0\r\n", "a1", "h8i8j10", "swap"),
        side.asked(b"TURN 1,0\r\n", b"0,1\r\n", "a2", "a1", "b1"),
    )


def test_the_other_one_stays_white_with_a_fourth_stone():
    side = table(1, control=MATCH)
    left = b"INFO time_left 180000\r\n"
    side.check(
        prepared(side, match=180000, turn=180000),
        side.asked(left + question(*THREE), b"8,8\r\n", "i9", "h8i8j10"),
        side.asked(
            left + lines("BOARD", "7,7,2", "8,7,1", "9,9,2", "8,8,1", "0,0,2", "DONE"),
            b"1,1\r\n",
            "b2",
            "i9",
            "a1",
        ),
    )


def test_the_choice_goes_back_with_two_more_stones():
    side = table(1)
    side.check(
        prepared(side),
        side.asked(question(*THREE), b"8,8 8,6\n", "i9i7", "h8i8j10"),
        side.asked(
            lines("BOARD", "7,7,1", "8,7,2", "9,9,1", "8,8,2", "8,6,1", "6,8,2", "DONE"),
            b"1,1\r\n",
            "b2",
            "i9i7",
            "g9",
        ),
    )


@pytest.mark.parametrize(("answer", "move"), [(b"Swap\n", "swap"), (b"6,8\n", "g9")])
def test_the_opener_has_the_last_choice(answer, move):
    side = table(0)
    side.check(
        prepared(side),
        side.asked(question(), b"7,7 8,7 9,9\n", "h8i8j10"),
        side.asked(question(*FIVE), answer, move, "h8i8j10", "i9i7"),
    )


def test_colours_are_given_to_a_brain_that_wants_them():
    side = table(1, swap2_colours=True)
    side.check(prepared(side), side.asked(question("7,7,1", "8,7,2", "9,9,1"), b"SWAP\n", "swap", "h8i8j10"))


@pytest.mark.parametrize(
    ("seat", "played", "text"),
    [
        (0, (), "7,7 8,7"),
        (0, (), "7,7"),
        (0, (), "SWAP"),
        (0, (), "7,7 8,7 9,15"),
        (0, (), "7,7 8,7 9,9 8,8"),
        (1, ("h8i8j10",), "0,0 -1,0"),
        (1, ("h8i8j10",), "99999999999,0"),
    ],
)
def test_an_answer_of_another_shape_or_off_the_board_is_no_move(seat, played, text):
    side = table(seat)
    side.play(*played)
    side.check(
        prepared(side),
        Exchange(
            request=side.ask(),
            heard=f"OK\nhm\n{text}\n".encode(),
            replies=(m.Warned("OK"), m.Warned("hm"), m.Malformed(text)),
        ),
    )


def test_who_knows_no_swap2_says_unknown_to_each_line_and_is_heard_once():
    side = table(1)
    unknown = m.Unsupported("does not know SWAP2BOARD: it answered 'UNKNOWN command'")
    side.check(prepared(side), side.asked(question(*THREE), b"UNKNOWN command\n" * 5, (unknown,), "h8i8j10"))
    error = m.Unsupported("does not know SWAP2BOARD: it answered 'ERROR what is SWAP2BOARD?'")
    heard = b"ERROR what is SWAP2BOARD?\nUNKNOWN\n"
    other = table(1)
    other.check(prepared(other), other.asked(question(*THREE), heard, (error,), "h8i8j10"))


def test_a_strict_player_loses_by_any_error():
    side = table(1, strict=True)
    reply = m.Unsupported("answered with 'ERROR busy'")
    side.check(prepared(side), side.asked(question(*THREE), b"ERROR busy\nSWAP\n", (reply,), "h8i8j10"))


def test_refusals_of_what_came_before_are_not_taken_for_one_of_swap2():
    side = table(1)
    heard = b"UNKNOWN INFO game_type\nERROR bad folder\nSWAP\n"
    complaints = m.Warned("UNKNOWN INFO game_type"), m.Warned("ERROR bad folder")
    replies = (*complaints, side.moved("swap"))
    side.check(prepared(side), side.asked(question(*THREE), heard, replies, "h8i8j10"))


def test_the_phases_are_those_of_the_rules():
    assert (OUR_THREE, OUR_CHOICE, OUR_LAST) == (position.THREE, position.CHOICE, position.LAST)


COLOUR = "ERROR Color is not a valid value, must be one of [1, 2, 3]."


@pytest.mark.parametrize(
    ("seat", "played", "due"),
    [(1, ("h8i8j10",), "SWAP, one stone or two"), (0, ("h8i8j10", "i9i7"), "SWAP or one stone")],
)
def test_the_ruling_on_a_brain_that_wants_the_other_dialect_names_the_setting_and_quotes_it(
    seat, played, due
):
    for colours, other in ((False, "true"), (True, "false")):
        for said, after in ((COLOUR, f" after {COLOUR!r}"), ("", "")):
            side = table(seat, swap2_colours=colours)
            side.play(*played)
            note = f"due was {due}{after}: try swap2_colours = {other}"
            replies = (*([m.Warned(said)] if said else []), m.Malformed("5,2 1,5 1,6", note))
            heard = f"{said}\n5,2 1,5 1,6\n".encode()
            side.check(prepared(side), Exchange(request=side.ask(), heard=heard, replies=replies))
