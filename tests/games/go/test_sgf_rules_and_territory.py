"""What a record says of the rules, of the phases of the game, and of who owns what at the end."""

import pytest
from msgspec.structs import replace

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import GameRecord, GameResult, Played, VoidGame
from gyoji.core.replay import Wanted, counted, play_over
from gyoji.core.spec import GameSpec, Player
from gyoji.games.go.frames import frames
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import rules
from gyoji.games.go.sgf_replay import SGF
from gyoji.games.go.sgf_writer import write
from gyoji.sgf.grammar import parse

# Black holds the left two columns, White the third; D3 and D4 are a stone of each beyond it.
MIDDLE = "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 D3 D4"


def played_out(texts, *, placed="", **options):
    """Return the spec and the record of a game that these moves end by score, every move with its phase.

    placed: the free handicap, which is one move.
    """
    options = {"board_size": 5, "komi": 0.5, **options}
    game = rules(Options(**options))
    position, turns = game.start(), []
    for text in [placed, *texts.split()] if placed else texts.split():
        [seat] = game.acting(position)
        turns.append((Played(seat, text, 1000, "", game.phase(position)),))
        position = game.play(position, ((seat, game.parse(text)),))
    players = tuple(Player(code=code, command=("x",)) for code in "ab")
    spec = GameSpec(id="m_007", pairing="m", game="go", players=players, options=options)
    result = GameResult(
        id="m_007",
        pairing="m",
        players=("a", "b"),
        outcome=game.outcome(position),
        turns=len(turns),
        engines=(),
        started="",
        wall_ns=0,
    )
    return spec, GameRecord(result=result, turns=tuple(turns))


def nodes_of(spec, record):
    [root] = parse(write(spec, record))
    return list(root.main_line())


@pytest.mark.parametrize(
    ("ruleset", "counted", "agreed"),
    [
        ("", None, None),
        ("japanese", "Japanese", "Japanese"),
        ("chinese", "koSIMPLEscoreAREAtaxNONEsui0whbN", "Chinese"),
        ("new-zealand", "koSITUATIONALscoreAREAtaxNONEsui1", "NZ"),
        ("goe", "TrompTaylor", "GOE"),
        ("aga", "koSITUATIONALscoreAREAtaxNONEsui0whbN-1", "AGA"),
        ("tromp-taylor", "TrompTaylor", "TrompTaylor"),
        ("koSIMPLEscoreAREAtaxSEKIsui1", "koSIMPLEscoreAREAtaxSEKIsui1", "koSIMPLEscoreAREAtaxSEKIsui1"),
        ("tromp-taylor +literal", "TrompTaylor", "TrompTaylor"),
    ],
)
def test_ru_says_the_rules_by_which_the_game_was_counted(ruleset, counted, agreed):
    spec, record = played_out("pass " * ends(ruleset), ruleset=ruleset)
    for scorer, said in (("internal", counted), ("players", agreed), ("engine", agreed), ("judge", agreed)):
        root = nodes_of(replace(spec, scorer=scorer), record)[0]
        assert root.first("RU") == (said or "")
        assert "fpok1" not in root.first("RU")


@pytest.mark.parametrize(
    ("ruleset", "scorer", "line"),
    [
        ("tromp-taylor +literal", "internal", "Rules tromp-taylor +literal"),
        ("tromp-taylor +literal", "players", "Rules tromp-taylor +literal"),
        ("aga", "internal", "Rules aga"),
        ("aga", "players", ""),
        ("japanese", "internal", ""),
        ("", "internal", ""),
    ],
)
def test_what_ru_does_not_tell_of_the_rules_stands_in_the_comment(ruleset, scorer, line):
    spec, record = played_out("pass " * ends(ruleset), ruleset=ruleset)
    lines = nodes_of(replace(spec, scorer=scorer), record)[0].first("C").splitlines()
    assert [each for each in lines if each.startswith("Rules")] == [line] * bool(line)


def test_pc_is_the_place_of_the_competition_and_is_not_invented():
    spec, record = played_out("pass pass")
    assert "PC" not in nodes_of(spec, record)[0].properties
    assert nodes_of(replace(spec, place="Morristown, NJ"), record)[0].first("PC") == "Morristown, NJ"


def test_the_comment_of_a_move_says_that_a_phase_begins_with_it():
    spec, record = played_out(f"{MIDDLE} pass pass pass pass pass pass", ruleset="japanese")
    turns = list(record.turns)
    turns[14] = (turns[14][0]._replace(comment="really?"),)
    comments = [node.first("C") for node in nodes_of(spec, replace(record, turns=tuple(turns)))[1:]]
    assert [comment.split("\n\n")[0] for comment in comments] == [
        *[""] * 14,
        "cleanup 1 begins",
        "",
        "cleanup 2 begins",
        "a beat b B+4.5",
    ]
    assert comments[14] == "cleanup 1 begins\n\nreally?"


def test_a_game_without_phases_has_no_such_comments():
    assert b"begins" not in write(*played_out(f"{MIDDLE} pass pass", ruleset="chinese"))


def owned(node):
    return [sorted(node.properties.get(name, [])) for name in ("TB", "TW")]


LEFT = ["aa", "ab", "ac", "ad", "ae"]


def test_territory_under_area_rules_with_all_stones_alive():
    nodes = nodes_of(*played_out(f"{MIDDLE} pass pass"))
    assert owned(nodes[-1]) == [LEFT, []]
    assert owned(nodes[0]) == [[], []]


def test_a_dead_stone_is_in_the_territory_of_the_other_side():
    game = "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 A2 D4 A4 D2 E1 E4 pass E2 pass pass"
    nodes = nodes_of(*played_out(game, ruleset="chinese"))
    assert owned(nodes[-1]) == [["aa", "ac", "ae"], ["da", "dc", "de", "ea", "ec", "ee"]]


def test_the_territory_of_a_clean_up_is_what_was_left_in_the_end():
    moves = f"{MIDDLE} pass pass pass D2 pass E3 pass pass pass pass"
    spec, record = played_out(moves, ruleset="japanese")
    assert owned(nodes_of(spec, record)[-1]) == [LEFT, ["da", "dc", "de", "ea", "eb", "ed", "ee"]]


def test_the_lines_of_territory_are_no_longer_than_others():
    spec, record = played_out("K10 pass pass", board_size=19)
    assert max(map(len, write(spec, record).splitlines())) <= 79
    assert len(nodes_of(spec, record)[-1].properties["TB"]) == 360


@pytest.mark.parametrize(
    "outcome",
    [
        Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=3.0),
        Outcome(points=None, ending=Ending.SCORE, detail="players disagreed"),
        Outcome(points=(0.0, 1.0), ending=Ending.RESIGNATION, seat=0),
        Outcome(points=(0.0, 1.0), ending=Ending.ILLEGAL_MOVE, seat=0),
    ],
)
def test_there_is_no_territory_where_the_rules_did_not_decide(outcome):
    spec, record = played_out(f"{MIDDLE} pass pass")
    record = replace(record, result=replace(record.result, outcome=outcome))
    assert owned(nodes_of(spec, record)[-1]) == [[], []]


def test_a_record_that_stops_before_the_end_or_breaks_the_rules_has_no_territory():
    spec, record = played_out(f"{MIDDLE} pass pass")
    assert owned(nodes_of(spec, replace(record, turns=record.turns[:-1]))[-1]) == [[], []]
    twice = (*record.turns[:1], (record.turns[0][0]._replace(seat=1),), *record.turns[2:])
    assert owned(nodes_of(spec, replace(record, turns=twice))[-1]) == [[], []]
    void = VoidGame(id="m_007", pairing="m", players=("a", "b"), reason="x", started="", turns=record.turns)
    assert owned(nodes_of(spec, void)[-1]) == [[], []]


@pytest.mark.parametrize(
    "ruleset", ["", "chinese", "tromp-taylor", "japanese", "aga-button", "stone-scoring"]
)
@pytest.mark.parametrize("handicap", [None, 2])
def test_what_is_written_replays_to_the_same_result(ruleset, handicap):
    options = {"board_size": 7, "ruleset": ruleset, "handicap": handicap, "handicap_style": "free"}
    moves = f"{'' if handicap else 'C3'} E3 D4 E5 D2 E4 {'pass ' * ends(ruleset)}"
    spec, record = played_out(moves, placed="C3 C5" if handicap else "", **options)
    [again] = SGF.replay(write(spec, record), Wanted())
    assert again.refusals == ()
    assert "differ" not in again.verdict
    assert again.verdict.startswith("the record says")


def ends(ruleset):
    """Return how many passes end a game in which nobody has passed before."""
    return {"japanese": 6, "aga-button": 3}.get(ruleset, 2)


# Openings


@pytest.mark.parametrize(
    ("opening", "options", "root", "first"),
    [
        ("B1 C1", {}, {}, [("B", "be"), ("W", "ce")]),
        ("AB B1 B2 AW C1 PL W C2", {}, {"AB": ["bd", "be"], "AW": ["ce"], "PL": ["W"]}, [("W", "cd")]),
        ("AB B1 D4 PL W", {}, {"AB": ["be", "db"], "HA": ["2"], "PL": ["W"]}, []),
        ("C1 B1", {"handicap": 2, "board_size": 7}, {"AB": ["ce", "ec"], "HA": ["2"]}, [("W", "cg")]),
    ],
)
def test_an_opening_is_in_the_record_and_replay_takes_it(opening, options, root, first):
    spec, record = played_out("A1 D5 A5 pass pass", opening=opening, ruleset="tromp-taylor", **options)
    nodes = nodes_of(spec, record)
    assert {
        name: nodes[0].properties[name] for name in ("AB", "AW", "HA", "PL") if name in nodes[0].properties
    } == root
    for (colour, point), node in zip(first, nodes[1:], strict=False):
        assert node.properties == {colour: [point], "C": ["opening move"]}
    (replayed,) = SGF.replay(write(spec, record), Wanted())
    assert (replayed.refusals, replayed.differs) == ((), False)
    assert len(nodes) == 1 + len(record.turns) + len(rules(Options(**spec.options)).opening.moves)


# Dead stones, settled once both sides have passed


WALL = "B1 C1 B2 C2 B3 C3 B4 C4 B5 C5 E3 pass pass"


def settled(texts, *, how, dead=(), after="", **options):
    """As `played_out`, with dead stones settled: named, or taken off by the moves `after`."""
    game = rules(Options(**{"board_size": 5, "komi": 0.5, "ruleset": "tromp-taylor", **options}))
    spec, record = played_out(texts)
    spec = replace(spec, options={**spec.options, "ruleset": game.ruleset})
    position, turns = counted(game, record.result, play_over(game, record)[1]), list(record.turns)
    if after:
        position = game.resume(position)
    for text in after.split():
        [seat] = game.acting(position)
        turns.append((Played(seat, text, 1000, "", game.phase(position)),))
        position = game.play(position, ((seat, game.parse(text)),))
    outcome = game.outcome(game.close(position, game.dead_groups(position, dead)))
    result = replace(record.result, outcome=outcome, settled=how, dead=dead, turns=len(turns))
    return spec, replace(record, result=result, turns=tuple(turns))


SETTLED = {
    "agreement": ({"how": "agreement", "dead": ("E3",)}, "agreement of the engines"),
    "play": ({"how": "play", "after": "E2 pass E4 pass D3 pass pass"}, "clean-up by play"),
    "dispute": (
        {"how": "dispute", "after": "pass pass", "dead": ("E3",)},
        "the engines did not agree, and play went on",
    ),
}


@pytest.mark.parametrize("name", SETTLED)
def test_the_record_says_how_dead_stones_were_settled_and_replay_counts_so(name):
    settings, words = SETTLED[name]
    spec, record = settled(WALL, **settings)
    root = nodes_of(spec, record)[0]
    assert root.properties["DEAD"] == [name]
    assert f"Dead stones: {words}" in root.first("C").splitlines()
    [judged] = SGF.replay(write(spec, record), Wanted())
    assert ("dead stones", words) in judged.facts
    assert (judged.refusals, judged.verdict) == ((), "the record says W+5.5, the rules W+5.5")


def test_territory_that_engines_agree_on_is_counted_without_the_clean_up_phases():
    spec, record = settled(WALL, how="agreement", dead=("E3",), ruleset="japanese")
    [judged] = SGF.replay(write(spec, record), Wanted())
    assert (judged.differs, judged.refusals) == (False, ())
    assert not any("clean-up" in note for note in judged.notes)


def test_the_pictures_of_a_game_show_play_that_went_on_and_the_dead_stones_territory():
    for settings, sign in ((SETTLED["play"][0], " +1"), (SETTLED["agreement"][0], "b +1")):
        spec, record = settled(WALL, **settings)
        *_, last = frames(rules(Options(**spec.options)), record)
        assert dict(last.changes)[14].strip() == sign.strip()


def test_a_void_game_in_which_play_went_on_after_two_passes_replays():
    spec, record = played_out(f"{MIDDLE} pass pass", ruleset="chinese")
    turns = (*record.turns, (Played(0, "A1", 1, phase="cleanup"),))
    void = VoidGame(
        id="m_007",
        pairing="m",
        players=("a", "b"),
        reason="x",
        started="",
        turns=turns,
        settled="dispute",
    )
    [again] = SGF.replay(write(spec, void), Wanted())
    assert (again.refusals, dict(again.facts)["moves"]) == ((), "15")
