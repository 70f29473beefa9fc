"""`gyoji play`: one game of a person at a terminal against an engine, without a control file."""

import os
import secrets
import signal
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from types import MappingProxyType
from typing import Any

from msgspec.structs import replace

from gyoji.cli.exits import complain, forget_stdout, say
from gyoji.cli.judging import login
from gyoji.cli.matching import count_sides, given_settings, match_folder, match_setup
from gyoji.cli.naming import program_code
from gyoji.cli.terminal import GONE, LEFT, Terminal
from gyoji.config.human_players import PATIENT
from gyoji.core.clocks import TimeControl
from gyoji.core.describe import ResultWords, describe_result
from gyoji.core.faults import ConfigError
from gyoji.core.game import AnyGame
from gyoji.core.plugins import FORMATS, GAMES
from gyoji.core.ports import ChangesSides, supports
from gyoji.core.setup import CompetitionSetup, is_identifier
from gyoji.core.spec import PERSON, Containment, GameSpec, Player
from gyoji.core.text import quote
from gyoji.pairing.game_maker import PAIR
from gyoji.play.context import WorkerContext, make_rules
from gyoji.play.game import play as play_here
from gyoji.play.order import Files, Order, Report
from gyoji.scheduler.status import ExitStatus

_EXECUTOR = "terminal"
"""The executor of the person, which `_at_terminal` provides. It is no entry point."""

_TRANSCRIPT = ".log"
_INTERRUPTED = "interrupted"

# People expect to be able to take moves back, and should not lose on time unless they ask for a clock.
_DEFAULTS: Mapping[str, Any] = MappingProxyType(
    {
        "games": 1,
        "clock": "none",
        "asking": "in turn",
        "take_backs": "always",
        "draw_offers": True,
        "hints": True,
        "openings": "none",  # a person begins at the ordinary start, also in games with openings of their own
    }
)
"""Default settings. A person with several seats is asked for one seat after the other."""


def play_person(
    command: str,
    *,
    folder: Path,
    extra: Sequence[str] = (),
    own: Sequence[str] = (),
    side: str | None = None,
    name: str | None = None,
    untimed: bool = False,
    transcripts: bool = False,
    **play: Any,
) -> ExitStatus:
    """Play a game against an engine, and print its result.

    Args:
        command: The command of the engine.
        folder: The folder for the game's record, and for its transcript if `transcripts` is set.
        extra: Further settings of a control file, as KEY=VALUE.
        own: Settings of the engine, as KEY=VALUE.
        side: The name of the person's side, or its beginning; None for the first side.
        name: The name of the person; None for the user who is logged in.
        untimed: Whether the person has no clock.
        play: Settings of a control file by their names; None for one that is not given.
    """
    settings = {**_DEFAULTS, **given_settings(play, extra, (command,))}
    game = GAMES.find(str(settings["game"]))
    sides = max(count_sides(settings), PAIR)
    settings["games"] = 1 if sides == PAIR else sides  # one table, of which one game is played
    team = _team(side, _side_names(game, sides))
    own_name = login()
    engine, name = program_code(command), name or (own_name if is_identifier(own_name) else "you")
    engines = [engine, *(f"{engine}-{number}" for number in range(2, sides))]
    names = [*engines[:team], name, *engines[team:]]
    with match_folder(None) as scratch:
        limits = [f"{key}={value}" for key, value in game.opponent.items()]
        has_clock = settings["clock"] != "none" or any(text.startswith("clock=") for text in own)
        of_engines = [(each, text) for each in engines for text in (*(() if has_clock else limits), *own)]
        setup = match_setup(
            (command,) * sides, settings, names=names, own=of_engines, keeps=True, folder=scratch
        )
        spec = _spec(setup.with_secret(secrets.randbits(63)), name, team, is_timed=not untimed)
        spec = replace(spec, id=f"{engine}-{time.strftime('%Y-%m-%d-%H%M%S')}")
        formats = setup.record_formats or game.records
        attend = partial(_at_terminal, _seat_names(spec, game, name), _tasks(spec, game))
        where = os.path.abspath(folder)
        transcript = os.path.join(where, f"{spec.id}{_TRANSCRIPT}") if transcripts else None
        files = Files(records=where, voids=where, formats=formats, transcript=transcript)
        report = play_here(Order(spec=spec, files=files), attend=attend)
    suffixes = [game.record_format(each).suffix for each in formats]
    paths = [folder / f"{spec.id}{suffix}" for suffix in (*suffixes, _TRANSCRIPT)]
    return _told(report, game.result_words, [path for path in paths if path.exists()])


def _spec(setup: CompetitionSetup, name: str, team: int, *, is_timed: bool) -> GameSpec:
    """Return the first game of a setup in which the person at the terminal, player `name`, has side
    `team`.
    """
    competition = FORMATS.find(setup.kind).competition(setup)
    spec = competition.next_game()
    while spec is not None and spec.codes[make_rules(spec).teams.index(team)] != name:
        spec = competition.next_game()
    assert spec is not None, "each player has each side once"
    person = Player(
        code=name,
        command=(PERSON,),
        protocol=PERSON,
        executor=_EXECUTOR,
        containment=Containment(level="off"),
        clock=None if is_timed else TimeControl(),
        budgets=PATIENT,
    )
    return replace(
        spec,
        players=tuple(person if each.code == name else each for each in spec.players),
        competition="",
        event="",
    )


def _seat_names(spec: GameSpec, game: AnyGame, name: str) -> tuple[str, ...]:
    """Return a name for each seat, to show on the terminal.

    The person's seat is named by its side and role, such as "Black", the engine's by its name and side. If
    players may change sides, each seat has the name of its player.
    """
    rules = make_rules(spec)
    if rules.phase(rules.start()) and supports(rules, ChangesSides):
        return spec.codes
    teams = rules.teams
    roles = game.roles or ("",) * len(teams)
    names = _side_names(game, len(teams))
    sides = [f"{names[team]} {role}".strip() for team, role in zip(teams, roles, strict=True)]
    return tuple(
        side if code == name else f"{code} ({side})" for side, code in zip(sides, spec.codes, strict=True)
    )


def _tasks(spec: GameSpec, game: AnyGame) -> dict[str, str]:
    """Return what the player to move has to do in each phase of the game, in words, by phase.

    The result is empty for a game without pictures.
    """
    phases = game.pictures().scene(make_rules(spec)).phases if game.pictures else ()
    return {each.phase: each.task for each in phases}


def _side_names(game: AnyGame, sides: int) -> list[str]:
    named = list(game.side_names)
    return [*named, *[f"side {number}" for number in range(len(named) + 1, sides + 1)]]


def _team(side: str | None, names: Sequence[str]) -> int:
    """Return the number of the side whose name begins with `side` or has `side` as its last word; 0 for None.

    Case does not matter. Raises ConfigError if no name fits, or more than one.

    Args:
        names: The names of the sides.
    """
    if side is None:
        return 0
    wanted = side.strip().lower()
    fitting = [
        team
        for team, name in enumerate(names)
        if name.lower().startswith(wanted) or name.lower().split()[-1] == wanted
    ]
    if len(fitting) != 1 or not wanted:
        sides = " or ".join(names)
        raise ConfigError(f"--colour: expected {sides}, got {quote(side)}")
    return fitting[0]


@contextmanager
def _at_terminal(
    names: Sequence[str], tasks: Mapping[str, str], context: WorkerContext, leave: Callable[[str], None]
) -> Iterator[None]:
    """Connect the person's seats to this terminal while the game is played.

    Args:
        names: The names of the seats.
        tasks: What the player who is to move has to do, by phase of the game.
        leave: Ends the game without a result. Its argument is the reason.
    """
    context.starters[_EXECUTOR] = Terminal(context.loop, leave, names, tasks)
    stops = dict.fromkeys((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), partial(leave, _INTERRUPTED))
    with context.loop.catching(stops):
        yield


def _told(report: Report, words: ResultWords, paths: Sequence[Path]) -> ExitStatus:
    """Print the result of the game and the files that were written. Return the exit status."""
    record, void = report.record, report.void
    is_forfeit = record is not None and record.result.outcome.is_forfeit
    if void is not None:
        complain(f"the game has no result: {void.reason}")
    for line in report.log if void is not None or is_forfeit else ():
        complain(line)
    try:
        if record is not None:
            say(describe_result(record.result, words))
        for path in paths:
            say(f"written: {path}")
    except OSError:
        forget_stdout()
    if void is not None:
        return ExitStatus.STOPPED if void.reason in (LEFT, GONE, _INTERRUPTED) else ExitStatus.HALTED
    never_began = is_forfeit and record is not None and not record.turns
    return ExitStatus.HALTED if never_began else ExitStatus.COMPLETE
