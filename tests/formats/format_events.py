"""Events of any format in few words, and results by who is stronger, for the tests of formats."""

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.outcome import Ending, Outcome, shared, won_by
from gyoji.core.plugins import FORMATS
from gyoji.core.record import GameResult
from gyoji.core.setup import CompetitionSetup
from gyoji.core.spec import Player

OPTIONS = {"board_size": 9, "komi": 7.5}


def setup_of(kind, players, settings, seed=3):
    made = {code: Player(code=code, command=(f"/bin/{code}",)) for code in players}
    return CompetitionSetup(code="cup", kind=kind, players=made, settings=settings, seed=seed)


def event(kind, players="abcd", *, seed=3, **settings):
    """Return the competition of players with codes of one letter, or of a list of codes."""
    module = FORMATS.find(kind)
    full = module.settings(game="go", **{"options": OPTIONS, **settings})
    return module.competition(setup_of(kind, players, full, seed))


def result(spec, outcome):
    return GameResult(
        id=spec.id,
        pairing=spec.pairing,
        players=tuple(player.code for player in spec.players),
        outcome=outcome,
        turns=10,
        engines=(),
        started="2026-11-21T01:00:00Z",
        wall_ns=1,
    )


def won(spec, code, margin=None):
    """Return a result in which the player with that code wins. It is a draw if that player has no seat."""
    codes = [player.code for player in spec.players]
    points = won_by(codes.index(code), 2) if code in codes else shared(2)
    return result(spec, Outcome(points=points, ending=Ending.SCORE, margin=margin))


def stronger_wins(spec, order="abcdefghijklmnopqrstuvwxyz"):
    """Whoever comes first in `order` wins."""
    return won(spec, min((player.code for player in spec.players), key=order.index))


def all_drawn(spec):
    return won(spec, "")


def games(cup, result_of=stronger_wins, most=10_000):
    """Return the specs of an event played to its end, or `most` of them, each result told at once."""
    issued = []
    while len(issued) < most and (spec := cup.next_game()) is not None:
        issued.append(spec)
        cup.add(result_of(spec))
    return issued


def pairings(specs):
    """Return the pairings in the order in which they begin."""
    return list(dict.fromkeys(spec.pairing for spec in specs))


def mistake(tmp_path, text):
    """Return the message of a control file with that text, which has a mistake."""
    path = tmp_path / "cup.toml"
    path.write_text(text)
    with pytest.raises(ConfigError) as caught:
        load(path)
    return str(caught.value)
