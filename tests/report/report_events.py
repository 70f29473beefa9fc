"""Events of any format after some games, told in few words, and what their reports say."""

import json

import shown
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.plugins import FORMATS
from gyoji.core.record import EngineReport, GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player

OPTIONS = {"board_size": 9, "komi": 7.5}


def result(spec, sign, margin=None):
    """Return the result of a game.

    "+": the first in the alphabet has won, "-": the other, "T": the same by a loss on time, "=": level,
    "?": nobody knows.
    """
    codes = tuple(player.code for player in spec.players)
    points = {
        "+": won_by(codes.index(min(codes)), 2),
        "-": won_by(codes.index(max(codes)), 2),
        "T": won_by(codes.index(max(codes)), 2),
        "=": shared(2),
        "?": None,
    }[sign]
    ending = {"T": Ending.TIME, "?": Ending.MOVE_LIMIT}.get(sign, Ending.SCORE)
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=codes,
        outcome=Outcome(
            points=points,
            ending=ending,
            margin=margin,
            seat=codes.index(min(codes)) if sign == "T" else None,
        ),
        turns=10,
        engines=tuple(EngineReport(name=code.upper(), think_ns=10**9) for code in codes),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def event(kind, told, players="abcd", **settings):
    """Return an event after games that ended as told: for each game a sign and the winner's margin."""
    module = FORMATS.find(kind)
    if kind not in ("contest", "groups", "playoff"):
        settings = {"game": "go", "options": OPTIONS, **settings}
    setup = CompetitionSetup(
        code="cup",
        kind=kind,
        players={code: Player(code=code, command=(code,)) for code in players},
        settings=module.settings(**settings),
        description="the autumn cup",
    )
    cup = module.competition(setup)
    for word in told.split():
        cup.add(result(cup.next_game(), word[0], float(word[1:]) if word[1:] else None))
    return cup


def screen(cup):
    return list(shown.screen_lines(cup))


def report(cup):
    return list(shown.report_lines(cup))


def values(cup):
    """As they come out of JSON, which has no infinity."""
    return json.loads(json.dumps(shown.values(cup), allow_nan=False))


def json_lines(values):
    """Return one line for each key, and for each row of a table. Other machines may differ in the last
    digits.
    """
    rounded = json.loads(json.dumps(values), parse_float=lambda number: round(float(number), 6))
    for name, rows in rounded.pop("tables").items():
        rounded |= {f"{name} {number}": row for number, row in enumerate(rows, 1)}
    return [f"{key}: {json.dumps(value)}" for key, value in rounded.items()]
