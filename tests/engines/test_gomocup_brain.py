"""The helper for Gomocup brains: every command, right and wrong, and the game that the function sees."""

import io
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gyoji.engines import session
from gyoji.engines.gomocup import DEAD, OPPONENT, OWN, SWAP, Brain, GomocupError, Result, Stone
from gyoji.engines.session import ControllerGone


def first_empty(game):
    return game.empty[0]


def made(think=first_empty, **options):
    return Brain(think, name="First", **options)


def told(brain, *lines):
    """Return the brain's answer to each line."""
    return [brain.answer(line.encode()).decode() for line in lines]


def asked(*lines, **options):
    """Return the game that the last of these lines shows to the function."""
    games = []
    told(made(lambda game: games.append(game) or game.empty[0], **options), *lines)
    return games[-1]


START = ("START 5",)

CONVERSATIONS = {
    "start": [("START 20", "OK")],
    "start again": [("START 20", "OK"), ("BEGIN", "0,0"), ("START 15", "OK"), ("BEGIN", "0,0")],
    "rectangle": [("RECTSTART 30,20", "OK"), ("TURN 29,19", "0,0")],
    "smallest": [("START 5", "OK")],
    "biggest": [("START 127", "OK")],
    "begin": [("START 5", "OK"), ("BEGIN", "0,0")],
    "turn": [("START 5", "OK"), ("TURN 0,0", "1,0"), ("TURN 2,0", "3,0")],
    "board": [
        ("START 5", "OK"),
        ("BOARD", ""),
        ("0,0,1", ""),
        ("1,0,2", ""),
        ("DONE", "2,0"),
        ("TURN 3,0", "4,0"),
    ],
    "empty board": [("START 5", "OK"), ("BOARD", ""), ("DONE", "0,0")],
    "board replaces": [("START 5", "OK"), ("BEGIN", "0,0"), ("BOARD", ""), ("1,0,1", ""), ("DONE", "0,0")],
    "restart": [("START 5", "OK"), ("TURN 0,0", "1,0"), ("RESTART", "OK"), ("TURN 1,0", "0,0")],
    "takeback": [
        ("START 5", "OK"),
        ("TURN 0,0", "1,0"),
        ("TAKEBACK 1,0", "OK"),
        ("TAKEBACK 0,0", "OK"),
        ("BEGIN", "0,0"),
    ],
    "about": [("ABOUT", 'name="First"')],
    "end": [("START 5", "OK"), ("END", "")],
    "blank lines": [("", ""), ("START 5", "OK"), ("  ", ""), ("BEGIN", "0,0")],
    "any case": [("start 5", "OK"), ("Begin", "0,0"), ("tUrN 1,0", "2,0"), ("board", ""), ("done", "0,0")],
    "any blanks": [
        (" START\t5 ", "OK"),
        ("TURN  0 , 0", "1,0"),
        ("BOARD", ""),
        (" 0, 0 ,1", ""),
        ("DONE", "1,0"),
    ],
    "open": [("START 15", "OK"), ("SWAP2BOARD", ""), ("DONE", "7,7 8,8 5,8")],
    "choose": [("START 5", "OK"), ("SWAP2BOARD", ""), *((f"{x},0", "") for x in range(3)), ("DONE", "3,0")],
    "choose last": [
        ("START 5", "OK"),
        ("SWAP2BOARD", ""),
        *((f"{x},0", "") for x in range(5)),
        ("DONE", "0,1"),
    ],
    "after swap2": [("START 5", "OK"), ("SWAP2BOARD", ""), ("DONE", "2,2 3,3 0,3"), ("BEGIN", "0,0")],
    "unknown": [("HELLO you", "UNKNOWN 'HELLO you'"), ("START 5", "OK"), ("1,2", "UNKNOWN '1,2'")],
    "too early": [
        *(
            (line, "ERROR there is no board: START makes one")
            for line in ("BEGIN", "TURN 1,1", "RESTART", "BOARD")
        ),
        *(
            (line, "ERROR there is no board: START makes one")
            for line in ("TAKEBACK 1,1", "SWAP2BOARD", "PLAY 1,1")
        ),
    ],
    "no size": [
        ("START", "ERROR START: got '', expected a number"),
        ("START 5,5", "ERROR START: got '5,5', expected a number"),
        ("RECTSTART 20", "ERROR RECTSTART: got '20', expected x,y"),
    ],
    "other sizes": [
        ("START 4", "ERROR a board of 4x4 is not supported: sides are 5 to 127"),
        ("START 128", "ERROR a board of 128x128 is not supported: sides are 5 to 127"),
        ("START -9", "ERROR a board of -9x-9 is not supported: sides are 5 to 127"),
        (
            "RECTSTART 15,999999999999",
            "ERROR a board of 15x999999999999 is not supported: sides are 5 to 127",
        ),
    ],
    "no move": [
        ("START 5", "OK"),
        ("TURN", "ERROR TURN: got '', expected x,y"),
        ("TURN 1", "ERROR TURN: got '1', expected x,y"),
        ("TURN 1,b", "ERROR TURN: got '1,b', expected x,y"),
        ("TURN 1,2,3", "ERROR TURN: got '1,2,3', expected x,y"),
        ("TURN 5,0", "ERROR TURN: 5,0 is off the 5x5 board"),
        ("TURN -1,0", "ERROR TURN: -1,0 is off the 5x5 board"),
        ("TURN 99999999999999999999,0", "ERROR TURN: got '99999999999999999999,0', expected x,y"),
        ("TURN ²,0", "ERROR TURN: got '²,0', expected x,y"),
        ("TURN 0,0", "1,0"),
        ("TURN 0,0", "ERROR TURN: 0,0 is taken"),
        ("TURN 1,0", "ERROR TURN: 1,0 is taken"),
        ("TURN 4,4", "2,0"),
    ],
    "late begin": [
        ("START 5", "OK"),
        ("BEGIN", "0,0"),
        ("BEGIN", "ERROR BEGIN: there are stones on the board"),
    ],
    "bad board": [
        ("START 5", "OK"),
        ("TURN 0,0", "1,0"),
        ("BOARD", ""),
        ("0,0,1", ""),
        ("0,0,2", ""),
        ("9,9,9", ""),
        ("DONE", "ERROR BOARD, stone 2: 0,0 is taken"),
        ("TURN 4,4", "2,0"),
    ],
    "bad field": [
        ("START 5", "OK"),
        ("BOARD", ""),
        ("0,0,4", ""),
        ("DONE", "ERROR BOARD, stone 1: got field 4, expected 1, 2 or 3"),
    ],
    "bad line": [
        ("START 5", "OK"),
        ("BOARD", ""),
        ("0,0", ""),
        ("DONE", "ERROR BOARD, stone 1: got '0,0', expected x,y,field"),
    ],
    "board given up": [("START 5", "OK"), ("BOARD", ""), ("0,0,1", ""), ("START 5", "OK"), ("BEGIN", "0,0")],
    "info in a board": [
        ("START 5", "OK"),
        ("BOARD", ""),
        ("INFO time_left 5", ""),
        ("0,0,1", ""),
        ("DONE", "1,0"),
    ],
    "done alone": [
        ("START 5", "OK"),
        ("DONE", "ERROR DONE: expected BOARD or SWAP2BOARD and stones before it"),
    ],
    "bad takeback": [("START 5", "OK"), ("TAKEBACK 1,1", "ERROR TAKEBACK: no stone is on '1,1'")],
    "play": [("START 5", "OK"), ("PLAY 1,1", "1,1"), ("TURN 0,0", "1,0")],
    "bad play": [("START 5", "OK"), ("PLAY 1,1", "1,1"), ("PLAY 1,1", "ERROR PLAY: 1,1 is taken")],
    "four stones": [
        ("START 5", "OK"),
        ("SWAP2BOARD", ""),
        *((f"{x},0", "") for x in range(4)),
        ("DONE", "ERROR SWAP2BOARD: got 4 stones, expected none, 3 or 5"),
    ],
    "bad swap2": [
        ("START 5", "OK"),
        ("SWAP2BOARD", ""),
        ("7,7", ""),
        ("DONE", "ERROR SWAP2BOARD, stone 1: 7,7 is off the 5x5 board"),
    ],
    "silent info": [
        ("INFO", ""),
        ("INFO timeout_turn", ""),
        ("INFO nothing at all", ""),
        ("INFO rule 99999", ""),
    ],
    "bad rule": [
        ("INFO rule x", ""),
        ("START 5", "OK"),
        ("TURN 0,0", "ERROR INFO rule 'x': this brain does not play it"),
        ("INFO rule 1", ""),
        ("TURN 0,0", "1,0"),
    ],
}


@pytest.mark.parametrize("lines", CONVERSATIONS.values(), ids=CONVERSATIONS)
@pytest.mark.parametrize("ending", ["\r\n", "\n", ""], ids=["CR LF", "LF", "nothing"])
def test_each_line_has_its_answer(lines, ending):
    brain = made()
    for line, answer in lines:
        assert brain.answer((line + ending).encode()).decode() == (answer and answer + "\n"), line


def test_all_conversations_can_be_had_with_one_process():
    heard = [line for lines in CONVERSATIONS.values() for line, _ in lines if line != "END"]
    answers = "".join(told(made(), *heard))
    sink = io.BytesIO()
    made().session(io.BytesIO("\r\n".join(heard).encode()), sink)
    assert sink.getvalue().decode() == answers


def test_the_function_is_told_stones_in_order_and_whose_they_are():
    game = asked("RECTSTART 7,6", "BOARD", "3,3,2", "1,2,1", "0,5,3", "DONE")
    assert game.stones == (Stone(3, 3, OPPONENT), Stone(1, 2, OWN), Stone(0, 5, DEAD))
    assert (game.own, game.opponent, game.taken) == ({(1, 2)}, {(3, 3)}, {(3, 3), (1, 2), (0, 5)})
    assert len(game.empty) == 7 * 6 - 3
    assert (game.width, game.height) == (7, 6)


def test_its_own_moves_are_among_the_stones():
    game = asked("START 5", "BEGIN", "TURN 4,4")
    assert game.stones == (Stone(0, 0, OWN), Stone(4, 4, OPPONENT))


@pytest.mark.parametrize(
    ("lines", "is_black"),
    [
        (["BEGIN"], True),
        (["TURN 1,1"], False),
        (["TURN 1,1", "TURN 2,2"], False),
        (["BEGIN", "TURN 1,1"], True),
        (["BOARD", "1,1,2", "2,2,1", "3,3,2", "DONE"], False),
        (["BOARD", "2,2,1", "1,1,2", "DONE"], True),
        (["BOARD", "2,2,2", "1,1,1", "DONE"], True),  # in any order
        (["BOARD", "2,2,1", "1,1,1", "DONE"], True),
        (["BOARD", "2,2,2", "1,1,2", "DONE"], False),
    ],
)
def test_the_side_that_began_is_black(lines, is_black):
    assert asked(*START, *lines).is_black is is_black


@pytest.mark.parametrize(
    ("infos", "seconds"),
    [
        ([], None),
        (["timeout_turn 2500"], 2.5),
        (["timeout_turn 0", "time_left 9000"], 0.0),
        (["timeout_turn 5000", "time_left 1200"], 1.2),
        (["time_left 1200"], 1.2),
        (["time_left 2147483647"], None),
        (["timeout_turn 5000", "time_left 2147483647"], 5.0),
        (["timeout_turn 5000", "time_left -30"], 0.0),
        (["timeout_turn soon"], None),
        (["TIMEOUT_TURN   5000"], 5.0),
        (["timeout_turn 5000", "timeout_turn 7000"], 7.0),
    ],
)
def test_the_seconds_for_a_move_follow_from_the_limits(infos, seconds):
    assert asked(*(f"INFO {info}" for info in infos), *START, "BEGIN").seconds == seconds
    assert asked(*START, *(f"INFO {info}" for info in infos), "BEGIN").seconds == seconds


def test_any_info_can_be_asked_for():
    game = asked("INFO rule 9", "INFO folder /a b/c", "INFO max_memory 1024", *START, "BEGIN")
    assert (game.rule, game.info["folder"], game.number("max_memory"), game.number("folder")) == (
        9,
        "/a b/c",
        1024,
        None,
    )


def test_points_that_renju_forbids_are_no_stones():
    game = asked("INFO rule 4", *START, "BOARD", "0,0,3", "1,0,1", "DONE", "TURN 0,1")
    assert game.stones == (Stone(1, 0, OWN), Stone(0, 0, OWN), Stone(0, 1, OPPONENT))


def test_dead_stones_stay_in_a_continuous_game():
    assert Stone(0, 0, DEAD) in asked("INFO rule 2", *START, "BOARD", "0,0,3", "DONE", "TURN 1,1").stones


def test_a_message_comes_before_the_move_on_one_line():
    brain = made(lambda game: Result((2, 2), message="I win\r\nsoon"))
    assert told(brain, *START, "BEGIN")[-1] == "MESSAGE I win  soon\n2,2\n"


def test_a_suggestion_is_played_only_when_the_manager_says_so():
    brain = made(lambda game: Result(game.empty[0], suggest=True))
    assert told(brain, *START, "TURN 0,0", "PLAY 3,3", "TURN 3,3", "TURN 1,0") == [
        "OK\n",
        "SUGGEST 1,0\n",
        "3,3\n",
        "ERROR TURN: 3,3 is taken\n",
        "SUGGEST 2,0\n",
    ]


def test_a_bad_play_can_be_said_again():
    brain = made(lambda game: Result((1, 1), suggest=True))
    assert told(brain, *START, "BEGIN", "PLAY 9,9", "PLAY 1,1")[2:] == [
        "ERROR PLAY: 9,9 is off the 5x5 board\n",
        "1,1\n",
    ]


NOT_SO_MANY = "ERROR internal error, the brain answers '{}': that is not as many points as were wanted\n"


@pytest.mark.parametrize(
    ("stones", "choice", "answer"),
    [
        ("", [(0, 0), (1, 1), (2, 2)], "0,0 1,1 2,2\n"),
        ("0,0 1,1 2,2", SWAP, "SWAP\n"),
        ("0,0 1,1 2,2", (3, 3), "3,3\n"),
        ("0,0 1,1 2,2", [(3, 3), (4, 4)], "3,3 4,4\n"),
        ("0,0 1,1 2,2 3,3 4,4", SWAP, "SWAP\n"),
        ("0,0 1,1 2,2 3,3 4,4", Result((4, 3), message="fine"), "MESSAGE fine\n4,3\n"),
        ("", [(0, 0), (1, 1)], NOT_SO_MANY.format("[(0, 0), (1, 1)]")),
        ("", SWAP, "ERROR internal error, the brain answers \"'SWAP'\": that is no point\n"),
        ("0,0 1,1 2,2", (0, 0), "ERROR internal error, the brain answers '(0, 0)': 0,0 is taken\n"),
        ("0,0 1,1 2,2 3,3 4,4", [(4, 3), (3, 4)], NOT_SO_MANY.format("[(4, 3), (3, 4)]")),
    ],
)
def test_the_choice_under_swap2_is_the_functions(stones, choice, answer):
    brain = made(choose=lambda game: choice)
    assert told(brain, *START, "SWAP2BOARD", *stones.split(), "DONE")[-1] == answer


def test_under_swap2_white_is_to_move():
    game = asked(*START, "SWAP2BOARD", "0,0", "1,1", "2,2", "DONE")
    assert (game.own, game.opponent, game.is_black) == ({(1, 1)}, {(0, 0), (2, 2)}, False)


def test_only_the_rules_that_a_brain_plays_are_played():
    brain = made(rules=(0, 1))
    assert told(brain, "INFO rule 4", *START, "BEGIN", "SWAP2BOARD", "DONE", "INFO rule 1", "BEGIN") == [
        "",
        "OK\n",
        "ERROR INFO rule '4': this brain does not play it\n",
        "",
        "ERROR INFO rule '4': this brain does not play it\n",
        "",
        "0,0\n",
    ]


def test_only_the_sizes_that_a_brain_plays_on_are_played_on():
    brain = made(sizes=(15, 20))
    assert told(brain, "START 15", "START 19", "RECTSTART 15,20") == [
        "OK\n",
        "ERROR a board of 19x19 is not supported: sides are 15 to 20\n",
        "OK\n",
    ]


def test_what_it_says_about_itself_is_quoted_and_complete():
    brain = made(version="1.0", about={"author": 'Jan "X" Y\n', "www": ""})
    assert told(brain, "ABOUT") == ['name="First", version="1.0", author="Jan \'X\' Y "\n']


def test_a_full_board_is_an_error():
    brain = made()
    lines = [f"{n % 5},{n // 5},{1 + n % 2}" for n in range(24)]
    assert told(brain, *START, "BOARD", *lines, "DONE", "TURN 4,4") == [
        "OK\n",
        *[""] * 25,
        "4,4\n",
        "ERROR TURN: 4,4 is taken\n",
    ]
    assert told(brain, "BOARD", *lines, "4,4,1", "DONE")[-1] == "ERROR the board is full\n"


def refuses(game):
    raise GomocupError("not\nnow")


def fails(game):
    raise KeyError("nobody thought of this")


@pytest.mark.parametrize(
    ("think", "answer"),
    [
        (refuses, "ERROR not now\n"),
        (fails, "ERROR internal error: KeyError('nobody thought of this')\n"),
        (lambda game: (0, 0), "ERROR internal error, the brain answers '(0, 0)': 0,0 is taken\n"),
        (lambda game: (5, 5), "ERROR internal error, the brain answers '(5, 5)': 5,5 is off the 5x5 board\n"),
        (lambda game: None, "ERROR internal error, the brain answers 'None': that is no point\n"),
        (lambda game: (1, 1, 1), "ERROR internal error, the brain answers '(1, 1, 1)': that is no point\n"),
        (lambda game: [(1, 1), (2, 2)], NOT_SO_MANY.format("[(1, 1), (2, 2)]")),
        (lambda game: [], "ERROR internal error, the brain answers '[]': that is no point\n"),
    ],
)
def test_a_function_that_fails_leaves_the_board_as_it_was(think, answer, capsys):
    brain = made(think)
    assert told(brain, *START, "TURN 0,0")[-1] == answer
    brain.think = first_empty
    assert told(brain, "TURN 0,0") == ["1,0\n"]
    assert ("Traceback" in capsys.readouterr().err) is ("KeyError" in answer)


@given(
    st.lists(
        st.one_of(
            st.binary(max_size=30),
            st.sampled_from(
                [line.encode() for lines in CONVERSATIONS.values() for line, _ in lines if line != "END"]
            ),
        ),
        max_size=30,
    )
)
def test_no_input_ends_the_session_or_makes_more_than_one_line(lines):
    brain = made()
    for line in lines:
        answer = brain.answer(line)
        assert answer.count(b"\n") == bool(answer)
        assert b"internal error" not in answer
    assert brain.answer(b"START 15") == b"OK\n"


def test_a_line_without_end_ends_the_session(monkeypatch):
    monkeypatch.setattr(session, "LINE_LIMIT", 10)
    sink = io.BytesIO()
    made().session(io.BytesIO(b"START 5\nBOARDBOARDBOARD\nBEGIN\n"), sink)
    assert sink.getvalue() == b"OK\n"


def test_a_manager_that_has_gone_is_noticed():
    sink = io.BytesIO()
    sink.close()
    with pytest.raises(ControllerGone):
        made().session(io.BytesIO(b"START 5\n"), sink)


PROGRAM = """
from gyoji.engines.gomocup import Brain
raise SystemExit(Brain(lambda game: game.empty[0], name="First").run())
"""


@pytest.mark.process
@pytest.mark.parametrize(
    "heard", [b"START 5\r\nBEGIN\r\nEND\r\nBEGIN\r\n", b"START 5\nBEGIN"], ids=["END", "the end of input"]
)
def test_a_program_answers_and_ends(heard):
    done = subprocess.run([sys.executable, "-c", PROGRAM], input=heard, capture_output=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == (b"OK\n0,0\n", b"", 0)


@pytest.mark.process
def test_a_program_that_nobody_listens_to_says_so_by_its_status():
    with subprocess.Popen(
        [sys.executable, "-c", PROGRAM], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        process.stdout.close()
        _, complaint = process.communicate(b"START 5\n")
    assert (process.returncode, complaint) == (1, b"")
