"""What comes next is told without those that are played, and about when."""

import pytest
from msgspec.structs import replace

from gyoji.core.spec import PERSON, GameSpec, Player
from gyoji.web.schedule import MOST_COMING, coming, seconds_left

PLAYERS = tuple(Player(code=code, command=(code,)) for code in "ab")
GAMES = [GameSpec(id=f"0_{number}", pairing="0", game="go", players=PLAYERS) for number in range(20)]


@pytest.mark.parametrize(
    ("playing", "pace", "first"),
    [
        ((), None, ("0_0", None)),
        (("0_0", "0_1"), 90.4, ("0_2", 90)),
        (("0_0@2",), 0.2, ("0_1", 0)),  # the second try of a game is that game
    ],
)
def test_what_goes_on_is_not_to_come(playing, pace, first):
    told = coming(GAMES, [replace(GAMES[0], id=each) for each in playing], pace)
    assert (told[0]["id"], told[0]["in_seconds"]) == first
    assert (told[0]["players"], len(told)) == (["a", "b"], MOST_COMING)


def test_a_game_whose_person_is_at_a_board_comes_after_those_that_can_begin():
    ann = Player(code="a", command=(), protocol=PERSON, executor=PERSON)
    games = [replace(each, players=(ann, PLAYERS[1])) for each in GAMES[:2]]
    free = replace(GAMES[2], players=PLAYERS[1:])
    told = coming([*games, free], games[:1], 5.0)
    found = [(each["id"], each["again"], each["in_seconds"]) for each in told]
    assert found == [("0_2", False, 5), ("0_1", True, None)]  # nobody knows when ann is ready again


def test_each_game_that_ends_makes_room_for_another():
    assert [each["in_seconds"] for each in coming(GAMES, (), 10.0)[:3]] == [10, 20, 30]


@pytest.mark.parametrize(
    ("played", "parallel", "expected"),
    [(1, 1, None), (4, 1, None), (5, 1, 120), (5, 8, None), (8, 8, 75)],
)
def test_the_end_is_estimated_once_more_than_the_shortest_games_are_over(played, parallel, expected):
    assert seconds_left(60, played, 10, parallel=parallel) == expected
