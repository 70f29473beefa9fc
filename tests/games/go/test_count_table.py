"""The count of a Go game as a table: its sums are the score by every ruleset, and people are shown them."""

import random
from decimal import Decimal

import pytest

from gyoji.games.go import frames
from gyoji.games.go.count_table import count_table
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.games.go.rulesets import NAMED


def played(made, seed):
    """The end of a game of random moves, and what was captured before plays cost nothing."""
    chance, position, captured = random.Random(seed), made.start(), None
    while acting := made.acting(position):
        *_, last = moves = list(made.legal(position, acting[0]))
        move = last if chance.random() < 0.3 else chance.choice(moves)
        position = made.play(position, ((acting[0], move),))
        if position.phase == "cleanup 2" and captured is None:
            captured = position.black_lost, position.white_lost
    return position, captured


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("handicap", [None, 2])
def test_the_sums_differ_by_the_score_and_each_is_that_of_its_column(name, handicap):
    made = rules(Options(board_size=7, komi=6.5, ruleset=name, handicap=handicap), 0)
    for seed in range(3):
        position, captured = played(made, seed)
        _, *parts, (_, *sums) = count_table(made, position, captured)
        columns = [[Decimal(row[side]) for row in parts] for side in (1, 2)]
        assert list(map(sum, columns)) == list(map(Decimal, sums))
        assert Decimal(sums[1]) - Decimal(sums[0]) == made.score(position).lead
        if made.choices.tax != "ALL":
            assert min(map(min, columns)) >= 0


@pytest.mark.parametrize(
    ("ruleset", "words", "rows"),
    [
        (
            "japanese",
            "by territory, japanese rules",
            [
                ("territory", "10", "5"),
                ("prisoners and dead stones", "1", "0"),
                ("komi", "0", "0.5"),
                ("sum", "11", "5.5"),
            ],
        ),
        (
            "chinese",
            "by area, chinese rules",
            [
                ("stones", "5", "5"),
                ("surrounded points", "10", "5"),
                ("komi", "0", "0.5"),
                ("sum", "15", "10.5"),
            ],
        ),
    ],
)
def test_a_person_sees_the_count_with_the_stones_that_are_marked(ruleset, words, rows):
    made = rules(Options(board_size=5, komi=0.5, ruleset=ruleset), 0)
    position = made.start()
    wall = ["C1 D1", "C2 D2", "C3 D3", "C4 D4", "C5 D5", "pass A1", "pass pass"]
    for seat, move in enumerate(" ".join(wall).split()):
        position = made.play(position, ((seat % 2, made.parse(move)),))
    counted = frames.counted(made, position, ["A1"])
    assert counted.table == ((words, "Black", "White"), *rows)


@pytest.mark.parametrize(
    ("ruleset", "dead", "note", "territory"),
    [
        ("japanese", ["A1"], "", "8"),
        ("japanese", [], "Points beside stones of both sides count for nobody, nor do those of groups", "0"),
        ("chinese", [], "Points beside stones of both sides count for nobody: mark all dead", "4"),
    ],
)
def test_a_person_is_told_why_points_count_for_nobody(ruleset, dead, note, territory):
    made = rules(Options(board_size=5, komi=0.5, ruleset=ruleset), 0)
    position = made.start()
    for seat, move in enumerate(
        ["C1", "D1", "C2", "D2", "C3", "D3", "C4", "D4", "C5", "D5", "A3", "A1", "B3", "pass", "pass"]
    ):
        position = made.play(position, ((seat % 2, made.parse(move)),))
    counted = frames.counted(made, position, dead)
    assert counted.note.startswith(note)
    assert bool(counted.note) == bool(note)
    rows = {name: black for name, black, _ in counted.table}
    assert (rows.get("territory") or rows["surrounded points"]) == territory


def test_without_a_ruleset_the_area_counts():
    made = rules(Options(board_size=5, komi=0.5, ruleset="none"), 0)
    assert count_table(made, made.close(made.start()))[0][0] == "by area"
