"""Checks of players without playing a game that counts: each engine is started, set up for a game, and
tested.
"""

# Three depths, each with all of the one before:
#
#     startup   the engine is started, set up for the game, and told to quit; then a test of its rules
#     trial     the short test that its protocol defines, of what would lose it games (`gyoji run` does this)
#     probe     every command of its protocol, with times (`gyoji check`)
#
# A player may refuse a variant of the game (another board size). It is then checked in each variant, and its
# pairs play the first that both take. What is found goes into the event (`check_before_run`): dialects of
# protocols, players that do not clean up dead stones, refused variants.

import shlex
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import click
from msgspec.structs import replace

from gyoji.cli.check_report import Check, check_values, describe, last_words, limits, problem_lines
from gyoji.cli.containment import containment_line, is_whole, machine_for
from gyoji.cli.exits import complain, say
from gyoji.cli.progress import Progress, watched
from gyoji.cli.relay_checking import runner_problem, trial_game
from gyoji.cli.umpire_checking import is_any_broken, umpire_verdicts, verdict_values
from gyoji.config.document import Document
from gyoji.config.programs import find_command, name_warnings, of_a_shell
from gyoji.core.faults import Breakdown, ConfigError
from gyoji.core.plugins import EXECUTORS, GAMES, PROTOCOLS
from gyoji.core.ports import AnyRules
from gyoji.core.probe import Findings, Probe, Verdict
from gyoji.core.spec import GameSpec, Player
from gyoji.core.text import counted, legible_json, printable, quote
from gyoji.play.context import WorkerContext, borrowed, make_rules
from gyoji.play.probing import carry_out, find_spoken, signature_problem, try_out
from gyoji.play.startup_check import StartupCheck, check_startup, setting_for, try_rules
from gyoji.play.umpire_talk import begin_problem
from gyoji.play.umpire_trial import Promise
from gyoji.results.variants import describe_variant, spec_variants, strangers, variant_key
from gyoji.scheduler.event import Event
from gyoji.scheduler.status import ExitStatus

Try = Callable[[GameSpec], Check]


def check_file(path: Path, *, quick: bool, player: str | None = None, as_json: bool) -> ExitStatus:
    """Carry out `gyoji check FILE`: check all players or only `player`, and an umpire or runner.

    Raises:
        ConfigError: The file is wrong, `player` is not in it, or the umpire or runner cannot decide a game.
    """
    specs: Sequence[GameSpec] = Event.open(path, complain).competition.checks()
    if player is not None:
        specs = [spec for spec in specs if spec.players[0].code == player]
        if not specs:
            raise ConfigError(f"{path}: no player called {quote(player)} plays in this competition")
    specs = list(specs)
    verdicts: list[Promise] = []
    if specs and specs[0].umpire is not None:
        verdicts = _check_decider(path, specs[0], quick=quick, quiet=as_json)
    status = _show((_check(spec, quick=quick) for spec in specs), as_json=as_json, verdicts=verdicts)
    return ExitStatus.HALTED if is_any_broken(verdicts) else status


def _check_decider(path: Path, spec: GameSpec, *, quick: bool, quiet: bool) -> list[Promise]:
    """Check the program that decides the games: test an umpire, or let a runner play a game.

    Args:
        quick: Whether to check only that the program starts.
        quiet: Whether to print nothing.

    Returns:
        The result for each rule of the umpire's protocol (`Promise`); [] for a runner, and if `quick`.

    Raises:
        ConfigError: The program cannot decide a game.
    """
    name = GAMES.find(spec.game).decider
    if problem := umpire_problem(spec):
        raise ConfigError(f"{path}: {problem}")
    if quick:
        result = "ok"
    elif name == "umpire":
        if not quiet:
            say("umpire:")
        return umpire_verdicts(spec, quiet=quiet)
    else:
        result, problem = trial_game(spec)
        if problem:
            raise ConfigError(f"{path}: a game of {' and '.join(spec.codes)}: {problem}")
        result = f"it has played a game: {result}"
    if not quiet:
        say(f"{name}: {result}")
    return []


def check_command(command: str, protocol: str, *, as_json: bool) -> ExitStatus:
    """Carry out `gyoji check --command`: check one engine without the settings of any game."""
    player = _player(command, protocol)
    probe = PROTOCOLS.find(protocol).probe
    if probe is None:
        raise ConfigError(f"there is no probe for the protocol {protocol}")
    if not as_json:
        click.echo(f"probing {player.code}: {printable(shlex.join(player.command))}")
    with watched() as context:
        findings = carry_out(probe(None), player, context=context)
        if findings.unfit and not any(each.verdict is Verdict.OK for each in findings.trials):
            unfit = tuple(line + _other_protocol(player, context) for line in findings.unfit)
            findings = replace(findings, unfit=unfit)
    return _show(iter([Check(player=player, findings=findings, is_probed=True)]), as_json=as_json)


def check_before_run(event: Event, *, quiet: bool, attempt: Try | None = None) -> bool:
    """Check the players of a run. Print failures, warnings and limits to stderr.

    The results are stored in the fields `agreeing`, `found` and `refusals` of `event`. Engines do not see the
    files that `event.hidden` names.

    Args:
        attempt: Checks the first player of a game; None for `check_player`.

    Returns:
        Whether all players can play. If there is an umpire, also whether it can decide games. True without a
            check if the control file sets `skip_player_checks`.
    """
    checked = (spec for spec in event.competition.checks() if not spec.players[0].is_elsewhere)
    specs = [_hiding(spec, event.hidden) for spec in checked]
    with watched(quiet=quiet) as context:
        players = [spec.players[0] for spec in specs]
        machine, kept = machine_for(players, context)
        line = containment_line(players, machine, kept)
        if not is_whole(players, machine):
            complain(line)
        elif not quiet:
            click.echo(line)
        if event.setup.skip_player_checks:
            if not quiet:
                click.echo(f"checks of {counted(len(specs), 'player')} skipped: skip_player_checks is set")
            return True
        if problem := umpire_problem(specs[0], context) if specs else "":
            complain(problem)
            return False
        checks, all_can_play = _checked(specs, attempt, context=context, quiet=quiet)
    event.agreeing = frozenset(check.player.code for check in checks if check.failed)
    event.found = {check.player.code: check.settings for check in checks if check.settings}
    event.refusals = {check.player.code: check.refused for check in checks if check.refused}
    for pair in strangers(specs[0], event.refusals) if specs else ():
        complain(
            f"players {' and '.join(pair)}: each variant of the game is refused by one of them; their games "
            "are played as the file has them, and who refuses loses"
        )
    if not all_can_play and event.setup.control_file:
        again = f"`gyoji check {shlex.quote(event.source)}` tests the players again and shows more"
        complain(f"nothing was played; {again}")
    return all_can_play


def umpire_problem(spec: GameSpec, context: WorkerContext | None = None) -> str:
    """Return why the umpire or runner of a game cannot decide it, in one line.

    Return "" if it can, or if the game has no such program.
    """
    if spec.umpire is None:
        return ""
    if GAMES.find(spec.game).decider == "relay":
        return runner_problem(spec)
    problem = begin_problem(spec, context=context)
    return f"umpire: {problem}" if problem else ""


def _hiding(spec: GameSpec, hidden: tuple[str, ...]) -> GameSpec:
    """Return the game with further files, `hidden`, that its players cannot see."""
    if not hidden:
        return spec
    players = []
    for player in spec.players:
        seen = player.containment
        players.append(replace(player, containment=replace(seen, hidden=(*seen.hidden, *hidden))))
    return replace(spec, players=tuple(players))


def _checked(
    specs: Sequence[GameSpec],
    attempt: Try | None,
    *,
    context: WorkerContext | None = None,
    quiet: bool = False,
) -> tuple[list[Check], bool]:
    """Check the first player of each game, and print to stderr what is wrong with it.

    Args:
        attempt: Checks one of these players; None for `check_player`.
        context: Starts the engines; None to use a context of its own.
        quiet: Whether to leave out the line that says how many players are checked.

    Returns:
        (the results, whether all these players can play)
    """
    if not quiet:
        click.echo(f"checking {counted(len(specs), 'player')}")
    with borrowed(context) if context is not None else watched() as place:
        checks = list(map(attempt or partial(check_player, context=place), specs))
        if isinstance(place.watch, Progress):
            place.watch.clear()
    for line in limits(checks):
        complain(line)
    for check in checks:
        for line in (*problem_lines(check), *last_words(check)):
            complain(line)
    return checks, not any(check.problems for check in checks)


def check_newcomers(event: Event, known: Collection[str], *, attempt: Try | None = None) -> bool:
    """Check the players that a reload of the control file would add to a run.

    Args:
        known: Names of the players that the run has already. They are not checked again.
        attempt: Checks the first player of a game; None for `check_player`.

    Returns:
        Whether the run may reload: all new players can play, and none needs a change of settings or games
        that can only be made at the start of a run.
    """
    specs = [
        spec
        for spec in event.competition.checks()
        if spec.players[0].code not in known and not spec.players[0].is_elsewhere
    ]
    if event.setup.skip_player_checks or not specs:
        return True
    checks, all_can_play = _checked(specs, attempt)
    late = [check for check in checks if check.settings or check.refused or check.scores_itself]
    for check in late:
        needed = ", ".join(f"{name} = {legible_json(value)}" for name, value in check.settings.items())
        advice = f"give it {needed}, or " if needed else ""
        complain(f"player {check.player.code}: {advice}stop the run and start it again, which adapts to it")
    return all_can_play and not late


def check_player(
    spec: GameSpec,
    *,
    probe: Callable[[AnyRules | None], Probe[Findings]] | None = None,
    inherit_stderr: bool = False,
    context: WorkerContext | None = None,
) -> Check:
    """Check the first player of a game: start it, set up the game, and test its protocol.

    Args:
        probe: Makes the probe to carry out. None carries out only the short test that the protocol defines.
        inherit_stderr: Whether the engine's stderr goes to gyoji's.
        context: Starts the engine; None to use a context of its own.
    """
    player = spec.players[0]
    spec, startup, variants = _check_variants(spec, inherit_stderr=inherit_stderr, context=context)
    if startup.is_foreign or (startup.problems and probe is None):
        return Check(player=player, startup=startup)
    try:
        if probe is None:
            findings = try_out(spec, context=context)
        else:
            findings = carry_out(probe(make_rules(spec)), player, context=context)
    except Breakdown as error:
        findings = Findings(unfit=(str(error),))
    if not startup.problems:
        variants |= {"failed": try_rules(spec, context=context), "without_cleanup": spec.without_cleanup}
    return Check(player=player, startup=startup, findings=findings, is_probed=probe is not None, **variants)


def _check(spec: GameSpec, *, quick: bool) -> Check:
    player = spec.players[0]
    if player.is_elsewhere:
        return Check(player=player)
    has_probe = not quick and EXECUTORS.find(player.executor).has_protocol
    probe = PROTOCOLS.find(player.protocol).probe if has_probe else None
    with watched() as context:
        return check_player(spec, probe=probe, inherit_stderr=True, context=context)


def _check_variants(
    spec: GameSpec, *, inherit_stderr: bool, context: WorkerContext | None = None
) -> tuple[GameSpec, StartupCheck, dict[str, Any]]:
    """Check the startup of a game's first player in each variant of the game, such as other board sizes.

    Returns:
        (game, check, fields). The game is the first variant that the player accepts. If the player refuses
            all, it is the one with the game's own options. The check is the startup check of this variant.
            The fields are the arguments `refused` and `instead` of `Check`; {} if the player refuses all
            variants or none.
    """
    tried = [
        (each, _check_startup(each, inherit_stderr=inherit_stderr, context=context))
        for each in spec_variants(spec)
    ]
    taken = [(each, startup) for each, startup in tried if not startup.refused]
    first, startup = (taken or tried)[0]
    if len(taken) in (0, len(tried)):
        return first, startup, {}
    refused = frozenset(variant_key(each.options) for each, startup in tried if startup.refused)
    told = tuple([describe_variant(each.options, spec.options) for each, _ in taken])
    refuses_wanted = tried[0][1].refused
    return first, startup, {"refused": refused, "instead": told if refuses_wanted else ()}


def _check_startup(
    spec: GameSpec, *, inherit_stderr: bool, context: WorkerContext | None = None
) -> StartupCheck:
    """Check the startup of a game's first player.

    If the start fails, advice is added to its problems: another protocol that the engine speaks, or a file
    that the engine may not read. If the engine's stderr was passed through, the engine is started once more,
    to read its stderr for the advice.
    """
    startup = check_startup(spec, inherit_stderr=inherit_stderr, context=context)
    player = spec.players[0]
    if not startup.problems and (problem := signature_problem(player, context=context)):
        return replace(startup, problems=(f"{player.code}: {problem}",))
    if startup.is_foreign and (other := _other_protocol(player, context)):
        return replace(startup, problems=tuple(f"{line}{other}" for line in startup.problems))
    if not any("exited" in problem for problem in startup.problems):
        return startup
    advice = of_a_shell(player.command)
    if not advice and player.containment.level != "off":
        heard = check_startup(spec, inherit_stderr=False, context=context) if inherit_stderr else startup
        advice = setting_for(heard.stderr, player)
    if not advice:
        return startup
    return replace(startup, problems=tuple(f"{line}; {advice}" for line in startup.problems))


def _other_protocol(player: Player, context: WorkerContext | None) -> str:
    """Return the end of a message about a silent engine: which other protocol it speaks.

    It reads like "; it speaks P ...", and is "" if no protocol is found.
    """
    if not EXECUTORS.find(player.executor).has_protocol:
        return ""
    spoken = find_spoken(player, context=context)
    if spoken is None:
        return ""
    own = PROTOCOLS.find(player.protocol)
    return f"; it speaks {spoken.title or spoken.name}, and was asked in {own.title or own.name}"


def _player(command: str, protocol: str) -> Player:
    """Return the player that `gyoji check --command` tests.

    Args:
        command: Path of a program or package, or a command line.

    Raises:
        ConfigError: The command is wrong.
    """
    spoken = PROTOCOLS.find(protocol)
    try:
        words = [command] if Path(command).is_file() else shlex.split(command)
    except ValueError as error:
        raise ConfigError(f"--command: {str(error).lower()} in {command!r}") from None
    if not words:
        raise ConfigError("--command: expected a program")
    here = Document(name="gyoji check", path=Path.cwd() / "check", raw={})
    if (path := Path(words[0])).is_file():
        words[0] = str(path.absolute())
    cwd = "" if spoken.private_folder else here.resolve(".")
    program, *arguments = find_command(words, here, cwd, None)
    for warning in name_warnings((program, *arguments), spoken):
        complain(warning)
    return Player(code=Path(program).name, command=(program, *arguments), protocol=protocol, cwd=cwd)


def _show(checks: Iterator[Check], *, as_json: bool, verdicts: Sequence[Promise] = ()) -> ExitStatus:
    """Print each check when it is made, or all as one JSON object. Return the exit status.

    Args:
        verdicts: Results of the umpire's tests, for the JSON object.
    """
    made: list[Check] = []
    for check in checks:
        made.append(check)
        if not as_json:
            for line in describe(check):
                say(line)
    if as_json:
        umpire = {"umpire": verdict_values(verdicts)} if verdicts else {}
        say(legible_json({**umpire, "players": [check_values(check) for check in made]}, indent=2))
    failed = sum(bool(check.problems) for check in made)
    if failed:
        complain(f"{failed} of {counted(len(made), 'player')} failed the checks")
        return ExitStatus.HALTED
    return ExitStatus.COMPLETE
