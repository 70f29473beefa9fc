"""Narabe: what it sees, by every rule; its limits of time; and that it repeats its moves."""

import subprocess
import sys
from itertools import count

import pytest
from gomocup_games import end_of
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.core.boards import bits
from gyoji.engines.gomocup import OPPONENT, OWN, SWAP, Brain, Game, GomocupError, Stone
from gyoji.engines.narabe import AT_ONCE, NODES, RULES, Drunk, Narabe, main, seen
from gyoji.engines.narabe_lines import is_forbidden
from gyoji.engines.narabe_search import Fours
from gyoji.games.gomoku.game_options import Options, rules

ROWS = (0, 1, 4, 8, 9)
"""Rules under which a row of five ends the game."""


def drawn(text, rule=0, **infos):
    """Parse a diagram: X is to move, O the other side. X is Black if it has as many stones as O."""
    rows = text.split()
    signs = [(x, y, sign) for y, row in enumerate(rows) for x, sign in enumerate(row) if sign in "XO"]
    stones = tuple(Stone(x, y, OWN if sign == "X" else OPPONENT) for x, y, sign in signs)
    info = {key: str(value) for key, value in {"rule": rule, **infos}.items()}
    return Game(len(rows[0]), len(rows), stones, info)


def nine(text):
    """Return a 9x9 diagram with these rows in the middle."""
    rows, free = text.split(), ["." * 9] * 9
    before = (9 - len(rows)) // 2
    return "\n".join([*free[:before], *rows, *free[before + len(rows) :]])


def stars(text):
    return {(x, y) for y, row in enumerate(text.split()) for x, sign in enumerate(row) if sign == "*"}


def player(seed="1"):
    return Narabe(seed, 400)


def move(game, seed="1"):
    return player(seed)(game).answer


def turned(game):
    """Return the same game as the other side sees it."""
    return game._replace(stones=tuple(stone._replace(field=3 - stone.field) for stone in game.stones))


def brain_of(player):
    return Brain(player, name="one", choose=getattr(player, "choose", None), rules=RULES)


# The right answers are stars, on empty points.
SEEN = {
    "completes a five": (ROWS, "OXXXX*... .O.O....."),
    "completes a five with a gap": (ROWS, "..XX*XX.. .O.O....O"),
    "wins before it stops a five": (ROWS, "*XXXX*... .OOOO...."),
    "stops a five": ((0, 1, 4), "XOOOO*... .X......."),
    "stops a five, or closes it": ((8, 9), "XOOOO**.. .X......."),
    "stops a five with a gap": (ROWS, "OO*OO.... X..X....."),
    "makes a straight four": (ROWS, "..*XXX*.. ...O.O.O."),
    "stops a three": (ROWS, ".**OOO**. ....X...X"),
    "stops a three with a gap": (ROWS, "..*OO*O*. .X......X"),
    "makes two fours": ((0, 1, 8, 9), "....O.... ....X.... ....X.... ....X.... .XXX*.... O........"),
}


@pytest.mark.parametrize(
    ("rule", "name"), [(rule, name) for name, (kinds, _) in SEEN.items() for rule in kinds]
)
def test_it_sees_what_to_do(rule, name):
    diagram = nine(SEEN[name][1])
    assert move(drawn(diagram, rule)) in stars(diagram)
    assert move(drawn(diagram, rule, timeout_turn=0)) in stars(diagram)


@pytest.mark.parametrize(
    ("rule", "wins", "text"),
    [
        (0, True, "..XXX.XX. .O..O..O."),
        (1, False, "..XXX.XX. .O..O..O."),
        (4, False, "..XXX.XX. O.O.O.O.O"),  # Black
        (4, True, "O.XXX.XX. O.O.O.O.O"),  # White
        (9, False, "..XXX.XX. .O..O..O."),
        (8, True, ".OXXX.XXO .O..O...."),
        (0, True, "..OXXXX.O ........."),
        (8, False, "..OXXXX.O ........."),
        (9, False, "..OXXXX.O ........."),
    ],
    ids=count(),
)
def test_it_knows_which_rows_win(rule, wins, text):
    assert (player()(drawn(nine(text), rule)).message == "five") is wins


SEVEN = """
    ............... ............... ............... ............... ..........X.... .........OO....
    ......OOOXO.... ......OXXXO.... .......XXXO.... .........XX.... .........O..... ...............
    ............... ............... ...............
"""
SIX = """
    ............... ............... ............... ......O...O.... .......XXXO.... ........XO.....
    ......XX.XO.... ......XXO...... .....OXOO...... ......O........ ............... ....O..........
    ...X........... ............... ...............
"""


@pytest.mark.parametrize(("rule", "length", "text"), [(0, 7, SEVEN), (9, 6, SIX)])
def test_it_wins_by_fours_in_a_row(rule, length, text):
    """The win is as long as it says against the best defence; a defence by chance may be shorter."""
    game = drawn(text, rule)
    messages = []
    while not messages or messages[-1] != "five":
        answer = player()(game)
        messages.append(answer.message)
        assert answer.message == "five" or answer.message.endswith("by fours")
        game = game.played(Stone(*answer.answer, OWN))
        game = game.played(Stone(*move(turned(game)), OPPONENT))
    assert messages[0] == f"five in {length}, by fours"
    assert len(messages) <= length


@pytest.mark.parametrize(("rule", "text"), [(0, SEVEN), (9, SIX)])
def test_it_keeps_the_other_side_from_winning_by_fours(rule, text):
    game = turned(drawn(text, rule))
    lines, position = seen(game)
    fours = Fours(lines, 1000)
    assert fours.win(position.turned())
    assert not fours.win(position.after(lines.board.point(*move(game))))


@pytest.mark.parametrize("rule", ROWS)
def test_it_beats_a_random_mover_in_twenty_of_twenty_games(rule):
    gomoku = rules(Options(board_size=15, rule=rule))
    for number in range(20):
        brains = [brain_of(Narabe(str(number))), brain_of(Drunk(str(number)))]
        end = end_of(gomoku, brains[:: 1 - 2 * (number % 2)], "INFO timeout_turn 0")
        assert gomoku.outcome(end).winner == number % 2


@pytest.mark.parametrize("rule", [2, 3, 10, 11])
def test_it_makes_more_fives_than_a_random_mover_where_the_game_goes_on(rule):
    gomoku = rules(Options(board_size=(9, 8), rule=rule))
    for number in range(2):
        brains = [brain_of(Narabe(str(number))), brain_of(Drunk(str(number)))]
        end = end_of(gomoku, brains[:: 1 - 2 * (number % 2)], "INFO timeout_turn 0")
        assert gomoku.outcome(end).winner == number % 2


@pytest.mark.parametrize("size", [(5, 5), (6, 9), (5, 40), (20, 20)])
@pytest.mark.parametrize("rule", RULES)
def test_it_plays_every_rule_on_any_board_to_the_end(rule, size):
    gomoku = rules(Options(board_size=size, rule=rule, max_moves=50))
    end = end_of(gomoku, [brain_of(Narabe(seed, 20)) for seed in "ab"])
    assert gomoku.outcome(end)


FORBIDDEN = """
    X....O... ......... ...O..... ....X.... ..XX..... ....X.... ..O......
    ......... .......O.
"""


def test_black_does_not_play_what_renju_forbids():
    game = drawn(FORBIDDEN, 4)
    lines, position = seen(game)
    forbidden = {
        lines.board.coordinates(point) for point in bits(lines.room) if is_forbidden(lines, position, point)
    }
    assert forbidden == {(4, 4)}
    assert {move(game, seed) for seed in "abcde"}.isdisjoint(forbidden)
    assert move(game._replace(info={"rule": "0"})) == (4, 4)


def test_black_says_so_when_every_point_is_forbidden():
    game = drawn("XOXXOO OXOOXX XXX.XX OXOXOX OOXXOO", 4)
    with pytest.raises(GomocupError, match="no point where a stone may be put"):
        Narabe("1")(game)
    with pytest.raises(GomocupError, match="no point"):
        Drunk("1")(game)


def test_white_wins_by_a_four_where_black_may_not_stop_it():
    text = "X.......X ......... .....O... ..OOO.OO. .....X... .....X... .....X... ......... X....O..."
    answer = player()(drawn(text, 4))
    assert (answer.answer, answer.message) == ((5, 7), "five in 2, by fours")
    assert "by fours" not in player()(drawn(text, 0)).message


def test_the_centre_is_the_first_move():
    assert move(Game(15, 9)) == (7, 4)


@pytest.mark.parametrize("corner", [(0, 0), (126, 0), (0, 126), (126, 126)])
def test_on_the_biggest_board_it_answers_beside_a_stone_in_a_corner(corner):
    game = Game(127, 127).played(Stone(*corner, OPPONENT))
    x, y = move(game)
    assert max(abs(x - corner[0]), abs(y - corner[1])) <= 4


def test_what_has_won_counts_no_more_where_the_game_goes_on():
    game = drawn(nine(".XXXX.... OOO.O...."), 2)
    after = game.played(Stone(5, 3, OWN)).played(Stone(3, 4, OPPONENT))
    lines, position = seen(after)
    assert (position.own, position.other) == (0, 0)
    assert lines.empty(position).bit_count() == 81 - 10
    told = after._replace(stones=tuple(stone._replace(field=3) for stone in after.stones))
    assert seen(told)[1] == position
    assert seen(told)[0].room == lines.room


def conversation(*lines, seed="1"):
    brain = brain_of(Narabe(seed, 300))
    return [brain.answer(line.encode()).decode() for line in lines][-1].splitlines()[-1]


BOARD = ("BOARD", "7,7,2", "8,8,1", "7,8,2", "DONE")


@pytest.mark.parametrize(
    "lines",
    [
        ("START 15", "TURN 1,1", "TURN 3,1", "RESTART", *BOARD),
        ("START 15", "TURN 1,1", "START 15", *BOARD),
        ("START 15", "BOARD", "8,8,1", "7,8,2", "7,7,2", "DONE"),
        ("START 15", "BOARD", *BOARD[1:3], "DONE", "RESTART", *BOARD),
    ],
)
def test_the_same_position_has_the_same_answer_whatever_came_before(lines):
    assert conversation(*lines) == conversation("START 15", *BOARD)


def test_after_a_takeback_it_plays_as_before():
    brain = brain_of(Narabe("1", 300))
    brain.answer(b"START 15")
    first = brain.answer(b"TURN 7,7")
    own = first.split()[-1].decode()
    for line in (f"TAKEBACK {own}", "TAKEBACK 7,7"):
        assert brain.answer(line.encode()) == b"OK\n"
    assert brain.answer(b"TURN 7,7") == first


def test_the_same_seed_plays_the_same_game_and_another_one_another():
    gomoku = rules(Options())
    games = [end_of(gomoku, [brain_of(Narabe(seed, 100)) for _ in range(2)]).stones for seed in "aab"]
    assert games[0] == games[1] != games[2]


@pytest.mark.parametrize(
    ("infos", "nodes", "seconds"),
    [
        ({}, NODES, float("inf")),
        ({"timeout_turn": 0}, AT_ONCE, float("inf")),
        ({"timeout_turn": -1}, AT_ONCE, float("inf")),
        ({"timeout_turn": 100}, 800, 0.05),
        ({"timeout_turn": 30_000}, NODES, 15.0),
        ({"timeout_turn": 30_000, "time_left": 10_000}, NODES, 0.5),
        ({"time_left": -5}, NODES, 0.0),
        ({"time_left": (1 << 31) - 1}, NODES, ((1 << 31) - 1) / 20_000),
    ],
)
def test_limits_bound_what_a_move_costs(infos, nodes, seconds):
    assert Narabe("1").limits(drawn(nine("X"), **infos)) == (nodes, pytest.approx(seconds))


class Clock:
    """A clock that advances by a number of seconds at each look."""

    def __init__(self, step):
        self.step, self.looks = step, 0

    def __call__(self):
        self.looks += 1
        return self.step * self.looks


@pytest.mark.parametrize("infos", [{"timeout_turn": 1000}, {"time_left": 10_000}])
def test_it_stops_looking_when_its_time_is_up(infos):
    game = drawn(nine("..X.O.... ...XO...."), **infos)
    patient, hurried = Clock(0.0), Clock(0.2)
    for clock in (patient, hurried):
        assert Narabe("1", clock=clock)(game).answer not in game.taken
    assert hurried.looks < 10
    assert patient.looks > 100


@given(
    st.sampled_from(RULES),
    st.tuples(st.integers(5, 12), st.integers(5, 12)),
    st.integers(1, 143),
    st.randoms(use_true_random=False),
)
@settings(deadline=None)
def test_whatever_is_on_the_board_the_answer_is_an_empty_point(rule, size, number, random):
    """A manager may send rows that have won, stones of one side only, and dead stones anywhere."""
    board = [(x, y) for x in range(size[0]) for y in range(size[1])]
    stones = random.sample(board, min(number, len(board) - 1))
    lines = [f"{x},{y},{random.choice((1, 1, 1, 2, 2, 2, 3)[: 6 if rule == 4 else 7])}" for x, y in stones]
    brain = brain_of(Narabe("1", 10))
    for line in ("RECTSTART {},{}".format(*size), f"INFO rule {rule}", "BOARD", *lines, "DONE"):
        answer = brain.answer(line.encode()).decode()
    if answer != "ERROR there is no point where a stone may be put\n":
        assert tuple(map(int, answer.splitlines()[-1].split(","))) in {*board} - {*stones}


def swap2_answer(stones, rule=1, size=15, nodes=1000):
    brain = brain_of(Narabe("1", nodes))
    lines = [f"START {size}", f"INFO rule {rule}", "SWAP2BOARD", *stones.split(), "DONE"]
    return [brain.answer(line.encode()).decode() for line in lines][-1].splitlines()[-1]


@pytest.mark.parametrize(
    ("stones", "answers"),
    [
        ("7,7 0,0 8,8", [SWAP]),
        ("0,0 7,7 14,14", ["one"]),
        ("7,7 0,0 8,8 0,14 7,8", [SWAP]),
        ("0,0 7,7 14,14 7,8 0,14", ["one"]),
    ],
)
def test_under_swap2_it_takes_the_better_side(stones, answers):
    answer = swap2_answer(stones)
    assert (SWAP if answer == SWAP else ("one", "two")[answer.count(" ")]) in answers


@pytest.mark.parametrize("size", [(5, 5), (6, 12), (15, 15)])
@pytest.mark.parametrize("rule", RULES)
def test_under_swap2_it_opens_and_chooses_legally(rule, size):
    gomoku = rules(Options(board_size=size, rule=rule, swap2=True))
    brains = [brain_of(Narabe(seed, 300)) for seed in "ab"]
    for brain in brains:
        brain.answer(f"RECTSTART {size[0]},{size[1]}".encode())
        brain.answer(f"INFO rule {rule}".encode())
    position = gomoku.start()
    while gomoku.phase(position):
        (seat,) = gomoku.acting(position)
        brain = brains[seat]
        listed = ["{},{}".format(*gomoku.coordinates(stone)) for stone, _ in gomoku.stones(position)]
        for line in ("SWAP2BOARD", *listed, "DONE"):
            answer = brain.answer(line.encode()).decode()
        word = answer.splitlines()[-1]
        stones = [gomoku.point(*map(int, pair.split(","))) for pair in word.split()] if word != SWAP else []
        position = gomoku.play(
            position, ((seat, gomoku.parse("".join(map(gomoku.format, stones)) or "swap")),)
        )
    assert gomoku.acting(position)


@pytest.mark.process
@pytest.mark.parametrize("words", [["--seed", "5"], ["--random"], ["--nodes", "10"], []])
def test_it_is_a_program(words):
    done = subprocess.run(
        [sys.executable, "-m", "gyoji.engines.narabe", *words],
        input=b"ABOUT\nSTART 15\nINFO rule 4\nTURN 7,7\nSTART 4\nINFO rule 5\nTURN 0,0\nEND\n",
        capture_output=True,
        check=True,
        env={"GYOJI_GAME_TOKEN": "0_7"},
    )
    name, *_, point, small, bad = done.stdout.decode().splitlines()
    assert name == ('name="Drunk", version="1"' if "--random" in words else 'name="Narabe", version="1"')
    assert all(part.isdigit() for part in point.split(","))
    assert small == "ERROR a board of 4x4 is not supported: sides are 5 to 127"
    assert bad == "ERROR INFO rule '5': this brain does not play it"
    assert done.stderr == b""


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--fast"], "narabe: no option '--fast'; there are: --seed N, --nodes N, --random\n"),
        (["--nodes", "many"], "narabe: --nodes 'many': expected how many positions a move may cost\n"),
        (["--nodes"], "narabe: --nodes '': expected how many positions a move may cost\n"),
    ],
)
def test_a_bad_option_is_refused(words, complaint, capsys, monkeypatch):
    monkeypatch.setattr("sys.argv", ["pbrain-narabe", *words])
    assert main() == 2
    assert capsys.readouterr().err == complaint
