"""The same game on a turned board or with colours swapped, and replayed; and all there is on tiny boards."""

from random import Random

import naive_go
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gyoji.games.go.board import PASS
from gyoji.games.go.game_options import Options
from gyoji.games.go.position import HANDICAP
from gyoji.games.go.rules import rules
from gyoji.games.go.rulesets import KOS, SCORINGS, TAXES

TURNS = {
    "as it is": lambda x, y, width, height: (x, y),
    "mirrored": lambda x, y, width, height: (width - 1 - x, y),
    "upside down": lambda x, y, width, height: (x, height - 1 - y),
    "turned round": lambda x, y, width, height: (width - 1 - x, height - 1 - y),
    "columns as rows": lambda x, y, width, height: (y, x),
    "turned left": lambda x, y, width, height: (height - 1 - y, x),
    "turned right": lambda x, y, width, height: (y, width - 1 - x),
    "the other diagonal": lambda x, y, width, height: (height - 1 - y, width - 1 - x),
}
SIDEWAYS = ("columns as rows", "turned left", "turned right", "the other diagonal")

some_rulesets = st.builds(
    lambda ko, scoring, tax, suicide, button: f"ko{ko}score{scoring}tax{tax}sui{suicide}button{button}",
    *(st.sampled_from(values) for values in (KOS, SCORINGS, TAXES, "01", "01")),
)
sizes = st.tuples(st.integers(1, 5), st.integers(1, 5))
choices = st.integers(0, 2**32).map(lambda seed: Random(seed).choices(range(10**6), k=100))


def chosen(legal, choice):
    """Return one of the legal moves; a pass, which comes last, is likely enough for phases to end."""
    return legal[-1] if choice % 13 == 0 else legal[choice % len(legal)]


@settings(deadline=None, max_examples=150)
@given(sizes, st.sampled_from(sorted(TURNS)), st.booleans(), some_rulesets, choices)
def test_a_game_is_the_same_on_a_turned_board_and_with_colours_swapped(size, turn, swaps, ruleset, steps):
    width, height = size
    game = rules(Options(board_size=size, komi=0, ruleset=ruleset))
    other = rules(Options(board_size=(height, width) if turn in SIDEWAYS else size, komi=0, ruleset=ruleset))

    def turned(move):
        return PASS if move == PASS else other.point(*TURNS[turn](*game.column_row(move), width, height))

    def turned_set(points):
        return sum(1 << turned(point) for point in game.board.places if points >> point & 1)

    def compare():
        colours = (turned_set(here.black), turned_set(here.white))
        assert there[:2] == (colours[::-1] if swaps else colours)
        assert game.phase(here) == other.phase(there)
        assert here.passes == there.passes
        assert there.notes.blocked == turned_set(here.notes.blocked)
        score, mirror = game.score(here), other.score(there)
        areas = (turned_set(score.black), turned_set(score.white))
        assert (mirror.black, mirror.white) == (areas[::-1] if swaps else areas)
        assert mirror.lead == (-score.lead if swaps else score.lead)

    here, there = game.start(), other.set_up(0, 0, to_play=int(swaps))
    compare()
    for step in steps:
        if not game.acting(here):
            break
        seat = here.to_play
        legal = list(game.legal(here, seat))
        assert {turned(move) for move in legal} == set(other.legal(there, seat ^ swaps))
        move = chosen(legal, step)
        here = game.play(here, ((seat, move),))
        there = other.play(there, ((seat ^ swaps, turned(move)),))
        compare()


@settings(deadline=None, max_examples=60)
@given(sizes, some_rulesets, choices)
def test_a_game_replayed_from_its_texts_is_the_same_game(size, ruleset, steps):
    game = rules(Options(board_size=size, komi=0, ruleset=ruleset))
    positions, texts = [game.start()], []
    for step in steps:
        position = positions[-1]
        if not game.acting(position):
            break
        move = chosen(list(game.legal(position, position.to_play)), step)
        texts.append(game.format(move))
        positions.append(game.play(position, ((position.to_play, move),)))
    again = [game.start()]
    for text in texts:
        again.append(game.play(again[-1], ((again[-1].to_play, game.parse(text)),)))
    assert again == positions
    assert [game.score(position) for position in again] == [game.score(position) for position in positions]


def naive_boards(width, height):
    """Every placement of stones in which each group has a liberty, as rows from the bottom."""
    points = [(x, y) for y in range(height) for x in range(width)]
    placements = [{}]
    for point in points:
        placements = [placed | {point: mark} for placed in placements for mark in ".XO"]
    for placed in placements:
        naive = naive_go.NaiveGo(width, height, suicide=False)
        naive.rows = [[placed[x, y] for x in range(width)] for y in range(height)]
        if all("." in touched for mark, _, touched in naive.regions(naive.rows) if mark != "."):
            yield naive


def lost_by_plays(naive, seat):
    """Return how many own stones each play that fits on the board takes off."""
    naive.suicide, found = True, {}
    for y in range(naive.height):
        for x in range(naive.width):
            if naive.rows[y][x] == ".":
                _, found[x, y], _ = naive.attempt(seat, x, y)
    return found


@pytest.mark.parametrize(
    ("width", "height", "boards"),
    [
        *[(1, 1, 1), (1, 2, 5), (1, 3, 15), (2, 2, 57), (2, 3, 489)],
        pytest.param(3, 3, 12675, marks=[pytest.mark.slow, pytest.mark.nightly]),
    ],
)
def test_every_move_on_every_tiny_board_is_judged_as_by_plain_rules(width, height, boards):
    """Both colours and both suicide rules up to 2x3; on 3x3, where colours swap, Black alone."""
    games = {
        suicide: rules(Options(board_size=(width, height), komi=0, ruleset=f"koSIMPLEsui{int(suicide)}"))
        for suicide in (False, True)
    }
    found = 0
    for naive in naive_boards(width, height):
        found += 1
        black, white = (
            sum(
                1 << games[False].point(x, y)
                for y in range(height)
                for x in range(width)
                if naive.rows[y][x] == mark
            )
            for mark in "XO"
        )
        for seat in (0,) if boards == 12675 else (0, 1):
            lost = lost_by_plays(naive, seat)
            for suicide, game in games.items():
                expected = {game.point(*at) for at, own in lost.items() if not own or (suicide and own > 1)}
                assert {*game.legal(game.set_up(black, white, to_play=seat), seat)} == expected | {PASS}
    assert found == boards


def count_lines(game, position, depth):
    """Return the number of lines of play of exactly `depth` moves. Games that end earlier do not count."""
    if depth == 0:
        return 1
    if not game.acting(position):
        return 0
    seat = position.to_play
    return sum(
        count_lines(game, game.play(position, ((seat, move),)), depth - 1)
        for move in game.legal(position, seat)
    )


def count_naive_lines(naive, ko, depth, *, seat=0, passes=0, seen=()):
    """Return the same by plain rules under superko; seen: (board, side to move) of all states until now."""
    if depth == 0:
        return 1
    if passes == 2:
        return 0
    board = tuple(map(tuple, naive.rows))
    seen = (*seen, (board, seat))
    lines = count_naive_lines(naive, ko, depth - 1, seat=1 - seat, passes=passes + 1, seen=seen)
    for x, y in [(x, y) for y in range(naive.height) for x in range(naive.width)]:
        try:
            rows, own, _ = naive.attempt(seat, x, y)
        except naive_go.Refused:
            continue
        after = tuple(map(tuple, rows))
        if own == 1 or any(
            before == after and (ko == "POSITIONAL" or mover == 1 - seat) for before, mover in seen
        ):
            continue
        child = naive_go.NaiveGo(
            naive.width, naive.height, suicide=naive.suicide, rows=[list(r) for r in rows]
        )
        lines += count_naive_lines(child, ko, depth - 1, seat=1 - seat, seen=seen)
    return lines


@pytest.mark.parametrize("suicide", [0, 1])
@pytest.mark.parametrize("ko", ["POSITIONAL", "SITUATIONAL"])
@pytest.mark.parametrize(("width", "height", "depth"), [(1, 2, 9), (1, 3, 11), (2, 2, 8)])
def test_there_are_as_many_lines_of_play_as_by_plain_rules(width, height, depth, ko, suicide):
    game = rules(Options(board_size=(width, height), komi=0, ruleset=f"ko{ko}sui{suicide}"))
    naive = naive_go.NaiveGo(width, height, suicide=bool(suicide))
    for each in range(depth + 1):
        assert count_lines(game, game.start(), each) == count_naive_lines(naive, ko, each)


def count_games(game, position):
    """Return games of Tromp and Taylor: whoever does not play passes, so each side may play at any time."""
    total = 1
    for seat in (0, 1):
        open_position = position._replace(to_play=seat, ko=0, passes=0)
        for move in game.legal(open_position, seat):
            if move != PASS:
                total += count_games(game, game.play(open_position, ((seat, move),)))
    return total


@pytest.mark.parametrize(("length", "games"), [(1, 1), (2, 9), (3, 907)])
def test_there_are_as_many_games_on_a_line_as_tromp_and_farneback_counted(length, games):
    """J. Tromp and G. Farneback, "Combinatorics of Go", 2007."""
    game = rules(Options(board_size=(length, 1), komi=0, ruleset="tromp-taylor"))
    assert count_games(game, game.start()) == games


def test_a_free_handicap_is_the_start_of_a_named_ruleset_too():
    game = rules(Options(board_size=4, komi=0, handicap=2, handicap_style="free", ruleset="aga"))
    assert game.phase(game.start()) == HANDICAP
    placed = game.play(game.start(), ((0, game.parse("A1 B2")),))
    assert placed == game.set_up(placed.black, 0, to_play=1)
