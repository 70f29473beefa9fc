"""The playoff as a fold: ids, seats, order of games, resume, ghosts and running statistics."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player, derive_seed
from gyoji.formats.playoff import Matchup, Playoff, Settings
from gyoji.results.game_ids import CHECK_ID
from gyoji.testing.competition_kit import check_competition, drawn_result

PLAYERS = {code: Player(code=code, command=(f"/bin/{code}",)) for code in "abcd"}


def matchup(first="a", second="b", **settings):
    settings = {"id": "0", "name": f"{first} v {second}", "game": "go", **settings}
    return Matchup(player_1=first, player_2=second, **settings)


def playoff(*matchups, seed=5):
    settings = Settings(matchups=matchups)
    return Playoff(
        CompetitionSetup(code="event", kind="playoff", players=PLAYERS, settings=settings, seed=seed)
    )


def result(name, players=("a", "b"), outcome=None, cpu=(None, None), started="2026-11-21T01:00:00Z"):
    """Return a finished game; outcome is won by the first seat if not given."""
    return GameResult(
        id=name,
        pairing=name.rpartition("_")[0],
        players=tuple(players),
        outcome=outcome or Outcome(points=won_by(0, 2), ending=Ending.SCORE),
        turns=10,
        engines=tuple(EngineReport(name=code, cpu_ns=ns) for code, ns in zip(players, cpu, strict=True)),
        started=started,
        wall_ns=1,
    )


def ids(event, count=100):
    issued = []
    while len(issued) < count and (spec := event.next_game()) is not None:
        issued.append(spec.id)
    return issued


def seats(event, count):
    return ["".join(player.code for player in event.next_game().players) for _ in range(count)]


# Ids and seats


@pytest.mark.parametrize(
    ("number_of_games", "expected"),
    [
        (1, ["0_0"]),
        (3, ["0_0", "0_1", "0_2"]),
        (10, [f"0_{n}" for n in range(10)]),
        (11, [f"0_{n:02}" for n in range(11)]),
        (0, []),
        (None, [f"0_{n}" for n in range(100)]),
    ],
)
def test_ids_are_padded_to_the_width_of_the_last_number(number_of_games, expected):
    assert ids(playoff(matchup(number_of_games=number_of_games))) == expected


def test_more_games_than_before_carry_on_with_the_numbering():
    event = playoff(matchup(number_of_games=12))
    for name in ("0_0", "0_1", "0_2"):
        event.add(result(name))
    assert ids(event) == [f"0_{n:02}" for n in range(3, 12)]


def test_player_1_always_has_the_first_seat_unless_alternating():
    assert seats(playoff(matchup()), 4) == ["ab"] * 4


def test_alternating_swaps_in_odd_games():
    assert seats(playoff(matchup(alternating=True)), 4) == ["ab", "ba", "ab", "ba"]


def test_a_replayed_game_keeps_its_seats_and_its_seed():
    event = playoff(matchup(alternating=True, number_of_games=3))
    event.add(result("0_0"))
    event.add(result("0_2"))
    spec = event.next_game()
    assert (spec.id, [player.code for player in spec.players]) == ("0_1", ["b", "a"])
    assert spec.seed == derive_seed(5, "0_1")


def test_a_player_that_meets_itself_has_a_clone():
    event = playoff(matchup("a", "a", alternating=True))
    assert [seats(event, 1) for _ in range(2)] == [["aa#2"], ["a#2a"]]
    assert event.next_game().players[1] == replace(PLAYERS["a"], code="a#2")
    event.add(result("0_0", ("a", "a#2")))
    assert [player.player for player in event.stats("0").players] == ["a", "a#2"]


def test_records_name_the_matchup_only_if_the_user_named_it():
    assert playoff(matchup()).next_game().event == "event"
    assert playoff(matchup(name="the final")).next_game().event == "event (the final)"


def test_a_spec_carries_the_settings_of_its_matchup():
    spec = playoff(matchup(options={"komi": 7.5}, move_limit=9, scorer="internal")).next_game()
    assert (spec.game, spec.options, spec.move_limit, spec.scorer) == ("go", {"komi": 7.5}, 9, "internal")
    assert (spec.pairing, spec.competition) == ("0", "event")


# The order of games


def test_matchups_with_fewest_games_come_first_and_of_equals_the_earlier():
    event = playoff(matchup(id="mz", number_of_games=4), matchup(id="my"))
    assert ids(event, 10) == ["mz_0", "my_0", "mz_1", "my_1", "mz_2", "my_2", "mz_3", "my_3", "my_4", "my_5"]


def test_resume_plays_what_is_lacking_first():
    event = playoff(matchup(id="mz", number_of_games=4), matchup(id="my"))
    event.add(result("mz_1"))
    assert ids(event, 9) == ["my_0", "mz_0", "my_1", "mz_2", "my_2", "mz_3", "my_3", "my_4", "my_5"]


def test_results_may_be_added_between_games():
    event = playoff(matchup(number_of_games=5))
    assert ids(event, 2) == ["0_0", "0_1"]
    event.add(result("0_2"))
    event.add(result("0_0"))
    assert ids(event) == ["0_3", "0_4"]


def test_fewer_games_than_before_forget_nothing():
    event = playoff(matchup(number_of_games=2))
    for number in range(5):
        event.add(result(f"0_{number}"))
    assert (ids(event), event.remaining(), event.stats("0").played) == ([], 0, 5)


def test_a_matchup_without_games_keeps_its_results():
    event = playoff(matchup(number_of_games=0))
    event.add(result("0_3"))
    assert (ids(event), event.stats("0").played) == ([], 1)


def test_remaining_counts_what_is_still_to_be_issued():
    event = playoff(matchup(number_of_games=3), matchup(id="1", number_of_games=2))
    assert event.remaining() == 5
    event.add(result("0_2"))
    event.add(result("0_2"))
    event.next_game()
    assert event.remaining() == 3
    assert playoff(matchup(number_of_games=3), matchup(id="1")).remaining() is None


@given(st.lists(st.tuples(st.sampled_from("01"), st.integers(0, 12)), max_size=30), st.lists(st.booleans()))
def test_no_game_is_issued_twice_nor_after_its_result(stored, steps):
    event = playoff(matchup(number_of_games=9, alternating=True), matchup(id="1", number_of_games=7))
    gone, waiting = set(), [f"{pairing}_{number}" for pairing, number in stored]
    for is_add in [*steps, *[False] * 20]:
        if is_add and waiting:
            name = waiting.pop()
            event.add(result(name))
            gone.add(name)
        elif (spec := event.next_game()) is not None:
            assert spec.id not in gone
            gone.add(spec.id)
    for pairing, games in (("0", 9), ("1", 7)):
        assert sum(name.startswith(pairing) for name in gone) >= games


def test_an_opening_is_played_from_both_sides_before_the_next_matchup_has_its_turn():
    opened = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"))}
    event = playoff(
        matchup(number_of_games=4, **opened), matchup("b", "c", id="1", number_of_games=4, **opened)
    )
    specs = [event.next_game() for _ in range(8)]
    assert [spec.id for spec in specs] == ["0_0", "0_1", "1_0", "1_1", "0_2", "0_3", "1_2", "1_3"]
    assert [spec.options["opening"] for spec in specs] == ["x"] * 4 + ["y"] * 4
    assert ["".join(player.code for player in spec.players) for spec in specs[:4]] == ["ab", "ba", "bc", "cb"]


def test_an_opening_that_is_played_once_leaves_the_seats_to_the_setting():
    opened = {"options": {"opening": ""}, "openings": Openings(lines=("x", "y"), games=1)}
    assert seats(playoff(matchup(**opened)), 2) == ["ab", "ab"]


# Ghosts, changes, foreign results


def test_a_matchup_that_left_the_control_file_is_kept_and_counted_and_plays_nothing():
    event = playoff(matchup(id="new", number_of_games=1))
    event.add(result("old_1", ("b", "a")))
    event.add(result("old_0", ("a", "b")))
    assert event.ghosts() == ("old",)
    stats = event.stats("old")
    assert (stats.name, stats.settings, stats.played) == ("a v b", None, 2)
    assert [player.total.points for player in stats.players] == [1, 1]
    assert ids(event) == ["new_0"]


def test_a_matchup_that_comes_back_carries_on():
    event = playoff(matchup(id="old", number_of_games=3))
    event.add(result("old_0"))
    event.add(result("old_1"))
    assert (ids(event), event.ghosts()) == (["old_2"], ())


def test_a_matchup_that_was_never_played_leaves_nothing_when_it_is_deleted():
    event = playoff(matchup())
    assert event.stats("0").played == 0
    assert event.ghosts() == ()


def test_changed_players_are_refused_with_both_pairs():
    event = playoff(matchup("a", "c"))
    with pytest.raises(ConfigError, match=r"matchup 0: .* of a v b, the control file now says a v c"):
        event.add(result("0_0"))


def test_a_ghost_of_two_pairs_is_refused():
    event = playoff(matchup())
    event.add(result("gone_0"))
    with pytest.raises(ConfigError, match=r"matchup gone: .* of a v c, others are of a v b"):
        event.add(result("gone_1", ("a", "c")))


def test_players_may_change_their_order():
    event = playoff(matchup("b", "a"))
    event.add(result("0_0", ("a", "b")))
    assert [player.player for player in event.stats("0").players] == ["b", "a"]


@pytest.mark.parametrize("name", ["0_", "0_x", "0_-1", "1_0", "0", "0_²"])
def test_a_stored_game_that_no_playoff_made_is_refused(name):
    with pytest.raises(ConfigError, match="does not belong to matchup '0'"):
        playoff(matchup()).add(replace(result("0_0"), id=name))


# Statistics


def test_level_games_give_half_a_point_in_the_seat_they_were_played_from():
    event = playoff(matchup(alternating=True))
    event.add(result("0_0", ("a", "b"), Outcome(points=shared(2), ending=Ending.SCORE)))
    event.add(result("0_1", ("b", "a")))
    event.add(result("0_2", ("a", "b")))
    a, b = event.stats("0").players
    assert [[side.points for side in player.sides] for player in (a, b)] == [[1.5, 0], [1, 0.5]]
    assert [[side.played for side in player.sides] for player in (a, b)] == [[2, 1], [1, 2]]


def test_forfeits_are_those_of_the_side_that_broke_a_rule():
    event = playoff(matchup())
    event.add(result("0_0", outcome=Outcome(points=won_by(1, 2), ending=Ending.TIME, seat=0)))
    event.add(result("0_1", outcome=Outcome(points=won_by(1, 2), ending=Ending.SCORE)))
    a, b = event.stats("0").players
    assert (a.total.timeouts, b.total.forfeits, a.sides[0].losses, b.sides[1].wins) == (1, 0, 2, 2)


def test_unknown_results_are_played_and_nobodys():
    event = playoff(matchup())
    event.add(result("0_0", outcome=Outcome(points=None, ending=Ending.MOVE_LIMIT)))
    stats = event.stats("0")
    assert (stats.unknown, stats.played) == (1, 1)
    assert [(player.total.points, player.total.played) for player in stats.players] == [(0, 1), (0, 1)]


def test_cpu_time_is_a_mean_over_the_games_in_which_it_is_known():
    event = playoff(matchup())
    event.add(result("0_0", cpu=(2_000_000_000, None)))
    event.add(result("0_1", cpu=(4_000_000_000, None)))
    event.add(result("0_2"))
    assert [player.cpu_s for player in event.stats("0").players] == [3.0, None]


def test_engines_are_those_of_the_last_game_in_whatever_order_results_come():
    event = playoff(matchup())
    new = replace(result("0_1", started="2026-11-21T02:00Z"), engines=(EngineReport(name="new"),) * 2)
    for game in (new, result("0_0", started="2026-11-21T01:00Z")):
        event.add(game)
    assert {code: engine.name for code, engine in event.engines.items()} == {"a": "new", "b": "new"}


# Startup checks


def test_checks_are_of_each_player_that_has_games_with_its_earliest_settings():
    event = playoff(
        matchup("d", "a", number_of_games=0, options={"size": 5}),
        matchup("c", "b", id="1", options={"size": 9}),
        matchup("a", "b", id="2", options={"size": 13}),
    )
    checks = list(event.checks())
    assert [(spec.players[0].code, spec.options["size"]) for spec in checks] == [
        ("a", 13),
        ("b", 9),
        ("c", 9),
    ]
    assert {spec.id for spec in checks} == {CHECK_ID}


def test_a_player_that_meets_itself_is_checked_once():
    assert [spec.players[0].code for spec in playoff(matchup("a", "a")).checks()] == ["a"]


def test_a_scoring_player_goes_with_each_game_and_is_checked_like_the_others():
    event = playoff(matchup(scorer="engine", scoring_player="d"))
    assert [spec.players[0].code for spec in event.checks()] == ["a", "b", "d"]
    assert event.next_game().scoring_player == PLAYERS["d"]
    assert playoff(matchup()).next_game().scoring_player is None


def test_a_player_is_checked_with_a_matchup_whose_rules_can_be_tried_if_there_is_one():
    area, territory = ({"board_size": 9, "komi": 7.5, "ruleset": name} for name in ("chinese", "japanese"))
    for scorer, checked in (("internal", "japanese"), ("players", "chinese")):
        event = playoff(
            matchup(options=area, scorer=scorer), matchup(id="1", options=territory, scorer=scorer)
        )
        assert [spec.options["ruleset"] for spec in event.checks()] == [checked] * 2


# The kit


@pytest.mark.parametrize(
    "matchups",
    [
        [matchup(number_of_games=7, alternating=True)],
        [matchup(alternating=True)],
        [matchup("a", "a", number_of_games=4, alternating=True)],
        [
            matchup(number_of_games=12, alternating=True),
            matchup("b", "c", id="x_1", number_of_games=3, alternating=True),
            matchup("c", "d", id="off", number_of_games=0),
        ],
        [
            matchup(number_of_games=9, options={"opening": ""}, openings=Openings(lines=("x", "y"))),
            matchup("b", "c", id="1", number_of_games=4, alternating=True),
        ],
    ],
    ids=["one", "endless", "selfplay", "three", "openings"],
)
def test_a_playoff_keeps_the_promises_of_a_competition(matchups):
    def summary(event):
        cross = event.crosses()[""]
        stats = [event.stats(item.id) for item in event.matchups]
        return stats, event.engines, [cross.of(player) for player in cross.players]

    check_competition(lambda: playoff(*matchups), drawn_result, longest=40, summary=summary, is_balanced=True)


def test_a_settings_table_without_matchups_is_refused():
    with pytest.raises(ValueError, match="one matchup or more"):
        Settings(matchups=())
