"""Tuners to test: two parameters, an opponent, candidates whose commands are their values."""

from dataclasses import replace

from msgspec import structs

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import FORMATS
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player
from gyoji.formats import auto_tuner, ce_tuner, mc_tuner, spsa_tuner
from gyoji.testing.competition_kit import drawn_result
from gyoji.tuning.games import CandidateColour
from gyoji.tuning.scales import Linear, Log

OPPONENT = Player(code="opp", command=("opponent",))


def make(code, values):
    return Player(code=code, command=("candidate", *map(str, values)))


def parameter(kind, code, scale, **more):
    return kind(**kind.complete({"code": code, "scale": scale, **more}, 0))


def _two(kind, **more):
    return (
        parameter(kind, "rave", Linear(0, 1), format="R %.2f", **more),
        parameter(kind, "bias", Log(1, 100), format="B %.1f", **more),
    )


SETTINGS = {"game": "go", "options": {"board_size": 9, "komi": 7.5}, "candidate": make}
AGAINST = {**SETTINGS, "opponent": "opp"}
WHITE = {**AGAINST, "candidate_colour": CandidateColour.WHITE}


def settings(kind, **changes):
    """Return the settings of that kind of tuner, small."""
    made = {
        "mc_tuner": lambda: mc_tuner.Settings(
            **WHITE,
            parameters=_two(mc_tuner.Parameter, split=3),
            exploration_coefficient=0.2,
            initial_visits=10,
            initial_wins=5,
            number_of_games=60,
        ),
        "ce_tuner": lambda: ce_tuner.Settings(
            **WHITE,
            parameters=(
                ce_tuner.Parameter(code="rave", initial_mean=0.5, initial_variance=1.0, format="R %.2f"),
                ce_tuner.Parameter(code="bias", initial_mean=2.0, initial_variance=0.0, format="B %.1f"),
            ),
            number_of_generations=3,
            samples_per_generation=6,
            batch_size=3,
            elite_proportion=0.3,
            step_size=0.8,
        ),
        "spsa_tuner": lambda: spsa_tuner.Settings(
            **SETTINGS,
            parameters=(
                spsa_tuner.Parameter(code="rave", min=0, max=1, start=0.5, c_end=0.1, format="R %.2f"),
                spsa_tuner.Parameter(
                    code="depth", min=1, max=20, start=5, c_end=1, integer=True, format="D %d"
                ),
            ),
            number_of_iterations=20,
        ),
        "auto_tuner": lambda: auto_tuner.Settings(
            **SETTINGS, parameters=_two(auto_tuner.Parameter), number_of_games=24
        ),
    }[kind]()
    return replace(made, **changes)


def event(kind, *, seed=3, players=(OPPONENT,), **changes):
    """Return a tuner before its first game."""
    full = settings(kind, **changes)
    players = {player.code: player for player in players}
    of_gomill = kind in ("mc_tuner", "ce_tuner")
    setup = CompetitionSetup(
        code="tune", kind=kind, players=players, settings=full, seed=seed, names_games=of_gomill
    )
    return FORMATS.find(kind).competition(setup)


def result(spec, *, score=1.0):
    """Return a game with this score of the candidate (of `plus` in SPSA). None: the result is unknown."""
    codes = tuple(player.code for player in spec.players)
    seat = next(seat for seat, code in enumerate(codes) if "#" in code and not code.endswith("-"))
    points = None if score is None else (score, 1 - score) if seat == 0 else (1 - score, score)
    return structs.replace(
        drawn_result(spec), outcome=Outcome(points=points, ending=Ending.SCORE), sides=(), warnings=()
    )


def play(tuner, score_of, games=10**6):
    """Play so many games one after the other; their specs. score_of: the candidate's score in a game."""
    specs = []
    while len(specs) < games and (spec := tuner.next_game()) is not None:
        specs.append(spec)
        tuner.add(result(spec, score=score_of(spec)))
    return specs


def values(spec):
    """Return what the candidate (in SPSA `plus`) was given."""
    player = next(each for each in spec.players if "#" in each.code and not each.code.endswith("-"))
    return tuple(float(word) for word in player.command[1:])
