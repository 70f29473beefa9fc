"""Control files of tuners: gomill's as they are, and TOML with gaps in the candidate's table."""

import math

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.tuning.games import CandidateColour

MC = '''
competition_type = "mc_tuner"

description = """\\
Where the weights should be.
"""

players = {
    'steady' : Player("steady-engine --mode=gtp "
                      "--level=10"),
    }

def engine(max_games, additional_commands=[]):
    commands = [
        "threads 1",
        "max_games %d" % max_games,
        ]
    return Player(
        "engine --quiet",
        startup_gtp_commands=commands+additional_commands)

GAMES = 5000

parameters = [
    Parameter('weight_first',
              scale = LOG(0.01, 5.0),
              split = 8,
              format = "F: %4.2f"),

    Parameter('weight_last',
              scale = LOG(1e2, 1e5),
              split = 8),
    ]

def make_candidate(first, last):
    return engine(
        GAMES,
        ["weight_first %f" % first,
         ["weight_last", str(last)]])

board_size = 19
komi = 7.5
opponent = 'steady'
candidate_colour = 'w'
number_of_games = 10000

exploration_coefficient = 0.45
initial_visits = 10
initial_wins = 5

summary_spec = [40]
log_tree_to_history_period = 200
'''

CE = """
competition_type = "ce_tuner"

players = {'steady': Player("steady-engine")}

def exp_10(f):
    return 10.0**f

parameters = [
    Parameter('first', initial_mean = -1.0, initial_variance = 1.5, transform = exp_10, format = "F: %4.2f"),
    Parameter('last', initial_mean = 3.5, initial_variance = 1.5),
    ]

def make_candidate(first, last):
    return Player(["engine", "--first", str(first), "--last", str(last)])

board_size = 9
komi = 7
opponent = 'steady'
candidate_colour = 'r'

number_of_generations = 5
samples_per_generation = 100
batch_size = 10
elite_proportion = 0.1
step_size = 0.8
"""

TOML = """
competition = "mc_tuner"
board_size = 9
komi = 7.5
number_of_games = 100
opponent = "steady"
candidate_colour = "alternating"
exploration_coefficient = 0.45
initial_visits = 10
initial_wins = 5

[players.steady]
command = "steady-engine"

[candidate]
command = "engine --rave={rave:.2f} --mode={mode} {{x}}"
environ = { MODE = "{mode}" }
startup_gtp_commands = ["set rave {rave}"]

[[parameters]]
code = "rave"
scale = "log"
min = 0.01
max = 5
split = 8

[[parameters]]
code = "mode"
values = ["low", "high"]
"""


def tuner(setup):
    return FORMATS.find(setup.kind).competition(setup)


def candidate(spec):
    return next(player for player in spec.players if "#" in player.code)


def commands(player):
    return player.options["startup_gtp_commands"]


def test_a_monte_carlo_file_of_gomills_runs_as_it_is(write):
    setup = load(write(MC, "tune.ctl"))
    settings = setup.settings
    assert setup.warnings == ()
    assert setup.description == "Where the weights should be."
    assert (settings.number_of_games, settings.max_depth, settings.summary_spec) == (10000, 1, (40,))
    assert [(each.code, each.split, each.format) for each in settings.parameters] == [
        ("weight_first", 8, "F: %4.2f"),
        ("weight_last", 8, "weight_last:%s"),
    ]
    spec = tuner(setup).next_game()
    assert spec.id == "0"
    assert [player.code for player in spec.players] == ["steady", "#0"]
    told = commands(candidate(spec))
    assert told[:2] == ["threads 1", "max_games 5000"]
    assert told[2].startswith("weight_first ")
    assert spec.note.startswith("Candidate parameters: F: ")


def test_a_cross_entropy_file_of_gomills_runs_as_it_is(write):
    setup = load(write(CE, "tune.ctl"))
    assert setup.settings.candidate_colour is CandidateColour.RANDOM
    event = tuner(setup)
    spec = event.next_game()
    assert spec.id == "g0#0r0"
    assert candidate(spec).code == "g0#0"
    point = [float(each) for each in spec.pairing.split(",")]
    assert candidate(spec).command[1:] == ("--first", str(10.0 ** point[0]), "--last", str(point[1]))


def test_the_check_before_a_run_tries_one_candidate_and_the_opponent(write):
    checks = [spec.players[0] for spec in tuner(load(write(MC, "tune.ctl"))).checks()]
    assert [player.code for player in checks] == ["candidate", "steady"]
    first = 0.01 * math.exp(math.log(500) / 16)
    assert commands(checks[0])[2] == f"weight_first {first:f}"


def test_a_candidate_is_a_player_with_gaps(write):
    player = candidate(tuner(load(write(TOML))).next_game())
    rave = commands(player)[0].removeprefix("set rave ")
    mode = player.environ["MODE"]
    assert mode in ("low", "high")
    assert player.command[-3:] == (f"--rave={float(rave):.2f}", f"--mode={mode}", "{x}")


def test_a_function_may_be_a_scale(write):
    text = MC.replace("LOG(0.01, 5.0)", "lambda f: 2 * f").replace('"F: %4.2f"', '"F: %d"')
    assert load(write(text, "tune.ctl")).settings.parameters[0].value(0.5) == 1.0


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("komi = 7.5", "komi = 7", "tune.ctl:41: komi: expected half a point in it"),
        ("LOG(0.01, 5.0)", "LOG(0, 5)", "the file raised ValueError: a logarithmic scale has no zero"),
        ("LOG(0.01, 5.0)", "str.split", "scale: it fails at 0.0625: TypeError"),
        ("LOG(0.01, 5.0)", "3", "parameters.0.scale: expected a scale"),
        ("'weight_last'", "'weight_first'", "parameters.1.code: 'weight_first' is already used"),
        ('"F: %4.2f"', '"nothing"', "parameters.0.format: 'nothing' does not show"),
        ("split = 8,", "split = 0,", "parameters.0.split: expected 1 or more, got 0"),
        ("'weight_first',", "", "parameters.0.code: required"),
        ("candidate_colour = 'w'", "candidate_colour = 'red'", "candidate_colour: expected one of"),
        ("opponent = 'steady'", "opponent = 'x'", "opponent: there is no player 'x'"),
        ("def make_candidate", "def make_candidat", "make_candidate: required, but not given"),
        ("board_size = 19", "board_size = 19\nmake_candidate = 3", "expected a function, got 3"),
        ("exploration_coefficient = 0.45", "", "exploration_coefficient: required"),
        ("initial_visits = 10", "initial_visits = 0", "initial_visits: expected 1 or more"),
        ("split = 8", "split = 1000", "their splits make 1000000 cells"),
        ("parameters = [", "parameters = [] and [", "parameters: expected one parameter or more"),
        ("parameters = [", "parameters = [99,", "parameters.0: expected Parameter(...), got 99"),
    ],
)
def test_what_is_wrong_in_a_file_of_gomills_is_told(complaints, old, new, complaint):
    text = MC.replace(old, new)
    assert text != MC
    lines = complaints(text, "tune.ctl")
    assert any(complaint in line for line in lines), lines


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            "    return engine(",
            "    1 / 0\n    return engine(",
            r"tune.ctl:\d+: make_candidate\(.*\) raised Zero",
        ),
        ("    return engine(", "    return (", r"make_candidate\(.*\) returned .*, where Player\(...\) is"),
        ('"engine --quiet"', '""', r"tune.ctl:\d+: make_candidate.command: expected a program"),
        (
            "startup_gtp_commands",
            "startup",
            r"make_candidate.startup: there is no such setting; did you mean",
        ),
    ],
)
def test_what_is_wrong_with_a_candidate_is_told_before_the_first_game(write, old, new, complaint):
    text = MC.replace(old, new)
    assert text != MC
    setup = load(write(text, "tune.ctl"))
    with pytest.raises(ConfigError, match=complaint):
        tuner(setup)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("--mode={mode} {{x}}", "--mode={mod}", "candidate: there is no parameter 'mod'; did you mean mode?"),
        ("{{x}}", "{x", "write a literal brace twice"),
        ("{{x}}", "{}", "there is no parameter ''"),
        ('scale = "log"', 'scale = "lin"', 'scale: expected "linear" or "log", got \'lin\''),
        ("min = 0.01", "min = 0", "scale: a logarithmic scale has no zero"),
        ("min = 0.01", "min = 6", "max: expected more than min, which is 6, got 5"),
        ("min = 0.01", "", "min: required, but not given; or give values"),
        ('values = ["low", "high"]', "values = []", "values: expected one value or more"),
        ('values = ["low", "high"]', 'values = ["a"]\nmin = 3', "min: contradicts values"),
        ("split = 8", "split = 8\nspilt = 9", "spilt: there is no such setting; did you mean split?"),
        ("[candidate]", "[candidat]", "candidate: required, but not given"),
    ],
)
def test_what_is_wrong_in_toml_is_told(complaints, old, new, complaint):
    text = TOML.replace(old, new)
    assert text != TOML
    lines = complaints(text)
    assert any(complaint in line for line in lines), lines


def test_a_parameter_that_no_gap_takes_is_a_mistake(complaints):
    text = TOML.replace("{mode}", "x")
    assert "parameter mode is used nowhere: write {mode} where its value goes" in complaints(text)[0]


def test_a_value_that_a_gap_cannot_format_is_told(write):
    setup = load(write(TOML.replace("{rave:.2f}", "{rave:d}")))
    with pytest.raises(ConfigError, match=r"candidate candidate: 0.01.* in a gap with the format 'd'"):
        tuner(setup)


def test_in_a_game_of_teams_a_candidate_has_its_partner(write):
    text = """
        competition = "auto_tuner"
        game = "dighere"
        opponent = "steady"
        number_of_games = 4

        [players.steady]
        command = "samurai"

        [candidate]
        command = "samurai --reach={reach:.2f}"
        partner = "dog --reach={reach:.2f}"

        [[parameters]]
        code = "reach"
        min = 0
        max = 9
        """
    spec = tuner(load(write(text))).next_game()
    assert [player.code for player in spec.players] == ["#0", "steady", "#0", "steady"]
    reach = f"--reach={float(spec.pairing):.2f}"
    assert [player.command[0].rpartition("/")[2] for player in spec.players] == [
        *("samurai", "samurai", "dog", "samurai"),
    ]
    assert [player.command[1:] for player in spec.players] == [(reach,), (), (reach,), ()]


def test_an_engine_that_plays_itself_needs_no_players(write):
    text = """
        competition = "spsa_tuner"
        board_size = 9
        komi = 7.5
        number_of_iterations = 10

        [candidate]
        command = "engine {x}"

        [[parameters]]
        code = "x"
        min = 0
        max = 9
        """
    setup = load(write(text))
    assert not setup.players
    assert [player.code for player in tuner(setup).next_game().players] == ["#1+", "#1-"]


@pytest.mark.parametrize("name", ["clop_tuner", "cmaes_tuner"])
def test_a_tuner_that_gyoji_had_once_names_its_successor(complaints, name):
    text = TOML.replace("mc_tuner", name)
    assert complaints(text)[0].endswith(f"competition: '{name}': removed: use auto_tuner instead")
