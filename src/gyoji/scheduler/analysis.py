"""Analysis of a finished game by an engine: which players' engines can do it, and the task that they get."""

from collections.abc import Iterable

from gyoji.core.analysis import AnalysisTask
from gyoji.core.faults import ConfigError
from gyoji.core.plugins import PROTOCOLS, plays
from gyoji.core.record import GameRecord
from gyoji.core.replay import positions
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import quote
from gyoji.play.context import make_rules
from gyoji.scheduler.event import Event


def able(players: Iterable[Player], game: str) -> dict[str, Player]:
    """Return the players whose engines can analyse a game, by name. Human and remote players are left out.

    Args:
        game: Name of the game, such as "go".
    """
    return {
        each.code: each
        for each in players
        if not each.is_elsewhere
        and plays(each.protocol, game)
        and PROTOCOLS.find(each.protocol).analysis is not None
    }


def analyst(event: Event, spec: GameSpec, code: str | None) -> Player:
    """Return the player whose engine analyses a game.

    Args:
        code: Name of the player in the control file; None for the first player that can.

    Raises:
        ConfigError: No player can, or the player `code` cannot.
    """
    known = able((*event.setup.players.values(), *spec.players), spec.game)
    if code is None and known:
        return next(iter(known.values()))
    if code is None or code not in known:
        who = f"{quote(code)} cannot" if code else "no player can"
        told = f"; there are: {', '.join(known)}" if known else ""
        raise ConfigError(f"{event.source}: {who} analyse games of {spec.game}{told}")
    return known[code]


def task_of(spec: GameSpec, record: GameRecord, player: Player, *, ns: int, lines: int) -> AnalysisTask:
    """Return the analysis task for all positions of a stored game.

    Args:
        ns: Thinking time for each position.
        lines: Largest number of variations for each position.
    """
    rules = make_rules(spec)
    played = list(positions(rules, record))
    return AnalysisTask(
        rules=rules,
        player=player,
        turns=[turn for turn, _ in played],
        positions=[rules.start(), *(position for _, position in played)],
        ns=ns,
        lines=lines,
    )
