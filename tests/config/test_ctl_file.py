"""gomill's control files run as they are, and mean what the same event means in TOML."""

import pytest
from msgspec import structs
from msgspec.structs import replace

from gyoji.config.competition import load
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Adjudication, Threshold

TYPE = 'competition_type = "playoff"\n'
GOOD = """competition_type = "playoff"
board_size = 9
komi = 7.5
players = {
    "a": Player("./a"),
    "b": Player("./b"),
}
matchups = [
    Matchup("a", "b"),
]
"""


@pytest.fixture
def setup(write):
    return lambda text: load(write(text, "event.ctl"))


@pytest.fixture
def ctl_complaints(complaints):
    return lambda text: complaints(text, "event.ctl")


# The same values as TOML


def test_an_event_is_the_same_in_both_forms(write):
    ctl = load(
        write(
            """
            import math
            competition_type = "playoff"
            description = "An event"
            stderr_to_log = False
            skip_player_checks = True

            def player(number, **further):
                return Player("engine --level %d" % number, cwd="~/x", **further)

            players = {
                "p%d" % number: player(number, environ={"N": str(number)}) for number in (1, 2)
            }
            players["last"] = Player(
                command=["./x", "a b"],
                cwd="~/x",
                discard_stderr=True,
                startup_gtp_commands=["level 3", ("set", "x", "1")],
                gtp_aliases={"name": "my-name"},
                is_reliable_scorer=False,
                allow_claim=True,
                sgf_player_name_from_gtp=False,
            )
            board_size = int(math.sqrt(361))
            komi = 15 / 2
            alternating = True
            number_of_games = 10
            move_limit = 400
            matchups = [
                Matchup("p1", "p2"),
                Matchup("p1", player_2="last", id="x", name="the last", number_of_games=None, handicap=3,
                        komi=0, alternating=False, scorer="internal",
                        internal_scorer_handicap_compensation="short", refused_moves="ruleset"),
            ]
            """,
            "event.ctl",
        )
    )
    toml = load(
        write(
            """
            competition = "playoff"
            description = "An event"
            stderr_to_log = false
            skip_player_checks = true
            ruleset = "none"
            board_size = 19
            komi = 7.5
            alternating = true
            number_of_games = 10
            move_limit = 400
            disputed_score = "undecided"
            refused_moves = "mover"

            [players.p1]
            command = "engine --level 1"
            cwd = "~/x"
            environ = { N = "1" }

            [players.p2]
            command = "engine --level 2"
            cwd = "~/x"
            environ = { N = "2" }

            [players.last]
            command = ["./x", "a b"]
            cwd = "~/x"
            discard_stderr = true
            startup_gtp_commands = ["level 3", ["set", "x", "1"]]
            gtp_aliases = { name = "my-name" }
            is_reliable_scorer = false
            allow_claim = true
            sgf_player_name_from_gtp = false

            [[matchups]]
            players = ["p1", "p2"]

            [[matchups]]
            player_1 = "p1"
            player_2 = "last"
            id = "x"
            name = "the last"
            number_of_games = "none"
            handicap = 3
            komi = 0
            alternating = false
            scorer = "internal"
            internal_scorer_handicap_compensation = "short"
            refused_moves = "ruleset"
            """
        )
    )
    assert replace(without_file_names(ctl), names_games=False) == without_file_names(toml)


def without_file_names(setup):
    """Return the same setup with nothing in it that has the name of the control file."""
    players = {
        code: structs.replace(player, containment=structs.replace(player.containment, hidden=()))
        for code, player in setup.players.items()
    }
    return replace(setup, control_file="", players=players)


def test_a_refused_move_is_held_against_who_made_it_as_gomill_has_it(setup):
    first, second = setup(
        GOOD.replace('"b")', '"b"), Matchup("b", "a", refused_moves="refuser")')
    ).settings.matchups
    assert (first.refused_moves, second.refused_moves) == ("mover", "refuser")


def test_a_matchup_says_what_may_end_its_games(setup):
    told = 'Matchup("a", "b", adjudication={"win": {"score": 20}, "agreed": False}, draw_offers=True)'
    (matchup,) = setup(GOOD.replace('Matchup("a", "b")', told)).settings.matchups
    assert matchup.adjudication == Adjudication(win=Threshold(score=20.0), agreed=False)
    assert matchup.draw_offers


def test_gyoji_s_further_settings_are_arguments(setup):
    text = GOOD.replace('"./a"', '"./a", clock="5s", stderr="inherit"').replace('"b")', '"b", clock="2m")')
    got = setup(text)
    assert (got.players["a"].clock, got.players["a"].stderr) == (TimeControl.parse("5s"), "inherit")
    assert got.settings.matchups[0].clock == TimeControl.parse("2m")


def test_variables_that_happen_to_be_called_like_further_settings_are_nobody_s_business(setup):
    got = setup(GOOD + "seed = 'x'\ngame = 3\nclock = []\ncompetition = None\n")
    assert (got.seed, got.game, got.settings.matchups[0].clock) == (0, "go", TimeControl())


# competition_type


@pytest.mark.parametrize(
    "text",
    [
        GOOD.replace("\n", "\r\n"),
        "\ufeff" + GOOD,
        GOOD.replace('"playoff"', '"playoff"  # trailing comment and blanks   '),
        "# comment\n\n   # comment\n" + GOOD,
        "import math\nx = 1\n" + GOOD,
        '"""A docstring."""\n' + GOOD,
        GOOD.replace('"playoff"', "'playoff'"),
        "# -*- coding: latin-1 -*-\n" + GOOD,
        GOOD.removeprefix(TYPE) + TYPE,
    ],
)
def test_competition_type_is_found_however_it_is_written(setup, text):
    assert setup(text).kind == "playoff"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("x = 1\n", "event.ctl: competition_type: required"),
        ("competition_type = None\n", "event.ctl: competition_type: required"),
        (
            "#\ncompetition_type = 'mcts'\n",
            "event.ctl:2: competition_type: no competition 'mcts'; there are:",
        ),
        (GOOD + "for competition_type in 'xy': pass\n", "event.ctl: competition_type: it has another value"),
    ],
)
def test_a_competition_type_that_there_is_not_is_told(ctl_complaints, text, complaint):
    assert ctl_complaints(text)[0].startswith(complaint)


# What Python says


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        (TYPE + "x = (\n", "event.ctl:2: this is not Python 3: '(' was never closed"),
        (TYPE + "print 'x'\n", "event.ctl:2: this is not Python 3: Missing parentheses in call to 'print'"),
        (
            TYPE + "x = '\0'\n",
            "event.ctl: this is not Python 3: source code string cannot contain null bytes",
        ),
        (
            TYPE + "def f():\n    return 1 / 0\n\nf()\n",
            "event.ctl:3: the file raised ZeroDivisionError: division by zero",
        ),
        (
            TYPE + "import no_such_module\n",
            "event.ctl:2: the file raised ModuleNotFoundError: No module named",
        ),
        (TYPE + "import sys\nsys.exit(3)\n", "event.ctl:3: the file raised SystemExit: 3"),
        (TYPE + "raise ValueError('two\\nlines')\n", "event.ctl:2: the file raised ValueError: two lines"),
        (
            TYPE + "\nParameter('x')\n",
            "event.ctl:3: the file raised NameError: name 'Parameter' is not defined",
        ),
        (TYPE + "Player('a', 'b')\n", "event.ctl:2: the file raised TypeError: Player takes 1 arg"),
        (
            TYPE + "Player('a', command='b')\n",
            "event.ctl:2: the file raised TypeError: Player was given command twice",
        ),
        (TYPE + "Matchup('a', 'b', 'c')\n", "event.ctl:2: the file raised TypeError: Matchup takes 2 arg"),
        (f"{TYPE}x = {'-' * 100_000}1\n", "event.ctl: too many brackets or operators"),
        (f"{TYPE}komi = {'9' * 5000}\n", "event.ctl:2: this is not Python 3: a whole number of"),
        (f"{TYPE}class Odd(BaseException): pass\nraise Odd\n", "event.ctl:3: the file raised Odd"),
        (
            f"{TYPE}class Odd(Exception):\n    def __str__(self): return 1 / 0\nraise Odd\n",
            "event.ctl:4: the file raised Odd",
        ),
        (f"{TYPE}komi = []\nkomi.append(komi)\n", "event.ctl:2: komi raised RecursionError"),
        (f"{TYPE}def g():\n    yield 1 / 0\nmatchups = g()\n", "event.ctl:3: matchups raised ZeroDivision"),
    ],
)
def test_what_goes_wrong_in_the_file_is_told_with_its_line(ctl_complaints, text, complaint):
    assert ctl_complaints(text)[0].startswith(complaint)


def test_a_text_that_has_methods_of_its_own_is_a_text(setup):
    text = "class Odd(str):\n    def __eq__(self, other): return 1 / 0\n    __hash__ = str.__hash__\n"
    assert setup(f"{GOOD}{text}description = Odd('words')\n").description == "words"


# Mistakes


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('"./a"', '"./a", comand=3', "5: players.a.comand: there is no such setting; did you mean command?"),
        ('"./a"', "", "5: players.a.command: required, but not given"),
        ('Player("./a")', '"./a"', "4: players.a: expected Player(...), got './a'"),
        ('Player("./a")', "{}", "4: players.a: expected Player(...), got '{}'"),
        ('Player("./a")', 'Matchup("a", "b")', "4: players.a: expected Player(...), got 'Matchup(...)'"),
        ('"a":', '"a b":', '5: players."a b": expected a name of'),
        (
            '"./a"',
            '"./a", environ=3',
            "5: players.a.environ: expected a table (a string, or true or false each), or none, got 3",
        ),
        (
            '"./a"',
            '"./a", gtp_aliases=[1]',
            "5: players.a.gtp_aliases: expected a table (a string each), got [1]",
        ),
        ('"./a"', '"./a", discard_stderr=1', "5: players.a.discard_stderr: expected true or false, got 1"),
        ('Matchup("a", "b")', '"ab"', "8: matchups.0: expected Matchup(...), got 'ab'"),
        ('Matchup("a", "b")', 'Matchup("a")', "9: matchups.0.player_2: required, but not given"),
        ('"a", "b"', '"a", "c"', "9: matchups.0.player_2: there is no player 'c'; there are: a, b"),
        ('"a", "b"', '"a", "b", id="a b"', "9: matchups.0.id: expected a name of"),
        (
            '"a", "b"',
            '"a", "b", size=9',
            "9: matchups.0.size: there is no such setting; did you mean board_size?",
        ),
        ("= 7.5", "= None", "3: komi: expected a number, got null"),
        ("= 7.5", "= float('nan')", "3: komi: expected a number, got NaN"),
        ("= 7.5", "= int", "3: komi: expected a number, got type"),
        ("= 7.5", "= True", "3: komi: expected a number, got true"),
        ("= 9", "= 99", "2: board_size: "),
        ("komi = 7.5", "", "komi: required, but not given, here or at the top level"),
    ],
)
def test_mistakes_are_told_with_the_line_of_the_call(ctl_complaints, old, new, complaint):
    complaints = [
        line for line in ctl_complaints(GOOD.replace(old, new)) if "no player" not in line or "'c'" in line
    ]
    assert complaints[0].startswith(
        f"event.ctl:{complaint}" if complaint[0].isdigit() else f"event.ctl: {complaint}"
    )


def test_a_matchups_list_may_be_made_by_a_loop_and_lines_are_those_of_the_calls(ctl_complaints):
    text = GOOD + "matchups = []\nfor number in range(3):\n    matchups.append(Matchup('a', 'b', id='x'))\n"
    assert ctl_complaints(text) == [
        "event.ctl:13: matchups.1.id: 'x' is already used by matchups.0",
        "event.ctl:13: matchups.2.id: 'x' is already used by matchups.0",
    ]


# gomill's types


@pytest.mark.parametrize("absent", ["startup_gtp_commands", "gtp_aliases", "cwd", "environ"])
def test_none_is_as_good_as_nothing_where_gomill_s_manual_says_so(setup, absent):
    assert setup(GOOD.replace('"./a"', f'"./a", {absent}=None')).players["a"] == setup(GOOD).players["a"]


def test_sequences_and_maps_may_be_anything_that_is_one(setup):
    text = GOOD.replace(
        '"./a"', '(word for word in ("./a", "x")), environ=[("A", "1")], startup_gtp_commands=iter(["c"])'
    )
    text = text.replace("matchups = [", "matchups = tuple([").replace("\n]\n", "\n])\n")
    player = setup(text).players["a"]
    assert (player.command[1:], dict(player.environ)) == (("x",), {"A": "1"})
    assert player.options["startup_gtp_commands"] == ["c"]


def test_the_last_assignment_counts(setup):
    assert setup(GOOD + "komi = 0.5\n").settings.matchups[0].options["komi"] == 0.5


def test_a_byte_string_is_text(setup):
    assert setup(GOOD + "description = b' x\\xc3\\xa4 '\n").description == "xä"


# Misspelt settings


@pytest.mark.parametrize(
    ("line", "warned"),
    [
        ("board_szie = 9", ["board_szie is not a setting, and is ignored; did you mean board_size?"]),
        ("alternatng = True", ["alternatng is not a setting, and is ignored; did you mean alternating?"]),
        ("matchup = 3", ["matchup is not a setting, and is ignored; did you mean matchups?"]),
        ("board_szie = 9; x = board_szie", []),
        ("_komi = 9", []),
        ("levels = 9", []),
        ("import math as komii", []),
        ("def komii(): pass", []),
        ("class komii: pass", []),
        ("komii = len.__class__", []),
    ],
)
def test_a_variable_that_looks_like_a_setting_is_warned_of(write, monkeypatch, line, warned):
    path = write(GOOD + line + "\n", "event.ctl")
    monkeypatch.chdir(path.parent)
    assert list(load("event.ctl").warnings) == [f"event.ctl:11: {warning}" for warning in warned]


def test_any_other_suffix_than_toml_is_python(write):
    for name in ("event", "event.py", "event.conf"):
        assert load(write(GOOD, name)).code == "event"
    with pytest.raises(ConfigError, match="this is not TOML"):
        load(write(GOOD, "event.toml"))
