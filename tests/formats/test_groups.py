"""Groups with promotion: who plays where and when, what a ruling changes, what a control file may say."""

import pytest
from format_events import mistake
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.core.record import WAITING, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.formats.groups import Group, Groups, Settings
from gyoji.testing.competition_kit import check_competition, drawn_result


def group(code, players, *, rounds=1, promote=1, **settings):
    full = {"name": f"group {code}", **settings}
    return Group(game="go", id=code, players=tuple(players), rounds=rounds, promote=promote, **full)


def event(*groups):
    codes = "".join(code for each in groups for code in each.players)
    players = {code: Player(code=code, command=(f"/bin/{code}",)) for code in codes}
    return Groups(
        CompetitionSetup(code="cup", kind="groups", players=players, settings=Settings(groups=groups), seed=3)
    )


def result_of(spec, strength="abcdefghi"):
    """Return a result in which the player that comes first in `strength` wins."""
    players = tuple(player.code for player in spec.players)
    winner = min((0, 1), key=lambda seat: strength.index(players[seat]))
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=players,
        outcome=Outcome(points=won_by(winner, 2), ending=Ending.SCORE),
        turns=10,
        engines=(),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def play(cup, strength="abcdefghi", most=1000):
    """Return the pairings that are played until there is no game, each result told at once."""
    pairings = []
    while len(pairings) < most and (spec := cup.next_game()) is not None:
        pairings.append(spec.pairing)
        cup.add(result_of(spec, strength))
    return pairings


LADDER = (group("A", "a"), group("B", "bc", promote=2), group("C", "de"))


def test_the_lowest_group_plays_first_and_its_best_go_up():
    pairings = play(event(*LADDER), strength="eabcd")
    assert pairings == ["C,d,e", "B,b,c", "B,b,e", "B,c,e", "A,a,e", "A,a,b", "A,b,e"]


def test_nobody_plays_in_a_group_that_waits():
    cup = event(*LADDER)
    spec = cup.next_game()
    assert (spec.pairing, cup.next_game()) == ("C,d,e", None)
    assert cup.remaining() == 3 + 3
    cup.add(result_of(spec))
    assert cup.next_game().pairing.startswith("B,")


def test_several_groups_can_feed_the_same_one():
    cup = event(group("A", ""), group("B", "bc"), group("C", "de", into="A"), group("D", "fg", into="A"))
    assert play(cup) == ["D,f,g", "C,d,e", "B,b,c", "A,b,d", "A,b,f", "A,d,f"]
    assert [group.promoted for group in cup.groups] == [(), ("b",), ("d",), ("f",)]


def test_a_group_that_promotes_nobody_keeps_nobody_waiting():
    cup = event(group("A", "ab"), group("B", "cd", promote=0))
    assert {cup.next_game().pairing for _ in range(2)} == {"A,a,b", "B,c,d"}


def test_the_best_of_the_first_group_stay_where_they_are():
    cup = event(group("A", "ab", promote=1))
    assert play(cup) == ["A,a,b"]
    assert cup.groups[0].promoted == ()


def test_everybody_has_the_first_seat_first_about_equally_often():
    cup = event(group("A", "abcdefg"))
    first = [cup.next_game().players[0].code for _ in range(21)]
    assert [first.count(code) for code in "abcdefg"] == [3] * 7


def test_both_games_of_an_opening_come_one_after_the_other():
    opened = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"))}
    cup = event(group("A", "abc", rounds=4, **opened))
    specs = [cup.next_game() for _ in range(12)]
    assert [spec.id for spec in specs[:4]] == ["A,a,b_0", "A,a,b_1", "A,a,c_0", "A,a,c_1"]
    assert [spec.options["opening"] for spec in specs] == ["x"] * 6 + ["y"] * 6


def test_each_group_plays_by_its_own_settings_and_records_name_it():
    cup = event(group("A", "ab", promote=0), group("B", "cd", promote=0, move_limit=9, name="the others"))
    below, above = cup.next_game(), cup.next_game()
    assert (below.move_limit, below.event) == (9, "cup (the others)")
    assert (above.move_limit, above.event) == (1000, "cup (group A)")


def waiting(spec):
    outcome = Outcome(points=None, ending=Ending.SCORE, detail=WAITING)
    return replace(result_of(spec), outcome=outcome)


def test_the_next_group_waits_for_the_judge_too():
    cup = event(group("A", "a"), group("B", "bc"))
    spec = cup.next_game()
    cup.add(waiting(spec))
    assert (cup.next_game(), cup.remaining()) == (None, 1)
    ruled = event(group("A", "a"), group("B", "bc"))
    ruled.add(result_of(spec))
    assert ruled.next_game().pairing == "A,a,b"


def test_a_ruling_that_changes_who_is_promoted_leaves_out_what_was_played_in_vain():
    groups = (group("A", "a"), group("B", "bc"))
    played = [result_of(spec) for spec in iter_games(event(*groups))]
    assert [result.pairing for result in played] == ["B,b,c", "A,a,b"]
    below = played[0]
    cup = event(*groups)
    cup.add(replace(below, outcome=Outcome(points=won_by(1 - below.outcome.winner, 2), ending=Ending.SCORE)))
    cup.add(played[1])
    final = cup.groups[0]
    assert (final.players, final.robin.uncounted, final.robin.played) == (("a", "c"), {"A,a,b_0"}, 0)
    assert play(cup) == ["A,a,c"]


def iter_games(cup):
    while (spec := cup.next_game()) is not None:
        yield spec
        cup.add(result_of(spec))


def test_results_of_a_group_that_there_is_not_any_more_are_kept_aside():
    played = [result_of(spec) for spec in iter_games(event(group("A", "ab"), group("Z", "cd")))]
    cup = event(group("A", "abcd"))
    for result in played:
        cup.add(result)
    assert cup.uncounted == {"Z,c,d_0"}


@pytest.mark.parametrize(
    ("name", "pairing"), [("0_0", "0"), ("A,b,a_0", "A,b,a"), ("A,a,c_0", "A,a,c"), ("A,a,b", "A,a,b")]
)
def test_a_stored_game_that_no_groups_made_is_refused(name, pairing):
    cup = event(group("A", "ab"))
    stored = replace(result_of(cup.next_game()), id=name, pairing=pairing)
    with pytest.raises(ConfigError, match=r"is not a game of|does not belong to matchup"):
        cup.add(stored)


def test_every_player_is_checked_as_its_own_group_plays():
    scored = {"scorer": "engine", "scoring_player": "a"}
    cup = event(group("A", "ab"), group("B", "cd", move_limit=9, **scored))
    assert [(spec.players[0].code, spec.move_limit) for spec in cup.checks()] == [
        ("a", 1000),
        ("b", 1000),
        ("c", 9),
        ("d", 9),
    ]


@pytest.mark.parametrize(
    "groups",
    [
        (group("A", "abcd", rounds=3),),
        LADDER,
        (group("A", "ab", rounds=2), group("B", "cde", rounds=3, promote=2), group("C", "fg", into="A")),
        (
            group("A", "ab", rounds=4, options={"opening": ""}, openings=Openings(lines=("x", "y"))),
            group("B", "cde", promote=2),
        ),
    ],
    ids=["one", "ladder", "tree", "openings"],
)
def test_groups_keep_the_promises_of_a_competition(groups):
    def summary(cup):
        groups = [(group.players, group.promoted, list(group.robin.stats())) for group in cup.groups]
        return groups, cup.engines

    check_competition(lambda: event(*groups), drawn_result, longest=60, summary=summary, is_balanced=True)


@pytest.mark.parametrize(
    ("groups", "problem"),
    [
        ((), "expected one group or more"),
        ((("A", "a"),), "A has too few players"),
        ((("A", "ab"), ("B", "ac")), "'a' is in A and in B"),
        ((("A", "ab"), ("B", "cd", {"promote": 3})), "B promotes 3 of 2 players"),
        ((("A", "ab"), ("B", "cd", {"into": "C"}), ("C", "ef")), "B goes into 'C'"),
        ((("A", "ab"), ("B", "cd", {"into": "B"})), "B goes into 'B'"),
    ],
)
def test_groups_that_do_not_fit_together_are_refused(groups, problem):
    with pytest.raises(ValueError, match=problem):
        Settings(
            groups=tuple(group(name, players, **(more[0] if more else {})) for name, players, *more in groups)
        )


TOML = """
competition = "groups"
board_size = 9
komi = 7.5
rounds = 2
promote = 1
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}}

[[groups]]
name = "the final"
players = ["a"]
clock = "300s"

[[groups]]
players = ["b", "c"]
rounds = 4
"""


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML)
    final, below = load(path).settings.groups
    assert (final.id, final.name, final.rounds, final.clock.main) == ("A", "the final", 2, 300 * 10**9)
    assert (below.id, below.name, below.rounds, below.promote) == ("B", "group B", 4, 1)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("rounds = 2\n", "", "groups.0.rounds: required, but not given"),
        ("rounds = 4", "rounds = 0", "groups.1.rounds: expected 1 or more, got 0"),
        ("promote = 1", "promote = -1", "promote: expected 0 or more, got -1"),
        ('["b", "c"]', '["b", "q"]', "groups.1.players.1: there is no player 'q'"),
        ('["b", "c"]', '["a", "c"]', "groups: 'a' is in A and in B"),
        ("rounds = 4", 'name = "the final"', "groups.1.name: 'the final' is already used by groups.0"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))
