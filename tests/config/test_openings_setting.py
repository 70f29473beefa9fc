"""Openings in control files: which file, read how, for which matchups; and what is wrong with it."""

import json

import pytest
from msgspec.structs import replace

from gyoji.config import opening_settings as settings
from gyoji.config.competition import load
from gyoji.core.openings import Openings
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.games.dighere.fields import draw_field
from gyoji.games.dighere.files import json_field

HEAD = 'competition = "playoff"\ngame = "stones"\n'
TABLES = """
[players.a]
command = "./b-a"
[[matchups]]
players = ["a", "a"]
"""


@pytest.fixture
def of_matchups(write, tmp_path):
    """The openings of each matchup of a file with these lines at the top, and at its end."""
    (tmp_path / "five.txt").write_text("1\n2\n3\n4\n5\n")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub/two.txt").write_text("6\n7\n")

    def of_matchups(top, more=""):
        setup = load(write(HEAD + top + TABLES + more))
        return [matchup.openings for matchup in setup.settings.matchups]

    return of_matchups


def test_without_a_word_games_begin_at_the_start(of_matchups):
    assert of_matchups("") == [None]


def test_a_file_name_is_enough(of_matchups):
    assert of_matchups("openings = 'five.txt'") == [Openings(lines=("1", "2", "3", "4", "5"))]


def test_a_table_says_how_they_are_used(of_matchups):
    table = "{ file = 'sub/two.txt', order = 'random', symmetries = 'each', shift = true, games = 3 }"
    (got,) = of_matchups(f"openings = {table}")
    assert got == Openings(lines=("6", "7"), order="random", symmetries="each", shift=True, games=3)


def test_a_matchup_may_have_its_own_or_none(of_matchups):
    more = f"openings = 'sub/two.txt'\n{TABLES[TABLES.index('[[') :]}openings = 'none'\n"
    own, none = of_matchups("openings = 'five.txt'", more)
    assert (own.lines, none) == (("6", "7"), None)


def test_a_file_is_found_from_the_control_file_s_folder_or_from_home(of_matchups, monkeypatch, tmp_path):
    monkeypatch.setenv("HOME", str(tmp_path / "sub"))
    monkeypatch.chdir("/")
    assert of_matchups("openings = '~/two.txt'")[0].lines == ("6", "7")


def test_a_file_is_read_once_for_matchups_of_the_same_options(of_matchups, monkeypatch):
    game, read = GAMES.find("stones"), []
    reading = replace(game, openings=lambda data, name, options: read.append(options) or ["1"])
    monkeypatch.setitem(GAMES._loaded, "stones", reading)
    again = TABLES[TABLES.index("[[") :]
    assert len(of_matchups("openings = 'five.txt'", f"{again}{again}rule = 'strict'\n")) == 3
    assert [options["rule"] for options in read] == ["free", "strict"]


@pytest.mark.parametrize(
    ("top", "complaint"),
    [
        ("openings = 3", "3: openings: expected a file of openings, or a table with one, got 3"),
        ("openings = {}", "3: openings.file: required, but not given"),
        ("openings = {file = 3}", "3: openings.file: expected a string, got 3"),
        (
            "openings = {file = 'x', odrer = 1}",
            "3: openings.odrer: there is no such setting; did you mean order?",
        ),
        (
            "openings = {file = 'five.txt', order = 'up'}",
            '3: openings.order: expected "sequential" or "random", got \'up\'',
        ),
        ("openings = {file = 'five.txt', games = 0}", "3: openings.games: expected 1 or more, got 0"),
        ("openings = 'none.txt'", "3: openings: none.txt: it cannot be read: No such file or directory"),
        ("openings = 'sub'", "3: openings: sub: it is no file"),
        ('openings = "x\\u0000"', "3: openings: there is a NUL character in it"),
        ("openings = 'empty.txt'", "3: openings: empty.txt: there is no opening in it"),
        ("openings = 'x'\nopening = '3'", "3: openings: contradicts opening, which is '3': give one of them"),
        ("openings = 'five.txt'\nboard_size = 4", "3: openings: five.txt: line 5: '5' is not on 4 points"),
    ],
)
def test_a_mistake_is_told_with_its_line(complaints, tmp_path, top, complaint):
    (tmp_path / "five.txt").write_text("1\n2\n3\n4\n5\n")
    (tmp_path / "empty.txt").write_text("")
    (tmp_path / "sub").mkdir()
    assert complaints(f"{HEAD}{top}\n{TABLES}") == [f"event.toml:{complaint}"]


def test_every_bad_line_of_a_file_is_told_once_however_many_matchups_use_it(complaints, tmp_path):
    (tmp_path / "some.txt").write_text("99\n1\n77\n")
    again = TABLES[TABLES.index("[[") :]
    assert complaints(f"{HEAD}openings = 'some.txt'\n{TABLES}{again}gap = 1\n") == [
        "event.toml:3: openings: some.txt: line 1: '99' is not on 15 points",
        "event.toml:3: openings: some.txt: line 3: '77' is not on 15 points",
    ]


def test_a_game_that_has_no_openings_says_so(complaints, monkeypatch):
    monkeypatch.setitem(GAMES._loaded, "go", replace(GAMES.find("go"), openings=None))
    text = f'competition = "playoff"\nboard_size = 9\nkomi = 0\n{TABLES}openings = "x"\n'
    assert complaints(text) == ["event.toml:9: matchups.0.openings: games of 'go' have no openings"]


def test_a_game_that_cannot_turn_openings_says_so(complaints):
    text = HEAD.replace("stones", "plain_stones")
    for how in ("symmetries = 'each'", "shift = true"):
        (complaint,) = complaints(f"{text}openings = {{ file = 'x', {how} }}\n{TABLES}")
        assert complaint == "event.toml:3: openings: openings of 'plain_stones' cannot be turned or shifted"


def test_a_huge_file_is_not_read_to_its_end(complaints, tmp_path, monkeypatch):
    monkeypatch.setattr(settings, "LARGEST", 5)
    (tmp_path / "huge.txt").write_text("123456")
    (complaint,) = complaints(f"{HEAD}openings = 'huge.txt'\n{TABLES}")
    assert complaint == "event.toml:3: openings: huge.txt: it is larger than 5B"


def test_a_python_control_file_gives_them_to_a_matchup(write, tmp_path):
    (tmp_path / "five.txt").write_text("1\n")
    text = """
        competition_type = "playoff"
        board_size = 9
        komi = 7
        players = {"a": Player("./a", max_memory="1GB", restart="auto", ponder=False)}
        matchups = [Matchup("a", "a", asking="in turn", openings=None)]
        """
    setup = load(write(text, "event.ctl"))
    (matchup,) = setup.settings.matchups
    assert (matchup.asking, matchup.openings) == ("in turn", None)
    player = setup.players["a"]
    assert (player.budgets.memory, player.restart, player.ponders) == (1 << 30, "auto", False)


# Go


GO = 'competition = "{}"\nboard_size = 9\nkomi = 7\nopenings = {}\n'


def test_an_opening_of_go_that_cannot_be_is_told_with_its_file_and_line(complaints, tmp_path):
    (tmp_path / "go.txt").write_text("E5\nE5 E5\n")
    (tmp_path / "go.sgf").write_text("(;SZ[9];B[ee])\n(;SZ[13];B[ee])")
    (complaint,) = complaints(GO.format("playoff", "'go.txt'") + TABLES)
    assert complaint == "event.toml:4: openings: go.txt: line 2: move 2, W E5: occupied point E5"
    (complaint,) = complaints(GO.format("playoff", "'go.sgf'") + TABLES)
    assert complaint == "event.toml:4: openings: go.sgf: game 2, line 2: got a game of 13x13, expected 9x9"
    (complaint,) = complaints(GO.format("playoff", "'go.txt'") + "opening = 'C3'\n" + TABLES)
    assert "contradicts opening, which is 'C3'" in complaint
    (complaint,) = complaints(GO.format("playoff", "{ file = 'go.txt', shift = true }") + TABLES)
    assert complaint == (
        "event.toml:4: openings: openings of 'go' cannot be shifted: where they are on the board matters"
    )


@pytest.mark.parametrize(
    ("kind", "more"),
    [
        ("playoff", TABLES + "alternating = true\n[players.b]\ncommand = './b'\n"),
        ("allplayall", "competitors = ['a', 'b']\n"),
        ("gauntlet", "champions = ['a']\nrounds = 4\n"),
        ("sprt", "elo0 = 0\nelo1 = 20\n"),
        ("swiss", "rounds = 1\ngames_per_match = 2\n"),
        ("knockout", "games_per_match = 2\n"),
        ("stages", "games_per_match = 2\n"),
        ("ladder", "rounds = 4\n"),
    ],
)
def test_every_format_plays_each_opening_of_go_twice_with_the_sides_changed(write, tmp_path, kind, more):
    (tmp_path / "go.txt").write_text("E5 C3\nAB E5 AW C3 G7 PL B\n")
    players = "" if kind == "playoff" else "[players]\na = { command = './a' }\nb = { command = './b' }\n"
    setup = load(write(GO.format(kind, "'go.txt'") + more.replace('"a", "a"', '"a", "b"') + players))
    competition = FORMATS.find(kind).competition(setup)
    one, two = competition.next_game(), competition.next_game()
    assert one.options["opening"] == two.options["opening"] == "E5 C3"
    seats = [[player.code for player in spec.players] for spec in (one, two)]
    assert sorted(seats) == [["a", "b"], ["b", "a"]]


# The time that an opening gives


TIMED = 'competition = "playoff"\ngame = "dighere"\nopenings = "fields.jsonl"\n'


@pytest.mark.parametrize(
    ("top", "seconds"),
    [
        ("", [3, 0.001, 10]),
        ("clock = '20s'\n", [20, 20, 20]),
        ("preset = 'samurai-coding'\n", [3, 0.001, 10]),
        ("preset = 'samurai-coding'\nclock = '20s'\n", [20, 20, 20]),
        ("clock = { control = '20s', by_opening = true }\n", [3, 0.001, 10]),
    ],
)
def test_the_think_time_of_a_field_is_obeyed_unless_the_file_gives_a_clock_of_its_own(
    write, tmp_path, top, seconds
):
    plain = [json_field(draw_field(seed)) for seed in range(3)]
    plain[0]["thinkTime"], plain[1]["thinkTime"] = 3000, 0
    (tmp_path / "fields.jsonl").write_text("".join(json.dumps(each) + "\n" for each in plain))
    setup = load(write(TIMED + top + "number_of_games = 6\n" + TABLES))
    competition = FORMATS.find("playoff").competition(setup)
    clocks = [competition.next_game().clock for _ in range(6)]
    assert [clock.main / 10**9 for clock in clocks[::2]] == seconds
    assert [clock.main for clock in clocks[1::2]] == [clock.main for clock in clocks[::2]]
    assert not any(clock.by_opening for clock in clocks)
    assert {clock.grain for clock in clocks} == {10_000_000 if "preset" in top and "clock" not in top else 0}


def test_the_clock_of_a_single_player_may_go_by_the_field_too(write, tmp_path):
    plain = json_field(draw_field(1)) | {"thinkTime": 3000}
    (tmp_path / "fields.jsonl").write_text(json.dumps(plain))
    own = TABLES.replace("'./b-a'", '"./b-a"').replace(
        'command = "./b-a"', 'command = "./b-a"\nclock = { control = "1s", by_opening = true }'
    )
    setup = load(write(TIMED + "number_of_games = 2\n" + own))
    spec = FORMATS.find("playoff").competition(setup).next_game()
    assert {player.clock.main for player in spec.players} == {3_000_000_000}
    setup = load(write(TIMED + "clock = '10s'\nnumber_of_games = 2\n" + own))
    assert FORMATS.find("playoff").competition(setup).next_game().clock.main == 10_000_000_000


def test_a_clock_cannot_go_by_openings_that_say_nothing_of_time(complaints):
    text = (
        'competition = "playoff"\nboard_size = 9\nkomi = 7\nclock = { control = "1m", by_opening = true }\n'
    )
    assert complaints(text + TABLES) == [
        "event.toml:4: clock: by_opening: openings of 'go' say nothing of time"
    ]


GOMOKU = """game = "gomoku"
competition = "playoff"
players = { a = { command = "./pbrain-x" }, b = { command = "./pbrain-y" } }
matchups = [{ players = ["a", "b"] }]
"""


@pytest.mark.parametrize("misfits", [1, 7, 30])
def test_openings_that_do_not_fit_are_left_out_if_the_file_says_so(write, tmp_path, misfits):
    bad = [f"0,0, 1,{20 + nth}" for nth in range(misfits)]
    (tmp_path / "o.txt").write_text("\n".join(["0,0", *bad, "1,1, 2,2"]))
    setup = load(write(f"{GOMOKU}openings = {{ file = 'o.txt', skip_unfit = true }}\n"))
    assert setup.settings.matchups[0].openings.lines == ("h8", "i9j10")
    (warning,) = setup.warnings
    assert f"o.txt: {misfits} of {misfits + 2} openings do not fit and are left out, line 2" in warning
    assert "line 2: stone 2: " in warning


def test_openings_that_do_not_fit_are_refused_otherwise_and_if_none_fits(complaints, tmp_path):
    (tmp_path / "o.txt").write_text("0,0, 1,20\n")
    for given in ("'o.txt'", "{ file = 'o.txt', skip_unfit = true }"):
        (complaint,) = complaints(f"{GOMOKU}openings = {given}\n")
        assert "o.txt: line 1: stone 2: " in complaint
