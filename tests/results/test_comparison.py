"""Which games count with which: what was stored is compared with what would be played now."""

import pytest
from msgspec.structs import replace

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Adjudication, Player, Threshold
from gyoji.formats.groups import Group
from gyoji.formats.groups import Settings as Groups
from gyoji.formats.playoff import Matchup
from gyoji.formats.playoff import Settings as Playoff
from gyoji.games.dighere.fields import draw_field
from gyoji.games.dighere.files import json_field
from gyoji.pairing.game_maker import GameMaker
from gyoji.results import comparison as module
from gyoji.results.comparison import Comparison
from gyoji.results.game_ids import game_number, plain, plain_id, with_free_id
from gyoji.store.game_texts import PlayedBy, SpecParts

OPTIONS = {"board_size": 9, "komi": 7.5, "handicap": None, "ruleset": ""}
PLAYERS = {code: Player(code=code, command=("/bin/engine", code)) for code in "abc"}


def matchup(**changes):
    fields = {"id": "0", "name": "a v b", "player_1": "a", "player_2": "b", "game": "go", "options": OPTIONS}
    return Matchup(**(fields | changes))


def make_setup(players=PLAYERS, **changes):
    return CompetitionSetup(
        code="cup", kind="playoff", players=players, settings=Playoff(matchups=(matchup(**changes),))
    )


def spec_of(setup, number=0):
    settings = setup.settings.matchups[0]
    pair = tuple(setup.players[code] for code in (settings.player_1, settings.player_2))
    return GameMaker(setup, settings).spec(settings.id, number, 10, pair, swaps=True)


def result_of(spec, points=(1.0, 0.0)):
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        outcome=Outcome(points=points, ending=Ending.SCORE),
        turns=4,
        engines=(EngineReport(), EngineReport()),
        started="2026-11-21T01:02:03+00:00",
        wall_ns=5,
    )


class Shelf:
    """Texts by numbers, as a store has them."""

    def __init__(self):
        self.texts = []

    def number(self, text):
        if text not in self.texts:
            self.texts.append(text)
        return self.texts.index(text)

    def played_by(self, spec):
        parts = SpecParts.of(spec)
        players = ",".join(str(self.number(text)) for text in parts.players)
        return PlayedBy(self.number(parts.frame), players)

    def takes(self, comparison, spec, points=(1.0, 0.0)):
        return comparison.takes(result_of(spec, points), self.played_by(spec), self.texts.__getitem__)


def compare(before, now):
    """Whether a game of the setup `before` counts in `now`, and what is told."""
    comparison = Comparison(now)
    spec = spec_of(before)
    counts = Shelf().takes(comparison, spec)
    assert comparison.differences(spec) == tuple(
        difference for excluded in comparison.excluded for difference in excluded.differences
    )
    told = "; ".join(
        difference.text for excluded in comparison.excluded for difference in excluded.differences
    )
    return counts, told


LINES = Openings(lines=({"x": 1}, {"x": 2}))
EXCLUDED = {
    "another size": ({"options": OPTIONS | {"board_size": 7}}, "board size 9, not 7"),
    "another komi": ({"options": OPTIONS | {"komi": 6.5}}, "komi 7.5, not 6.5"),
    "a ruleset": ({"options": OPTIONS | {"ruleset": "chinese"}}, "ruleset none, not chinese"),
    "a ruleset that counts, where the engines counted": (
        {"options": OPTIONS | {"ruleset": "chinese"}, "scorer": "internal"},
        "ruleset none, not chinese; scorer players, not internal",
    ),
    "a clock": ({"clock": TimeControl.parse("10m")}, "clock none, not 10m"),
    "another meter": ({"clock": TimeControl(grain=7)}, 'clock {}, not {"grain":7}'),
    "a move limit": ({"move_limit": 60}, "move limit 1000, not 60"),
    "another scorer": ({"scorer": "internal"}, "scorer players, not internal"),
    "a scoring engine": (
        {"scorer": "engine", "scoring_player": "c"},
        "scorer players, not engine; scoring player none, not c",
    ),
    "all of it": (
        {"options": OPTIONS | {"board_size": 7, "komi": 0.5}},
        "board size 9, not 7; komi 7.5, not 0.5",
    ),
    "openings": ({"openings": LINES}, "openings no, not yes"),
    "adjudication": (
        {"adjudication": Adjudication(win=Threshold(chance=0.95), length=300)},
        "adjudication none, not win (chance 0.95, 3 moves) by both sides, level after 300",
    ),
    "a finer threshold": (
        {"adjudication": Adjudication(win=Threshold(chance=0.95, score=0.1 + 0.2))},
        "adjudication none, not win (score 0.3, chance 0.95, 3 moves) by both sides",
    ),
    "take-backs": ({"take_backs": "ask"}, "take backs never, not ask"),
    "offers of a draw": ({"draw_offers": True}, "draw offers no, not yes"),
    "hints": ({"hints": True}, "hints no, not yes"),
}


@pytest.mark.parametrize("name", EXCLUDED)
def test_games_of_other_settings_do_not_count(name):
    changes, told = EXCLUDED[name]
    counts, text = compare(make_setup(), make_setup(**changes))
    assert not counts
    assert ("clock" if name == "another meter" else told) in text


SAME = {
    "nothing": {},
    "more games": {"number_of_games": 99},
    "another name": {"name": "the final", "alternating": True},
    "somebody to propose to the judge only": {"options": dict(reversed(OPTIONS.items()))},
    "an option that did not exist then": {"options": OPTIONS | {"suicide": True}},
}


@pytest.mark.parametrize("name", SAME)
def test_what_does_not_change_the_game_changes_no_count(name):
    assert compare(make_setup(), make_setup(**SAME[name])) == (True, "")


def test_openings_may_be_other_ones_but_there_must_be_some():
    before = make_setup(openings=LINES)
    assert compare(before, make_setup(openings=Openings(lines=({"x": 3},)))) == (True, "")
    assert compare(before, make_setup()) == (False, "openings yes, not no")
    assert compare(make_setup(), make_setup(openings=Openings(lines=("", {"x": 3})))) == (True, "")


OF_FIELDS = TimeControl(main=10 * 10**9, by_opening=True)


def timed(clock=OF_FIELDS, *, ms=3000, players=PLAYERS):
    field = json_field(draw_field(1)) | {"thinkTime": ms}
    options = {"opening": "", "invalid_plans": "hidden", "steps": 0, "check_field": True}
    return make_setup(
        players, game="dighere", options=options, clock=clock, openings=Openings(lines=(field,))
    )


def test_games_in_the_time_of_their_openings_count_with_the_others():
    assert compare(timed(), timed()) == (True, "")
    assert compare(timed(), timed(ms=5000)) == (True, "")
    assert compare(timed(ms=10_000), timed(TimeControl.parse("10s"))) == (True, "")
    assert compare(timed(TimeControl.parse("3s")), timed()) == (True, "")


def test_games_in_another_time_than_that_of_their_openings_are_excluded():
    for was, now in (("10s", "10s, or the opening's own"), ("20s", "10s, or the opening's own")):
        assert compare(timed(TimeControl.parse(was)), timed()) == (False, f"clock {was}, not {now}")
    assert compare(timed(), timed(TimeControl.parse("10s"))) == (False, "clock 3s, not 10s")
    grained = replace(OF_FIELDS, grain=10)
    assert not compare(timed(), timed(grained))[0]


def test_games_of_a_player_in_the_time_of_their_openings_count_with_the_others():
    own = PLAYERS | {"b": replace(PLAYERS["b"], clock=OF_FIELDS)}
    other = PLAYERS | {"b": replace(PLAYERS["b"], clock=replace(OF_FIELDS, grain=10))}
    assert compare(timed(players=own), timed(players=own)) == (True, "")
    assert not compare(timed(players=own), timed(players=other))[0]


def test_another_clock_of_a_player_excludes_its_games():
    hurried = PLAYERS | {"b": replace(PLAYERS["b"], clock=TimeControl.parse("1m"))}
    assert compare(make_setup(), make_setup(hurried)) == (False, "clock of b none of its own, not 1m")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"command": ("/opt/engine", "a")}, ("command",)),
        ({"options": {"x": 1}, "environ": {"KEY": "secret"}}, ("options", "environ")),
        ({"cwd": "/tmp", "stderr": "discard", "folder": "/x", "resources": {"gpu": 1}}, ()),
    ],
)
def test_a_player_that_has_changed_counts_and_is_told_of(change, told):
    comparison, shelf = Comparison(make_setup(PLAYERS | {"a": replace(PLAYERS["a"], **change)})), Shelf()
    for number in range(3):
        assert shelf.takes(comparison, spec_of(make_setup(), number))
    assert comparison.excluded == ()
    changes = [(each.player, each.games, each.settings) for each in comparison.changed]
    assert changes == ([("a", 3, told)] if told else [])


@pytest.mark.parametrize(("evaluate", "told"), [(False, []), (True, [("options",)])])
def test_an_option_that_a_player_did_not_have_then_had_its_default_of_today(evaluate, told):
    now = PLAYERS | {"a": replace(PLAYERS["a"], options={"evaluate": evaluate})}
    comparison, shelf = Comparison(make_setup(now)), Shelf()
    assert shelf.takes(comparison, spec_of(make_setup()))
    assert [each.settings for each in comparison.changed] == told


def test_excluded_games_are_counted_by_players_and_by_what_differs():
    comparison, shelf = Comparison(make_setup()), Shelf()
    for size, number, points in [(5, 0, (1, 0)), (5, 1, (1, 0)), (7, 2, (0.5, 0.5)), (5, 4, None)]:
        setup = make_setup(options=OPTIONS | {"board_size": size})
        assert not shelf.takes(comparison, spec_of(setup, number), points)
    assert shelf.takes(comparison, spec_of(make_setup(), 5))
    counted = [(each.players, each.games, each.points) for each in comparison.excluded]
    assert counted == [(("a", "b"), 3, {"a": 1, "b": 1}), (("a", "b"), 1, {"a": 0.5, "b": 0.5})]


@pytest.mark.parametrize("most", [0, 1, 99])
def test_a_game_counts_the_same_however_many_like_it_came_before(most, monkeypatch):
    monkeypatch.setattr(module, "_MOST_ALIKE", most)
    other = make_setup(options=OPTIONS | {"board_size": 5})
    comparison, shelf = (
        Comparison(make_setup(PLAYERS | {"c": replace(PLAYERS["c"], command=("x",))})),
        Shelf(),
    )
    asked = [make_setup(), make_setup(player_2="c"), other, make_setup(player_2="c")] * 3
    counts = [shelf.takes(comparison, spec_of(setup, number)) for number, setup in enumerate(asked)]
    assert counts == [True, True, False, True] * 3
    assert [each.games for each in comparison.excluded] == [3]
    assert [(each.player, each.games) for each in comparison.changed] == [("c", 6)]
    by = shelf.played_by(spec_of(make_setup()))._replace(purged="a bad host")
    assert not comparison.takes(result_of(spec_of(make_setup())), by, shelf.texts.__getitem__)


def test_a_pairing_that_is_gone_counts_as_its_first_game_was_played():
    gone = make_setup(id="gone", options=OPTIONS | {"board_size": 5})
    later = make_setup(id="gone", options=OPTIONS | {"board_size": 7})
    comparison, shelf = Comparison(make_setup()), Shelf()
    assert [shelf.takes(comparison, spec_of(setup)) for setup in (gone, later, gone)] == [True, False, True]


def test_each_matchup_and_each_group_has_settings_of_its_own():
    two = Playoff(matchups=(matchup(), matchup(id="1", options=OPTIONS | {"komi": 0.5})))
    assert [two.settings_of(pairing).options["komi"] for pairing in "01"] == [7.5, 0.5]
    assert two.settings_of("2") is None
    fields = {"players": ("a", "b"), "rounds": 1, "game": "go"}
    groups = Groups(groups=tuple(Group(id=code, name=code, **fields) for code in ("F",)))
    assert groups.settings_of("F,a,b") is groups.groups[0]
    assert groups.settings_of("G,a,b") is None


def test_a_game_that_is_played_once_more_has_an_id_of_its_own_and_the_same_seed():
    spec = spec_of(make_setup(), 3)
    again = with_free_id(spec, {"0_3"})
    third = with_free_id(spec, {"0_3", "0_3@2"})
    assert (spec.id, again.id, third.id) == ("0_3", "0_3@2", "0_3@3")
    assert spec.seed == again.seed == third.seed
    assert [plain_id(each.id) for each in (spec, again, third)] == ["0_3"] * 3
    assert plain(result_of(again)) == result_of(spec)
    assert game_number(result_of(again)) == 3


def test_a_frame_of_an_older_gyoji_is_read_with_the_defaults_of_today():
    spec = spec_of(make_setup())
    frame = wire.encode(spec)
    for key in ("id", "pairing", "players", "seed"):
        frame.pop(key, None)
    frame["pairing"] = "0"  # older ones had it there
    frame["options"].pop("handicap")
    texts = [wire.dumps(frame), *(wire.dumps(player) for player in spec.players)]
    assert Comparison(make_setup()).takes(result_of(spec), PlayedBy(0, "1,2"), texts.__getitem__)


def test_a_game_scored_by_the_players_because_one_does_not_clean_up_counts_with_the_others():
    setup = make_setup(scorer="internal", without_cleanup="players")
    spec = replace(spec_of(setup), scorer="players", asks_instead=True)
    comparison, shelf = Comparison(setup), Shelf()
    assert shelf.takes(comparison, spec)
    assert shelf.takes(comparison, spec_of(setup, 1))
    assert shelf.takes(comparison, spec_of(make_setup(scorer="internal"), 2))
    assert comparison.excluded == ()
    assert not shelf.takes(comparison, replace(spec, asks_instead=False))
