"""A contest in phases: who goes on, into which groups, with which seeds; what a ruling changes."""

import pytest
from format_events import all_drawn, games, mistake, pairings, setup_of, stronger_wins, won
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.openings import Openings
from gyoji.core.outcome import Ending, Outcome, won_by
from gyoji.formats.contest import Contest, Phase, Settings, divided
from gyoji.testing.competition_kit import check_competition, drawn_result


def phase(code, kind, **settings):
    full = {"options": {"board_size": 9, "komi": 7.5}, "name": f"phase {code}", **settings}
    return Phase(game="go", id=code, format=kind, **full)


def contest(players, *phases, seed=3, **settings):
    return Contest(setup_of("contest", players, Settings(phases=phases, **settings), seed))


SAMURAI = (
    phase("A", "stages", groups=2, advance=4, decided_by="margin"),
    phase("B", "stages", advance=4, decided_by="margin"),
    phase("C", "knockout", decided_by="margin"),
)
"""As SamurAI Coding, in small: groups, a round robin of the best, a knockout; all by the sum of margins."""


def test_the_best_of_each_group_go_on_and_their_ranks_are_the_seeds():
    cup = contest("abcdefgh", *SAMURAI)
    told = pairings(games(cup, margin_wins))
    assert [name for name in told if name.startswith("C")] == ["C,1,a,d", "C,1,b,c", "C,2,a,b", "C,2,c,d"]
    groups, robin, final = cup.phases
    assert groups.advancing == ["a", "b", "d", "c"]
    assert robin.advancing == list("abcd")
    assert [list(rounds.ranking) for rounds in final.groups.values()] == [list("abcd")]


def margin_wins(spec):
    """Whoever comes first in the alphabet wins, by some margin."""
    return won(spec, min(player.code for player in spec.players), margin=float(spec.seed % 9 + 1))


def test_groups_are_dealt_out_to_and_fro():
    assert divided("abcdefgh", 2) == [list("adeh"), list("bcfg")]
    assert [len(group) for group in divided(range(62), 3)] == [21, 21, 20]


def test_groups_play_side_by_side():
    cup = contest("abcdefgh", *SAMURAI)
    assert [cup.next_game().id for _ in range(4)] == [
        *("A,1,1,a,h_0", "A,2,1,b,g_0", "A,1,1,d,e_0", "A,2,1,c,f_0")
    ]


def test_a_phase_begins_when_the_one_before_is_over():
    cup = contest("abcd", phase("A", "stages", advance=2), phase("B", "knockout"))
    specs = []
    while (spec := cup.next_game()) is not None:
        specs.append(spec)
    assert (len(specs), cup.remaining(), cup.phases[1].groups) == (12, 2, {})
    for spec in specs:
        cup.add(stronger_wins(spec))
    assert cup.next_game().id == "B,1,a,b_0"


def test_a_swiss_phase_may_come_before_the_knockout():
    cup = contest(
        "abcdefgh",
        phase("A", "swiss", rounds=3, advance=4, points="games"),
        phase("B", "knockout", games_per_match=3, third_place=False),
    )
    told = pairings(games(cup, stronger_wins))
    assert sum(name.startswith("A") for name in told) == 12
    assert sum(name.startswith("B") for name in told) == 3
    assert cup.remaining() == 0


@pytest.mark.parametrize("is_told_before", [False, True])
def test_in_a_swiss_phase_what_was_paired_stays(is_told_before):
    """As in an event that a gyoji began which paired by other rules."""
    phases = (
        phase("A", "stages", rounds=1, advance=4),
        phase("B", "swiss", rounds=2, advance=2, games_per_match=1),
        phase("C", "knockout"),
    )
    before = contest("abcd", *phases)
    results = [stronger_wins(spec) for spec in games(before, stronger_wins, most=6)]
    rounds = before.phases[1].groups[""]
    usual = {frozenset(match.players) for match in rounds.played[1]}
    pair = next(
        each
        for each in (frozenset("ab"), frozenset("ac"), frozenset("ad"))
        if each not in usual and each not in {frozenset(match.players) for match in rounds.played[0]}
    )
    name = ",".join(("B", "2", *sorted(pair)))
    other = replace(results[-1], id=f"{name}_0", pairing=name, players=tuple(sorted(pair)))
    cup = contest("abcd", *phases)
    for result in (*results, other):
        if is_told_before:
            cup.keep(result)
    for result in results:
        cup.add(result)
    if not is_told_before:
        cup.add(other)
    assert pair in {frozenset(match.players) for match in cup.phases[1].groups[""].played[1]}


def test_each_phase_has_its_own_openings_and_name_in_records():
    cup = contest(
        "abcd",
        phase("A", "stages", advance=2, options={"opening": ""}, openings=Openings(lines=tuple("rst"))),
        phase("B", "knockout", name="the final", options={"opening": ""}, openings=Openings(lines=("x",))),
    )
    specs = games(cup)
    assert {(spec.event, spec.options["opening"]) for spec in specs} == {
        *(("cup (phase A)", opening) for opening in "rst"),
        ("cup (the final)", "x"),
    }


def test_who_fills_up_an_odd_group_does_not_go_on():
    cup = contest("abcx", phase("A", "stages", advance=2, bye_player="x"), phase("B", "knockout"))
    games(cup, lambda spec: stronger_wins(spec, "xabc"))
    assert cup.phases[0].advancing == ["a", "b"]
    assert [spec.players[0].code for spec in cup.checks()] == list("abcx")


def test_a_ruling_that_changes_who_goes_on_leaves_out_what_was_played_in_vain():
    phases = phase("A", "stages", advance=2), phase("B", "knockout")
    played = [stronger_wins(spec) for spec in games(contest("abc", *phases))]
    assert [result.pairing for result in played][-2:] == ["B,1,a,b", "B,1,a,b"]
    cup = contest("abc", *phases)
    for result in played:
        ruled = Outcome(points=won_by(result.players[1] == "c", 2), ending=Ending.SCORE)
        cup.add(replace(result, outcome=ruled) if result.pairing.endswith("b,c") else result)
    assert cup.phases[1].uncounted == ["B,1,a,b_0", "B,1,a,b_1"]
    assert pairings(games(cup)) == ["B,1,a,c"]


def test_results_that_come_before_their_phase_are_kept_until_it_begins():
    played = [margin_wins(spec) for spec in games(contest("abcdefgh", *SAMURAI), margin_wins)]
    cup = contest("abcdefgh", *SAMURAI)
    for result in reversed(played):
        cup.add(result)
    assert (cup.remaining(), [phase.uncounted for phase in cup.phases], cup.phases[2].is_over) == (
        0,
        [[]] * 3,
        True,
    )


def test_games_of_phases_and_groups_that_there_are_not_do_not_count():
    played = [all_drawn(spec) for spec in games(contest("abcdefgh", *SAMURAI), all_drawn, most=4)]
    cup = contest("abcdefgh", phase("A", "stages", decided_by="margin"))
    for result in played:
        cup.add(result)
    cup.add(replace(played[0], id="Z,1,a,b_0", pairing="Z,1,a,b"))
    assert cup.phases[0].uncounted == sorted(result.id for result in played)
    assert cup.uncounted == {"Z,1,a,b_0"}


@pytest.mark.parametrize(
    ("phases", "problem"),
    [
        ((), "phases: expected one phase or more"),
        (("stages", "knockout"), "phases: A lets 0 go on to B: expected two or more"),
        ((("stages", {"advance": 4}), ("stages", {"groups": 3})), "phases: B has too few players"),
    ],
)
def test_phases_that_do_not_fit_together_are_refused(phases, problem):
    told = [(each, {}) if isinstance(each, str) else each for each in phases]
    with pytest.raises(ValueError, match=problem):
        Settings(phases=tuple(phase("AB"[at], kind, **more) for at, (kind, more) in enumerate(told)))


@pytest.mark.parametrize(
    ("kind", "settings", "problem"),
    [
        ("stages", {"groups": 0}, "groups: expected 1 or more, got 0"),
        ("stages", {"groups": 2, "advance": 3}, "advance: expected as many from each of 2 groups, got 3"),
        ("stages", {"advance": -1}, "advance: expected 0 or more, got -1"),
        ("stages", {"rounds": 0}, "rounds: expected 1 or more, got 0"),
        ("swiss", {}, 'rounds: required, but not given, where format is "swiss"'),
        ("knockout", {"rounds": 3}, "rounds: a knockout has as many as it takes"),
        ("knockout", {"extra_matches": -1}, "extra_matches: expected 0 or more, got -1"),
    ],
)
def test_a_phase_that_makes_no_sense_is_refused(kind, settings, problem):
    with pytest.raises(ValueError, match=problem):
        phase("A", kind, **settings)


def test_there_have_to_be_players_enough():
    with pytest.raises(ConfigError, match="cup: phases: A has too few players for its groups: 3"):
        contest("abc", phase("A", "stages", groups=2))
    with pytest.raises(ConfigError, match="cup: phases: A lets 4 of 3 players go on: too many"):
        contest("abc", phase("A", "stages", advance=4), phase("B", "knockout"))
    with pytest.raises(ValueError, match="phases: bye_player: 'a' is a competitor"):
        Settings(phases=(phase("A", "stages", bye_player="a"),), competitors=("a", "b"))


@pytest.mark.parametrize(
    ("codes", "phases", "is_adaptive"),
    [
        ("abcdefgh", SAMURAI, False),
        (
            "abcdefgx",
            (phase("A", "stages", groups=2, advance=4, bye_player="x"), phase("B", "knockout")),
            True,
        ),
        ("abcdefg", (phase("A", "swiss", rounds=3, advance=4), phase("B", "stages")), False),
    ],
    ids=["samurai", "filled up", "swiss"],
)
def test_a_contest_keeps_the_promises_of_a_competition(codes, phases, is_adaptive):
    def summary(cup):
        rankings = [[rounds.ranking for rounds in phase.groups.values()] for phase in cup.phases]
        return rankings, [phase.uncounted for phase in cup.phases], cup.engines

    check_competition(
        lambda: contest(codes, *phases),
        drawn_result,
        summary=summary,
        is_balanced=True,
        is_adaptive=is_adaptive,
    )


TOML = """
competition = "contest"
game = "dighere"
games_per_match = 2
decided_by = "margin"
bye_player = "org"
players = {a = {command = "a"}, b = {command = "b"}, c = {command = "c"}, org = {command = "o"}}

[[phases]]
name = "qualifier"
format = "stages"
advance = 2

[[phases]]
format = "knockout"
extra_matches = 2
"""


def test_a_control_file(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML)
    cup = Contest(load(path))
    first, second = (phase.settings for phase in cup.phases)
    assert (first.id, first.name, first.decided_by, first.tie_breaks) == (
        "A",
        "qualifier",
        "margin",
        ("margin", "lot"),
    )
    assert (second.id, second.name, second.extra_matches) == ("B", "phase B", 2)
    assert cup.players == ("a", "b", "c")
    codes = [player.code for player in cup.next_game().players]
    assert codes[:2] == codes[2:]


def test_a_swiss_phase_usually_breaks_ties_by_opponents(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(TOML.replace('format = "stages"', 'format = "swiss"\nrounds = 2'))
    assert load(path).settings.phases[0].tie_breaks[0] == "buchholz"


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"knockout"', '"cup"', 'phases.1.format: expected "stages" or "swiss" or "knockout"'),
        ("advance = 2", "advance = 1", "phases: A lets 1 go on to B"),
        ("advance = 2", "advance = 2\ngroups = 3", "phases.0.advance: expected as many from each of 3"),
        ('bye_player = "org"', 'bye_player = "orc"', "bye_player: there is no player 'orc'"),
        ("extra_matches = 2", 'name = "qualifier"', "phases.1.name: 'qualifier' is already used by phases.0"),
    ],
)
def test_mistakes_are_told_with_their_place(tmp_path, old, new, problem):
    assert problem in mistake(tmp_path, TOML.replace(old, new))
