"""`gyoji check` of an umpire: play games with random answers, and report the rules that the umpire breaks.

The rules are those of the umpire's protocol. `Promise` is the result of the test of one rule.
"""

from collections.abc import Sequence
from typing import Any

from msgspec.structs import replace

from gyoji.cli.exits import complain, say
from gyoji.cli.matching import count_sides, given_settings, match_folder, match_setup
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import FORMATS
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import counted, legible_json
from gyoji.pairing.game_maker import PAIR
from gyoji.play.context import borrowed
from gyoji.play.umpire_trial import Promise, UmpireTrial
from gyoji.scheduler.status import ExitStatus

GAMES = 10
"""The number of games with sensible answers. Games with odd answers and failing seats follow."""

_SHOWN = 3
"""Largest number of lines about one broken promise."""


def try_umpire(command: str, *, extra: Sequence[str], as_json: bool) -> ExitStatus:
    """Carry out `gyoji check --umpire`: test an umpire, and print which rules of its protocol it keeps.

    Args:
        command: The command of the umpire.
        extra: Settings of a control file, as KEY=VALUE.

    Returns:
        HALTED if the umpire breaks a rule, else COMPLETE.

    Raises:
        ConfigError: A setting is wrong, or the umpire cannot be started.
    """
    verdicts = umpire_verdicts(_of_command(command, extra), quiet=as_json)
    if as_json:
        say(legible_json({"umpire": verdict_values(verdicts)}, indent=2))
    return ExitStatus.HALTED if is_any_broken(verdicts) else ExitStatus.COMPLETE


def is_any_broken(verdicts: Sequence[Promise]) -> bool:
    """Return whether the umpire breaks any rule. If so, print to stderr how many it breaks."""
    broken = sum(bool(each.problems) for each in verdicts)
    if broken:
        complain(f"umpire: {counted(broken, 'promise')} broken")
    return bool(broken)


def verdict_values(verdicts: Sequence[Promise]) -> list[dict[str, Any]]:
    """Return the results of an umpire's tests as JSON-ready objects."""
    return [{"promise": each.words, "problems": list(each.problems)} for each in verdicts]


def umpire_verdicts(spec: GameSpec, *, quiet: bool) -> list[Promise]:
    """Test the umpire of a game. Return the result for each rule, and print it at once unless `quiet`.

    Raises:
        ConfigError: The umpire cannot be started.
    """
    verdicts = []
    try:
        with borrowed(None) as context:
            trial = UmpireTrial(context, _with_letters(spec), GAMES)
            for verdict in trial.verdicts():
                verdicts.append(verdict)
                for line in () if quiet else _lines(verdict):
                    say(line)
    except Breakdown as error:
        raise ConfigError(str(error)) from None
    if not quiet:
        say(f"  {counted(len(trial.played), 'game')}, {trial.figures()}")
    return verdicts


def _lines(verdict: Promise) -> list[str]:
    """Return the result for one rule of the protocol as lines of text."""
    lines = [f"  {'broken' if verdict.problems else 'ok':8}{verdict.words}"]
    lines += [f"          {problem}" for problem in verdict.problems[:_SHOWN]]
    more = len(verdict.problems) - _SHOWN
    return [*lines, f"          and {more} more"] if more > 0 else lines


def _of_command(command: str, extra: Sequence[str]) -> GameSpec:
    """Return a game that the umpire with this command decides, without players."""
    settings = given_settings({"umpire": command}, extra)
    names = tuple(f"p{number}" for number in range(max(count_sides(settings), PAIR)))
    with match_folder(None) as folder:
        setup = match_setup(("true",) * len(names), settings, names=names, keeps=False, folder=folder)
    spec = FORMATS.find(setup.kind).competition(setup).next_game()
    assert spec is not None, "a match has a game"
    return replace(spec, id="trial", pairing="", players=(), seed=1)


def _with_letters(spec: GameSpec) -> GameSpec:
    """Return the game with players that have letters as names. They are never started."""
    seats = int(str(spec.options["seats"]))
    names = [chr(ord("a") + seat % 26) * (1 + seat // 26) for seat in range(seats)]
    return replace(spec, players=tuple([Player(code=name, command=("true",)) for name in names]))
