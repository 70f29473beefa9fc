"""The probe of a brain, which asks it everything: every command, board sizes, rules, the clock.

Each part is a generator that asks and notes, most in a process of its own, so that nothing that one part
leaves behind is heard in another. `probe_commands` and `probe_skills` have the parts, `probe_asking` how a
question is put, `probe_positions` what shows a rule, and `probe_facts` what follows from it all.
"""

from typing import Any, Protocol

from gyoji.core.messages import Move
from gyoji.core.probe import Findings, Probe
from gyoji.protocols.gomocup.lines import Kind, introduce
from gyoji.protocols.gomocup.probe_asking import (
    OPTIONAL_PATIENCE,
    BrainNotes,
    Known,
    board,
    infos,
    move,
    start,
)
from gyoji.protocols.gomocup.probe_commands import start_command, try_board, try_commands, try_size
from gyoji.protocols.gomocup.probe_positions import LEAGUES, WIDTH, Facts, League, Point
from gyoji.protocols.gomocup.probe_skills import RULES, try_clock, try_rules, try_swap2

SIDES = (20, 15, 5, 8, 10, 19, 30)
"""Of the square boards that are tried, those of Gomocup's leagues first."""


class Game(Protocol):
    """The part of a game's rules that is needed. bits: the number of INFO rule; stones: in playing order."""

    width: int
    height: int
    bits: int

    def start(self) -> Any: ...
    def view(self, position: Any, seat: int) -> Any: ...
    def stones(self, view: Any) -> tuple[tuple[Move, int], ...]: ...
    def coordinates(self, move: Move) -> Point: ...


def probe(game: Game | None = None) -> Probe[Findings]:
    """Ask everything. game: that it has to be able to play; None: that of some league of Gomocup will do."""
    known = Known(BrainNotes(), Facts())
    wanted = () if game is None else ((game.width, game.height),)
    for width, height in dict.fromkeys((*((side, side) for side in SIDES), *wanted, (20, 15))):
        yield from try_size(known, width, height)
        if known.facts.silences > 1 and not known.facts.sides:
            break
    if known.facts.sides:
        yield from _try_all(known)
    return _findings(known, game)


def trial(game: Game) -> Probe[Findings]:
    """The questions of a check before a competition, beside START: does it move on this board, by this rule?

    Some brains say only then that they do not. One that says nothing of the kind may be slow: the clock will
    tell.
    """
    stones = [game.coordinates(point) for point, _ in game.stones(game.view(game.start(), 0))]
    question = board(stones) if stones else ("BEGIN",)
    ready = yield from start(start_command(game.width, game.height))
    if ready.is_silent:
        return Findings()
    answer = yield from move(*infos(game.bits), *question, patience=OPTIONAL_PATIENCE)
    if answer.points() or not (answer.heard.ended or answer.line(Kind.ERROR, Kind.UNKNOWN)):
        return Findings()
    return Findings(unfit=(f"{question[0]}: {answer.refusal}",))


def _try_all(known: Known) -> Probe[None]:
    """All that can be asked of a brain that plays on some square board."""
    side = known.facts.sides[0]
    yield from try_commands(known, side)
    yield from try_board(known, side)
    yield from try_swap2(known, 15 if 15 in known.facts.sides else side)
    large = [side for side in known.facts.sides if side >= WIDTH]
    if large and not known.facts.board:
        yield from try_rules(known, large)
        yield from try_clock(known, large[0])


def _findings(known: Known, game: Game | None) -> Findings:
    facts = known.facts
    name, description = introduce(facts.about)
    if game is not None:
        # Whether it has to know swap2 the game decides, which may have an opening for those who do not.
        unfit = tuple(facts.hindrances(League("this game", game.width, game.height, game.bits)))
    elif all(facts.hindrances(league) for league in LEAGUES):
        unfit = ("cannot play in any league of Gomocup",)
    else:
        unfit = ()
    return Findings(
        name=name,
        description=description,
        trials=tuple(known.notes.trials),
        supports={
            "sizes": tuple(str(side) for side in sorted(facts.sides)),
            "rules": tuple(str(rule) for rule in RULES if facts.knows_rule(rule)),
            "commands": tuple(facts.commands),
        },
        deviations=known.notes.deviations,
        prospects=tuple((league.heading, facts.prospect(league)) for league in LEAGUES),
        unfit=unfit,
    )
