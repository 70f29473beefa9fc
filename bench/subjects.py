"""The subjects of measurement: games of instant engines, and control files that have them played.

The unit of a subject is what its players are asked for: a move, or in Dig Here a step of four plans.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ENGINES = Path(__file__).parent / "engines"

_PLAYERS = """\
competition = "playoff"
skip_player_checks = true
cores = {cores}
{settings}

[players.one]
command = "{engine} {first}"
restart = "{restart}"

[players.two]
command = "{engine} {second}"
restart = "{restart}"

[[matchups]]
players = ["one", "two"]
alternating = true
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """A kind of match.

    Attributes:
        source: C file of the engine, in `ENGINES`.
        words: Arguments of the engine for either player.
        settings: Lines of the control file about the game.
        restart: "on" starts engines anew for each game, "auto" keeps them.
        floor: Arguments of `bench.floor` for the same games in a bare loop.
        aim: The goal in words; empty if there is none.
    """

    name: str
    source: str
    words: tuple[str, str]
    settings: str
    restart: str
    floor: tuple[str, ...]
    unit: str = "move"
    aim: str = ""

    def control(self, engine: Path, cores: int) -> str:
        """Return the control file of a match.

        Args:
            cores: Processors that each game has to itself, as in a control file; 0 shares all.
        """
        first, second = self.words
        return _PLAYERS.format(
            settings=self.settings,
            engine=engine,
            first=first,
            second=second,
            restart=self.restart,
            cores=cores,
        )


def go(size: int, restart: str) -> Subject:
    """Return the subject of Go by Chinese rules, which are what a control file without a ruleset means.

    The ruleset is named, because another default would make figures of two versions incomparable.
    """
    keeps = ("--keep",) if restart != "on" else ()
    return Subject(
        name=f"go {size}x{size}{', engines stay' if keeps else ''}",
        source="gtp_instant.c",
        words=("--seed 1", "--seed 2"),
        settings=f'board_size = {size}\nkomi = 7.5\nruleset = "chinese"',
        restart=restart,
        floor=("go", str(size), *keeps),
        aim=f"{4 if keeps else 3} times the floor",
    )


def gomoku(size: int, restart: str) -> Subject:
    keeps = ("--keep",) if restart != "on" else ()
    return Subject(
        name=f"gomoku {size}x{size}{', engines stay' if keeps else ''}",
        source="pbrain-instant.c",
        words=("1", "2"),
        settings=f'game = "gomoku"\nboard_size = {size}',
        restart=restart,
        floor=("gomoku", str(size), *keeps),
        aim="3 times the floor" if keeps else "",
    )


def chess(restart: str) -> Subject:
    """Return the subject of chess, with clocks as in tests of engines and an evaluation for each move."""
    keeps = ("--keep",) if restart != "on" else ()
    return Subject(
        name=f"chess{', engines stay' if keeps else ''}",
        source="uci_instant.c",
        words=("--seed 1", "--seed 2"),
        settings='game = "chess"\nclock = "60+0.1"',
        restart=restart,
        floor=("chess", "250", *keeps),
    )


def dighere() -> Subject:
    """Return the subject of Dig Here: 100 steps on fields drawn from the games' seeds, with a clock as in the
    contest.
    """
    return Subject(
        name="dighere",
        source="samurai_instant.c",
        words=("1", "2"),
        settings='game = "dighere"',
        restart="on",
        floor=("dighere", "10"),
        unit="step",
        aim="4 times the floor",
    )


SUBJECTS: Sequence[Subject] = (
    go(9, "on"),
    go(19, "on"),
    go(19, "auto"),
    gomoku(15, "on"),
    gomoku(15, "auto"),
    gomoku(20, "auto"),
    chess("on"),
    chess("auto"),
    dighere(),
)
