"""The commands of the protocol asked one by one: the boards a brain takes, and a game with all in it."""

from gyoji.core.probe import Probe, Verdict
from gyoji.protocols.gomocup.lines import Kind, has_pairs
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
from gyoji.protocols.gomocup.probe_positions import MS, Point

_END_PATIENCE = 1000 * MS


def start_command(width: int, height: int) -> str:
    return f"START {width}" if width == height else f"RECTSTART {width},{height}"


def try_size(known: Known, width: int, height: int) -> Probe[None]:
    """START, and whether a move can be had on that board."""
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
    """Why there is no move on the empty board, "" if there is one, of which nothing is noted."""
    trial, notes = f"BEGIN on {size[0]}x{size[1]}", known.notes
    answer = yield from move(*infos(), "BEGIN")
    known.facts.is_slow = answer.heard.took > 4 * TURN * MS
    if BrainNotes().move(trial, answer, size, ()) is not None:
        return ""
    notes.move(trial, answer, size, ())
    return f"{trial}: {notes.trials[-1].remark or answer.refusal}"


def try_commands(known: Known, side: int) -> Probe[None]:
    """One game, with all that may be asked in its course.

    Where no move comes in time, what is left is asked in a new process: the move may come yet, and answers
    nothing that is asked then.
    """
    notes, size = known.notes, (side, side)
    yield from start(f"START {side}")
    yield from _introduction(known)
    begun = notes.move("BEGIN", (yield from move(*infos(), "BEGIN")), size, ())
    if begun is None:
        return
    theirs = _free(side, [begun])
    answered = notes.move("TURN", (yield from _turn(theirs)), size, [begun, theirs])
    if answered is None or not (yield from _try_takeback(known, side, [begun, theirs, answered])):
        yield from start(f"START {side}")
    if notes.word("RESTART", (yield from word("RESTART")), optional=True):
        again = yield from move(*infos(), "BEGIN")
        if notes.move("BEGIN after RESTART", again, size, ()) is not None:
            known.facts.commands.append("RESTART")
        else:
            yield from start(f"START {side}")
    _note_end(known, (yield from silence("END", patience=_END_PATIENCE)))
    yield from start(f"START {side}")
    answer = yield from move("PLAY 3,3", patience=OPTIONAL_PATIENCE)
    if notes.move("PLAY 3,3", answer, size, (), optional=True) == (3, 3):
        known.facts.commands.append("PLAY")


def _introduction(known: Known) -> Probe[None]:
    """The lines before a game."""
    notes = known.notes
    about = yield from line("ABOUT")
    if about.lines and about.line(Kind.UNKNOWN, Kind.ERROR) is None:
        known.facts.about = text = about.lines[0].text
        notes.answer("ABOUT", Verdict.OK, about, "" if has_pairs(text) else 'not of the form name="..."')
    else:
        notes.answer("ABOUT", Verdict.LACKING, about, about.trouble)
    unknown = yield from line("GYOJI")
    if unknown.line(Kind.UNKNOWN) is not None:
        notes.answer("a word that is no command", Verdict.OK, unknown)
    else:
        remark = "; ".join(filter(None, (unknown.trouble, "UNKNOWN is due")))
        notes.answer("a word that is no command", Verdict.WRONG, unknown, remark)
    yield from _try_info(known, about, "INFO", *infos())
    yield from _try_info(known, about, "INFO with an unknown key", "INFO gyoji 1")


def _try_info(known: Known, about: Answer, trial: str, *lines: str) -> Probe[None]:
    """Nothing may be said to INFO. A brain that makes its tables meanwhile says late what it says."""
    if known.facts.about:
        known.notes.silence(trial, (yield from silence_before(about, "ABOUT", *lines)))
    else:
        known.notes.silence(trial, (yield from silence(*lines)))


def _try_takeback(known: Known, side: int, stones: list[Point]) -> Probe[bool]:
    """Undo a move of each side and let the other side make its move again; False if no move comes then."""
    _, theirs, ours = stones
    answer = yield from word(f"TAKEBACK {ours[0]},{ours[1]}")
    if not known.notes.word("TAKEBACK", answer, optional=True):
        return True
    answer = yield from word(f"TAKEBACK {theirs[0]},{theirs[1]}")
    if not known.notes.word("TAKEBACK of the other side's move", answer):
        return True
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
