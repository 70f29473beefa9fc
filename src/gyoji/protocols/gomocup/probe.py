"""The conformance probe of a brain: board sizes, commands, swap2, rules, the clock.

The probe consists of generators, which send commands and record the answers. Most of them start a new
process, so that a late answer is not taken for the answer to a later command. `probe_asking` sends commands,
judges answers, and derives from them in which of Gomocup's leagues the brain can play.

The probe judges the protocol, not the play: a brain that ignores INFO rule will lose games because of that.
"""

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

from gyoji.core.messages import Move
from gyoji.core.probe import Findings, Probe, Verdict
from gyoji.protocols.gomocup.commands import start_command
from gyoji.protocols.gomocup.lines import Kind, has_pairs, introduce
from gyoji.protocols.gomocup.probe_asking import (
    LEAGUES,
    MS,
    OPTIONAL_PATIENCE,
    TOLERANCE,
    TURN,
    Answer,
    BrainNotes,
    League,
    Point,
    board,
    infos,
    line,
    move,
    silence,
    silence_before,
    start,
    word,
)

SIDES = (20, 15, 5, 8, 10, 19, 30)
"""The sizes of square boards that are tried, those of Gomocup's leagues first."""

RULES: Mapping[int, str] = MappingProxyType(
    {0: "freestyle", 1: "standard", 4: "Renju", 8: "Caro, six wins", 9: "Caro"}
)
"""Names of the rules by their value in INFO rule."""

QUIET = ((6, 4), (9, 2), (7, 4), (7, 3), (7, 5), (8, 4), (5, 7), (6, 5))
"""The stones of a position without a quick win, in which a brain uses its whole time limit."""

QUIET_SIDE = 10
"""The smallest board that `QUIET` fits on."""

_END_PATIENCE = 1000 * MS
_THREE = ("7,7", "8,7", "9,9")
_FIVE = (*_THREE, "8,8", "8,6")


class Game(Protocol):
    """The members of a game's rules that the probe uses.

    Attributes:
        bits: The number of the game's rule in the command INFO rule.
        swap2: Whether a game begins with SWAP2BOARD.
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
    """Test everything about a brain that `gyoji check` reports.

    Args:
        game: The game that the brain must be able to play; None accepts any league of Gomocup.
    """
    notes = BrainNotes()
    facts = notes.facts
    wanted = () if game is None else ((game.width, game.height),)
    for width, height in dict.fromkeys((*((side, side) for side in SIDES), *wanted, (20, 15))):
        yield from _try_size(notes, width, height)
        if facts.silences > 1 and not facts.sides:
            break
    if sides := facts.sides:
        yield from _try_commands(notes, sides[0])
        yield from _try_board(notes, sides[0])
        yield from _try_swap2(notes, 15 if 15 in sides else sides[0])
        large = [side for side in sides if side >= QUIET_SIDE]
        if large and not facts.board:
            # which rules the brain plays by
            side = 15 if 15 in large else large[0]
            for rule, name in RULES.items():
                yield from start(f"START {side}")
                answer = yield from move(*infos(rule), *board(QUIET))
                moved = notes.move(f"INFO rule {rule} ({name})", answer, (side, side), QUIET, optional=True)
                notes.facts.rules[rule] = f"rule {rule}: {answer.refusal}" if moved is None else ""
            yield from _try_clock(notes, large[0])
        # Comes last, because no referee sends it and it may end the brain.
        yield from start(f"START {sides[0]}")
        answer = yield from line("GYOJI")
        is_due = answer.line(Kind.UNKNOWN) is not None
        remark = answer.heard.ended or "; ".join(filter(None, (answer.trouble, "UNKNOWN is due")))
        verdict, remark = (Verdict.OK, "") if is_due else (Verdict.WRONG, remark)
        notes.answer("a word that is no command", verdict, answer, remark)
    return _findings(notes, game)


def trial(game: Game) -> Probe[Findings]:
    """Check before a competition whether a brain makes a first move with the board and rule of `game`.

    Some brains refuse a rule or board only when asked for a move. A brain that does not answer passes: it may
    be slow, and the clock of its games will decide.
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
    """Return the settings that a player with this brain needs so that SWAP2BOARD is understood: {}, or
    `swap2_colours`.

    Rapfi 0.43 answers ERROR to each stone without a colour, and then answers as if there were no stones.
    """
    middle_x, middle_y = game.width // 2, game.height // 2
    points = [f"{middle_x + each},{middle_y + each // 2}" for each in range(3)]
    if (yield from _understands(game, points)) is not False:
        return {}
    return {"swap2_colours": True} if (yield from _understands(game, _coloured(points))) else {}


def _understands(game: Game, stones: Sequence[str]) -> Probe[bool | None]:
    """Return whether the brain answers SWAP2BOARD with three stones by SWAP, or by one or two points.

    Return None if no answer comes in time.
    """
    answer = yield from _put_swap2(start_command(game.width, game.height), game.bits, stones)
    if not answer.heard.complete:
        return None
    return (answer.is_swap or len(answer.points() or ()) in (1, 2)) and not answer.is_refused


def _coloured(points: Sequence[str]) -> tuple[str, ...]:
    """Add the colour to each stone of SWAP2BOARD: ",1" and ",2" in turn, Black first."""
    return tuple(f"{point},{place % 2 + 1}" for place, point in enumerate(points))


def _put_swap2(start_line: str, rule: int, stones: Sequence[str]) -> Probe[Answer]:
    """Start a new process, send it SWAP2BOARD, and return its answer.

    Args:
        start_line: START or RECTSTART.
        rule: The number in INFO rule.
        stones: The lines between SWAP2BOARD and DONE.
    """
    yield from start(start_line)
    question = (*infos(rule), "SWAP2BOARD", *stones, "DONE")
    return (yield from move(*question, patience=OPTIONAL_PATIENCE, linger=100 * MS))


def _findings(notes: BrainNotes, game: Game | None) -> Findings:
    """Summarize the notes: whether the brain can play `game` or, if that is None, any Gomocup league."""
    facts = notes.facts
    name, description = introduce(facts.about)
    unfit: tuple[str, ...] = ()
    if game is not None:
        # The game decides whether the brain must know swap2: it may have an opening for brains that do not.
        unfit = tuple(facts.hindrances(League("this game", game.width, game.height, game.bits)))
    elif all(facts.hindrances(league) for league in LEAGUES):
        unfit = ("cannot play in any league of Gomocup",)
    return Findings(
        name=name,
        description=description,
        trials=tuple(notes.trials),
        supports={
            "sizes": tuple(str(side) for side in sorted(facts.sides)),
            "rules": tuple(str(rule) for rule, reason in facts.rules.items() if not reason),
            "commands": tuple(facts.commands),
        },
        deviations=notes.deviations,
        dies_of=tuple(notes.dies_of),
        prospects=tuple((league.heading, facts.prospect(league)) for league in LEAGUES),
        unfit=unfit,
    )


def _try_size(notes: BrainNotes, width: int, height: int) -> Probe[None]:
    """Try START with a board size, and a first move on that board. A move is recorded only if it fails."""
    command, is_square = start_command(width, height), width == height
    facts, size = notes.facts, (width, height)
    answer = yield from start(command, None if is_square else OPTIONAL_PATIENCE + facts.startup)
    facts.startup = max(facts.startup, answer.heard.took if answer.heard.complete else 0)
    if not notes.word(command, answer, optional=not is_square):
        facts.start[size] = f"{command}: {answer.refusal}"
        facts.silences += not answer.heard.complete
        return
    facts.start[size] = ""
    if not facts.is_slow:
        answer = yield from move(*infos(), "BEGIN")
        facts.is_slow = answer.heard.took > 4 * TURN * MS
        trial = f"BEGIN on {width}x{height}"
        if BrainNotes().move(trial, answer, size, ()) is None:
            notes.move(trial, answer, size, ())
            facts.start[size] = f"{trial}: {notes.trials[-1].remark or answer.refusal}"
            return
    if not is_square:
        facts.commands.append("RECTSTART")


def _try_commands(notes: BrainNotes, side: int) -> Probe[None]:
    """Try the commands that may occur in a game, each group of them in a new process.

    Args:
        side: Points on a side of the board.
    """
    size, commands = (side, side), notes.facts.commands
    yield from _introduction(notes, side)
    yield from start(f"START {side}")
    begun = notes.move("BEGIN", (yield from move(*infos(), "BEGIN")), size, ())
    if begun is None:
        return
    theirs = _free(side, [begun])
    answered = notes.move("TURN", (yield from _turn(theirs)), size, [begun, theirs])
    if answered is not None:
        yield from _try_takeback(notes, side, [begun, theirs, answered])
    yield from start(f"START {side}")
    if notes.word("RESTART", (yield from word("RESTART")), optional=True):
        again = yield from move(*infos(), "BEGIN")
        if notes.move("BEGIN after RESTART", again, size, ()) is not None:
            commands.append("RESTART")
    yield from start(f"START {side}")
    answer = yield from silence("END", patience=_END_PATIENCE)
    remark = "nothing may be said after END" if answer.lines else ""
    if not answer.heard.ended:
        remark = f"still running after 1s: a manager kills it{answer.delay}"
    elif not remark:
        answer = answer._replace(heard=answer.heard._replace(complete=True))
    notes.answer("END", Verdict.WRONG if remark else Verdict.OK, answer, remark)
    yield from start(f"START {side}")
    answer = yield from move("PLAY 3,3", patience=OPTIONAL_PATIENCE)
    if notes.move("PLAY 3,3", answer, size, (), optional=True) == (3, 3):
        commands.append("PLAY")


def _introduction(notes: BrainNotes, side: int) -> Probe[None]:
    """Try ABOUT, and INFO, which has no answer.

    Args:
        side: Points on a side of the board.
    """
    yield from start(f"START {side}")
    about = yield from line("ABOUT")
    if about.lines and about.line(Kind.UNKNOWN, Kind.ERROR) is None:
        notes.facts.about = text = about.lines[0].text
        notes.answer("ABOUT", Verdict.OK, about, "" if has_pairs(text) else 'not of the form name="..."')
    else:
        notes.answer("ABOUT", Verdict.LACKING, about, about.trouble)
    if about.heard.ended:
        yield from start(f"START {side}")
    # Some brains compute tables at INFO, and answer it late.
    is_known = bool(notes.facts.about)
    notes.silence(
        "INFO", (yield from silence_before(about, "ABOUT", *infos()) if is_known else silence(*infos()))
    )


def _try_takeback(notes: BrainNotes, side: int, stones: list[Point]) -> Probe[None]:
    """Take back the last move of each side by TAKEBACK, then play the opponent's move again.

    Args:
        side: Points on a side of the board.
        stones: The moves so far: the brain's, the opponent's, and the brain's last one.
    """
    _, theirs, ours = stones
    for trial, (x, y) in (("TAKEBACK", ours), ("TAKEBACK of the other side's move", theirs)):
        answer = yield from word(f"TAKEBACK {x},{y}")
        if not notes.word(trial, answer, optional=trial == "TAKEBACK"):
            return
    answer = yield from _turn(theirs)
    if notes.move("TURN after TAKEBACK", answer, (side, side), stones[:2]) is not None:
        notes.facts.commands.append("TAKEBACK")


def _try_board(notes: BrainNotes, side: int) -> Probe[None]:
    """Try BOARD on a board with `side` points on a side, and TURN after it."""
    size, middle = (side, side), side // 2
    stones = [(middle, middle), (middle - 1, middle), (middle, middle - 1), (1, 1), (0, 2)]
    yield from start(f"START {side}")
    answer = yield from move(*infos(), *board(stones))
    answered = notes.move("BOARD", answer, size, stones)
    if answered is None:
        notes.facts.board = f"BOARD: {answer.refusal}"
        return
    theirs = _free(side, [*stones, answered])
    notes.move("TURN after BOARD", (yield from _turn(theirs)), size, [*stones, answered, theirs])


def _turn(point: Point) -> Probe[Answer]:
    return move(f"TURN {point[0]},{point[1]}")


def _free(side: int, taken: list[Point]) -> Point:
    """Return a free point near the middle or a corner of a board with `side` points on a side."""
    middle = side // 2
    return next((x, y) for x in (middle, 1) for y in (middle - 1, 1) if (x, y) not in taken)


def _try_swap2(notes: BrainNotes, side: int) -> Probe[None]:
    """Request the three choices of swap2. If a request fails that has stones without colours, repeat it with
    colours.

    A brain that fails the first choice does not support swap2.

    Args:
        side: Points on a side of the board.
    """
    facts = notes.facts
    facts.swap2 = ""
    for trial, points, counts in (
        ("SWAP2BOARD, the first stones", (), (3,)),
        ("SWAP2BOARD, three stones", _THREE, (1, 2)),
        ("SWAP2BOARD, five stones", _FIVE, (1,)),
    ):
        if (yield from _ask_swap2(notes, side, trial, points, counts)):
            continue
        named = f"{trial} with colours"
        if points and (yield from _ask_swap2(notes, side, named, _coloured(points), counts)):
            notes.deviate("SWAP2BOARD", "wants the colours of the stones (see swap2_colours)")
            continue
        facts.swap2 = f"{trial}: no answer" if points else "SWAP2BOARD: not supported"
        return
    facts.commands.append("SWAP2BOARD")


def _ask_swap2(
    notes: BrainNotes, side: int, trial: str, points: tuple[str, ...], counts: tuple[int, ...]
) -> Probe[bool]:
    """Ask for one choice of the swap2 opening and record the answer. Return whether it is valid.

    Valid answers are free points, or SWAP if there are stones.

    Args:
        side: Points on a side of the board.
        trial: Name of the trial in the notes.
        points: The stones on the board, as lines of SWAP2BOARD.
        counts: The valid numbers of points.
    """
    answer = yield from _put_swap2(f"START {side}", 1, points)
    placed = answer.points()
    if points and answer.is_swap:
        notes.answer(trial, Verdict.OK, answer)
        return True
    if placed is None or answer.line(Kind.ERROR) is not None:
        unknown = sum(line.kind is Kind.UNKNOWN for line in answer.lines)
        remark = f"{unknown} lines, one for each that it was sent" if unknown > 1 else answer.trouble
        notes.answer(trial, Verdict.LACKING, answer, remark)
        return False
    taken = {tuple(map(int, point.split(",")[:2])) for point in points}
    is_on_board = all(0 <= x < side and 0 <= y < side for x, y in placed)
    is_right = len(placed) in counts and is_on_board and len({*placed} - taken) == len(placed)
    due = f"due: {' or '.join(map(str, counts))}, on free points{'; or SWAP' if points else ''}"
    notes.answer(trial, Verdict.OK if is_right else Verdict.WRONG, answer, "" if is_right else due)
    return is_right


def _try_clock(notes: BrainNotes, side: int) -> Probe[None]:
    """Check whether the brain keeps to three time limits in a position that takes thought.

    Args:
        side: Points on a side of the board.
    """
    facts = notes.facts
    for trial, limit, lines in (
        ("1 s a turn", 1000, infos(turn=1000)),
        ("0.3 s left of the match", 300, infos(turn=5000, match=100_000, left=300)),
        ("0 s a turn: as fast as it can", 0, infos(turn=0)),
    ):
        yield from start(f"START {side}")
        answer = yield from move(*lines, *board(QUIET))
        moved = notes.move(trial, answer, (side, side), QUIET, limit=limit)
        took = answer.heard.took // MS
        if limit and took > limit + TOLERANCE:
            facts.slowest = max(facts.slowest, took)
        elif limit and moved is None:
            facts.doubts.append(f"it may lose when short of time ({trial}: {notes.trials[-1].remark})")
    if facts.slowest:
        facts.doubts.append("it does not keep to its time, and may lose by that")
