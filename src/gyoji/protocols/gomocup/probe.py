"""The conformance probe of a brain: board sizes, commands, swap2, rules, the clock, nonsense.

Each part is a generator that asks and takes notes. Most parts run in a process of their own, so that a
late answer to one is not heard in another. `probe_asking` puts and judges questions; `probe_positions` has
the positions that show a rule, and draws the conclusions.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from gyoji.core.messages import Move
from gyoji.core.probe import Findings, Probe, Verdict
from gyoji.protocols.gomocup.commands import start_command
from gyoji.protocols.gomocup.lines import REFUSALS, Kind, has_pairs, introduce
from gyoji.protocols.gomocup.probe_asking import (
    OPTIONAL_PATIENCE,
    TURN,
    Answer,
    BrainNotes,
    Known,
    board,
    infos,
    line,
    move,
    silence,
    silence_before,
    start,
    word,
)
from gyoji.protocols.gomocup.probe_positions import (
    LEAGUES,
    MS,
    OF_RULE,
    QUIET,
    TOLERANCE,
    WIDTH,
    Facts,
    League,
    Point,
    Position,
)

SIDES = (20, 15, 5, 8, 10, 19, 30)
"""Sides of the square boards that are tried, those of Gomocup's leagues first."""


class Game(Protocol):
    """The rules that a probe needs. `bits` is the number in INFO rule, `swap2` whether a game begins with
    SWAP2BOARD.
    """

    width: int
    height: int
    bits: int
    swap2: bool

    def start(self) -> Any: ...
    def view(self, position: Any, seat: int) -> Any: ...
    def stones(self, view: Any) -> tuple[tuple[Move, int], ...]: ...
    def coordinates(self, move: Move) -> Point: ...


def probe(game: Game | None = None) -> Probe[Findings]:
    """Ask a brain everything.

    Args:
        game: The game that the brain has to be able to play; None accepts any league of Gomocup.
    """
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
    """Check before a competition whether a brain moves on this board under this rule.

    Some brains refuse only when they are asked for a move. A brain that does not answer may be slow, which
    the clock of its games will judge.
    """
    stones = [game.coordinates(point) for point, _ in game.stones(game.view(game.start(), 0))]
    question = board(stones) if stones else ("BEGIN",)
    ready = yield from start(start_command(game.width, game.height))
    if ready.is_silent:
        return Findings()
    answer = yield from move(*infos(game.bits), *question, patience=OPTIONAL_PATIENCE)
    if answer.points() or not (answer.heard.ended or answer.line(Kind.ERROR, Kind.UNKNOWN)):
        return Findings(settings=(yield from _dialect(game)) if game.swap2 else {})
    return Findings(unfit=(f"{question[0]}: {answer.refusal}",))


def _dialect(game: Game) -> Probe[dict[str, object]]:
    """Try SWAP2BOARD as the protocol defines it, then with colours. Return the setting that the brain
    understands.

    Rapfi 0.43 answers each stone without a colour with ERROR, and then the whole as if there were no
    stone.
    """
    middle_x, middle_y = game.width // 2, game.height // 2
    points = [f"{middle_x + each},{middle_y + each // 2}" for each in range(3)]
    if (yield from _understands(game, points)) is not False:
        return {}
    coloured = [f"{point},{place % 2 + 1}" for place, point in enumerate(points)]
    return {"swap2_colours": True} if (yield from _understands(game, coloured)) else {}


def _understands(game: Game, stones: Sequence[str]) -> Probe[bool | None]:
    """Return whether the brain answers three stones of SWAP2BOARD with a choice; None if no answer comes in
    time.
    """
    yield from start(start_command(game.width, game.height))
    question = (*infos(game.bits), "SWAP2BOARD", *stones, "DONE")
    answer = yield from move(*question, patience=OPTIONAL_PATIENCE, linger=100 * MS)
    if not answer.heard.complete:
        return None
    is_choice = answer.is_swap or len(answer.points() or ()) in (1, 2)
    return is_choice and answer.line(*REFUSALS) is None


def _try_all(known: Known) -> Probe[None]:
    """Ask a brain that plays on some square board the rest. Questions that no referee sends come last."""
    side = known.facts.sides[0]
    yield from try_commands(known, side)
    yield from try_board(known, side)
    yield from try_swap2(known, 15 if 15 in known.facts.sides else side)
    large = [side for side in known.facts.sides if side >= WIDTH]
    if large and not known.facts.board:
        yield from try_rules(known, large)
        yield from try_clock(known, large[0])
    yield from try_nonsense(known, side)


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
        dies_of=tuple(known.notes.dies_of),
        prospects=tuple((league.heading, facts.prospect(league)) for league in LEAGUES),
        unfit=unfit,
    )


_END_PATIENCE = 1000 * MS


def try_size(known: Known, width: int, height: int) -> Probe[None]:
    """Try START, and a first move on that board."""
    command, is_square = start_command(width, height), width == height
    facts, size = known.facts, (width, height)
    answer = yield from start(command, None if is_square else OPTIONAL_PATIENCE + facts.startup)
    facts.startup = max(facts.startup, answer.heard.took if answer.heard.complete else 0)
    if not known.notes.word(command, answer, optional=not is_square):
        facts.start[size] = f"{command}: {answer.refusal}"
        facts.silences += not answer.heard.complete
        return
    facts.start[size] = "" if facts.is_slow else (yield from _try_first_move(known, size))
    if not (is_square or facts.start[size]):
        facts.commands.append("RECTSTART")


def _try_first_move(known: Known, size: tuple[int, int]) -> Probe[str]:
    """Return why there is no move on the empty board, "" if there is one. Only a failure is noted."""
    trial, notes = f"BEGIN on {size[0]}x{size[1]}", known.notes
    answer = yield from move(*infos(), "BEGIN")
    known.facts.is_slow = answer.heard.took > 4 * TURN * MS
    if BrainNotes().move(trial, answer, size, ()) is not None:
        return ""
    notes.move(trial, answer, size, ())
    return f"{trial}: {notes.trials[-1].remark or answer.refusal}"


def try_commands(known: Known, side: int) -> Probe[None]:
    """Play one game with all commands that may occur in it.

    After a move that does not come in time the next command goes to a new process, because the late move
    would answer it.
    """
    notes, size = known.notes, (side, side)
    yield from start(f"START {side}")
    yield from _introduction(known, side)
    begun = notes.move("BEGIN", (yield from move(*infos(), "BEGIN")), size, ())
    if begun is None:
        return
    theirs = _free(side, [begun])
    answered = notes.move("TURN", (yield from _turn(theirs)), size, [begun, theirs])
    if answered is None or not (yield from _try_takeback(known, side, [begun, theirs, answered])):
        yield from start(f"START {side}")
    again = yield from word("RESTART")
    if notes.word("RESTART", again, optional=True):
        again = yield from move(*infos(), "BEGIN")
        if notes.move("BEGIN after RESTART", again, size, ()) is not None:
            known.facts.commands.append("RESTART")
        else:
            yield from start(f"START {side}")
    elif again.heard.ended:
        yield from start(f"START {side}")
    _note_end(known, (yield from silence("END", patience=_END_PATIENCE)))
    yield from start(f"START {side}")
    answer = yield from move("PLAY 3,3", patience=OPTIONAL_PATIENCE)
    if notes.move("PLAY 3,3", answer, size, (), optional=True) == (3, 3):
        known.facts.commands.append("PLAY")


def _introduction(known: Known, side: int) -> Probe[None]:
    """Try ABOUT and INFO. Start the brain again if it ends at one of them."""
    notes = known.notes
    about = yield from line("ABOUT")
    if about.lines and about.line(Kind.UNKNOWN, Kind.ERROR) is None:
        known.facts.about = text = about.lines[0].text
        notes.answer("ABOUT", Verdict.OK, about, "" if has_pairs(text) else 'not of the form name="..."')
    else:
        notes.answer("ABOUT", Verdict.LACKING, about, about.trouble)
    if about.heard.ended:
        yield from start(f"START {side}")
    told = yield from _try_info(known, about, "INFO", *infos())
    if told.heard.ended:
        yield from start(f"START {side}")


def _try_info(known: Known, about: Answer, trial: str, *lines: str) -> Probe[Answer]:
    """Check that the brain does not answer INFO. Some make tables meanwhile, and answer late."""
    if known.facts.about:
        answer = yield from silence_before(about, "ABOUT", *lines)
    else:
        answer = yield from silence(*lines)
    known.notes.silence(trial, answer)
    return answer


def try_nonsense(known: Known, side: int) -> Probe[None]:
    """Send commands that no referee sends, each to a new process, because one may end the brain."""
    notes = known.notes
    yield from start(f"START {side}")
    unknown = yield from line("GYOJI")
    if unknown.line(Kind.UNKNOWN) is not None:
        notes.answer("a word that is no command", Verdict.OK, unknown)
    else:
        remark = (
            unknown.trouble
            if unknown.heard.ended
            else "; ".join(filter(None, (unknown.trouble, "UNKNOWN is due")))
        )
        notes.answer("a word that is no command", Verdict.WRONG, unknown, remark)
    yield from start(f"START {side}")
    about = yield from line("ABOUT") if known.facts.about else silence()
    yield from _try_info(known, about, "INFO with an unknown key", "INFO gyoji 1")


def _try_takeback(known: Known, side: int, stones: list[Point]) -> Probe[bool]:
    """Undo a move of each side and repeat the other side's move.

    Return False if no move follows, or the brain has ended.
    """
    _, theirs, ours = stones
    answer = yield from word(f"TAKEBACK {ours[0]},{ours[1]}")
    if not known.notes.word("TAKEBACK", answer, optional=True):
        return not answer.heard.ended
    answer = yield from word(f"TAKEBACK {theirs[0]},{theirs[1]}")
    if not known.notes.word("TAKEBACK of the other side's move", answer):
        return not answer.heard.ended
    answer = yield from _turn(theirs)
    if known.notes.move("TURN after TAKEBACK", answer, (side, side), stones[:2]) is None:
        return False
    known.facts.commands.append("TAKEBACK")
    return True


def _note_end(known: Known, answer: Answer) -> None:
    if not answer.heard.ended:
        remark = f"still running after 1s: a manager kills it{answer.delay}"
        known.notes.answer("END", Verdict.WRONG, answer, remark)
    elif answer.lines:
        known.notes.answer("END", Verdict.WRONG, answer, "nothing may be said after END")
    else:
        ended = answer._replace(heard=answer.heard._replace(complete=True))
        known.notes.answer("END", Verdict.OK, ended)


def try_board(known: Known, side: int) -> Probe[None]:
    notes, size, middle = known.notes, (side, side), side // 2
    stones = [(middle, middle), (middle - 1, middle), (middle, middle - 1), (1, 1), (0, 2)]
    yield from start(f"START {side}")
    answer = yield from move(*infos(), *board(stones))
    answered = notes.move("BOARD", answer, size, stones)
    if answered is None:
        known.facts.board = f"BOARD: {answer.refusal}"
        return
    theirs = _free(side, [*stones, answered])
    notes.move("TURN after BOARD", (yield from _turn(theirs)), size, [*stones, answered, theirs])
    yield from start(f"START {side}")
    yield from silence(*infos(turn=30_000), *board(stones))
    answer = yield from silence("END", patience=_END_PATIENCE)
    if answer.heard.ended:
        notes.answer("END while it thinks", Verdict.OK, answer)
    elif answer.points():
        remark = f"stops thinking, and is still running after 1s{answer.delay}"
        notes.answer("END while it thinks", Verdict.OK, answer, remark)
    else:
        remark = f"goes on thinking: a manager kills it{answer.delay}"
        notes.answer("END while it thinks", Verdict.LACKING, answer, remark)


def _turn(point: Point) -> Probe[Answer]:
    return move(f"TURN {point[0]},{point[1]}")


def _free(side: int, taken: list[Point]) -> Point:
    middle = side // 2
    return next((x, y) for x in (middle, 1) for y in (middle - 1, 1) if (x, y) not in taken)


RULES: Mapping[int, str] = MappingProxyType(
    {0: "freestyle", 1: "standard", 4: "Renju", 8: "Caro, six wins", 9: "Caro"}
)

_THREE = ("7,7", "8,7", "9,9")
_FIVE = (*_THREE, "8,8", "8,6")


def try_swap2(known: Known, side: int) -> Probe[None]:
    """Put the three questions of swap2. A brain that does not answer the first lacks the command."""
    known.facts.swap2 = ""
    for trial, points, counts in (
        ("SWAP2BOARD, the first stones", (), (3,)),
        ("SWAP2BOARD, three stones", _THREE, (1, 2)),
        ("SWAP2BOARD, five stones", _FIVE, (1,)),
    ):
        if (yield from _ask_swap2(known, side, trial, points, counts)):
            continue
        coloured = tuple(f"{point},{place % 2 + 1}" for place, point in enumerate(points))
        if points and (yield from _ask_swap2(known, side, f"{trial} with colours", coloured, counts)):
            known.notes.deviate("SWAP2BOARD", "wants the colours of the stones (see swap2_colours)")
            continue
        known.facts.swap2 = f"{trial}: no answer" if points else "SWAP2BOARD: not supported"
        return
    known.facts.commands.append("SWAP2BOARD")


def _ask_swap2(
    known: Known, side: int, trial: str, points: tuple[str, ...], counts: tuple[int, ...]
) -> Probe[bool]:
    """Return whether a question of swap2 is answered: by the right number of free points, or by SWAP after
    stones.
    """
    lines = (*infos(1), "SWAP2BOARD", *points, "DONE")
    yield from start(f"START {side}")
    answer = yield from move(*lines, patience=OPTIONAL_PATIENCE, linger=100 * MS)
    placed = answer.points()
    if points and answer.is_swap:
        known.notes.answer(trial, Verdict.OK, answer)
        return True
    if placed is None or answer.line(Kind.ERROR) is not None:
        unknown = sum(line.kind is Kind.UNKNOWN for line in answer.lines)
        remark = f"{unknown} lines, one for each that it was sent" if unknown > 1 else answer.trouble
        known.notes.answer(trial, Verdict.LACKING, answer, remark)
        return False
    taken = {tuple(map(int, point.split(",")[:2])) for point in points}
    is_on_board = all(0 <= x < side and 0 <= y < side for x, y in placed)
    if len(placed) not in counts or not is_on_board or len({*placed} - taken) < len(placed):
        due = " or ".join(map(str, counts))
        remark = f"due: {due}, on free points{'; or SWAP' if points else ''}"
        known.notes.answer(trial, Verdict.WRONG, answer, remark)
        return False
    known.notes.answer(trial, Verdict.OK, answer)
    return True


def try_rules(known: Known, sides: list[int]) -> Probe[None]:
    games = [(league.width, league.rule) for league in LEAGUES if league.width in sides]
    default = 15 if 15 in sides else sides[0]
    games += [(default, rule) for rule in RULES if rule not in {rule for _, rule in games}]
    for side, rule in dict.fromkeys(games):
        yield from _try_rule(known, side, rule)


def _try_rule(known: Known, side: int, rule: int) -> Probe[None]:
    """Show the positions of a rule. A slow brain sees each once, and none after a failure."""
    trial = f"INFO rule {rule} ({RULES[rule]}), {side}x{side}"
    is_slow = known.facts.is_slow
    shown = traps = silent = 0
    for position in OF_RULE[rule][:: 2 if is_slow else 1]:
        answer = yield from _show(position, side, rule)
        points = answer.points()
        if not points or answer.line(Kind.ERROR) is not None:
            verdict = Verdict.WRONG if answer.trouble else Verdict.LACKING
            known.notes.answer(trial, verdict, answer, answer.trouble)
            known.facts.rules[side, rule] = f"rule {rule}: {answer.refusal}"
            return
        shown += 1
        if points[0] == position.on(side).trap:
            traps += 1
            if is_slow:
                break
        elif points[0] != position.on(side).due:
            silent += 1
    known.facts.rules[side, rule] = ""
    if traps:
        remark = f"plays by another rule in {traps} of {shown} positions"
        known.facts.rules[side, rule] = f"rule {rule}: {remark}"
        known.notes.answer(trial, Verdict.LACKING, answer, remark)
    elif silent:
        known.facts.untold.add((side, rule))
        known.notes.answer(trial, Verdict.UNCLEAR, answer, f"no sign of it in {silent} of {shown} positions")
    else:
        known.notes.answer(trial, Verdict.OK, answer)


def _show(position: Position, side: int, rule: int) -> Probe[Answer]:
    yield from start(f"START {side}")
    return (yield from move(*infos(rule), *board(position.on(side).stones)))


def try_clock(known: Known, side: int) -> Probe[None]:
    """Check whether the brain keeps to its time in a position that takes thought."""
    stones, facts = QUIET.on(side).stones, known.facts
    for trial, limit, told in (
        ("1 s a turn", 1000, infos(turn=1000)),
        ("0.3 s left of the match", 300, infos(turn=5000, match=100_000, left=300)),
        ("0 s a turn: as fast as it can", 0, infos(turn=0)),
    ):
        yield from start(f"START {side}")
        answer = yield from move(*told, *board(stones))
        moved = known.notes.move(trial, answer, (side, side), stones, limit=limit)
        took = answer.heard.took // MS
        if limit and took > limit + TOLERANCE:
            facts.slowest = max(facts.slowest, took)
        elif limit and moved is None:
            facts.doubts.append(f"it may lose when short of time ({trial}: {known.notes.trials[-1].remark})")
    if facts.slowest:
        facts.doubts.append("it does not keep to its time, and may lose by that")
