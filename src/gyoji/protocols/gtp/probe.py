"""The conformance probe of a GTP engine: grammar, boards, play, clocks, scores, handicaps, quitting.

It follows GTP 2 (Farnebäck, draft 2): the grammar, the required commands, and the responses to optional ones.
Commands that no referee sends come last. `probe_asking` sends commands, judges responses, and replaces an
engine that has ended.
"""

import re
from contextlib import suppress

from gyoji.core.faults import IllegalMove
from gyoji.core.ports import AnyRules, supports
from gyoji.core.probe import Findings, Probe, Step, Verdict
from gyoji.protocols.gtp.dialogues import read_score, size_command
from gyoji.protocols.gtp.game_rules import GtpRules, HasHandicap, HasKomi, HasName, HasOpening
from gyoji.protocols.gtp.probe_asking import CLOCKS, HANDICAPS, SCORES, EngineNotes, Gone, Interview
from gyoji.protocols.gtp.wording import SECOND, describe, short_name

SIZES = (9, 13, 19, 5, 7, 25)
"""The board sizes that are tried."""

RULES = ("kata-set-rules", "kgs-rules")
EXTRAS = (
    "gomill-describe_engine",
    "gomill-explain_last_move",
    "gomill-genmove_ex",
    "gomill-cpu_time",
    "kgs-genmove_cleanup",
)

_MUST = ("boardsize", "clear_board", "komi", "play", "genmove", "quit")
_LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
_VERTEX = re.compile(r"([A-HJ-Z])([1-9][0-9]?)")
_GENMOVE_PATIENCE = 20 * SECOND
_QUIT_PATIENCE = 2 * SECOND


def probe(rules: AnyRules | None = None) -> Probe[Findings]:
    """Test everything about an engine that `gyoji check` reports.

    Args:
        rules: The rules of a game that the engine must be able to play; None accepts Go on any board.
    """
    interview = Interview()
    notes = interview.notes
    with suppress(Gone):
        yield from _introduction(interview)
        if not notes.lacking:
            is_go = rules is None or supports(rules, HasHandicap)
            if rules is not None and not is_go:
                yield from _other_game(interview, rules)
            elif side := (yield from _boards(interview, rules)):
                moved = yield from _play(interview, side, rules.komi if supports(rules, HasKomi) else 7.5)
                yield from _time(interview, side)
                yield from _scores(interview)
                if side >= 7:
                    yield from _handicaps(interview, f"{_LETTERS[side - 3]}{side - 2}")
                yield from _nonsense(interview, side, moved)
            yield from _oddities(interview)
            yield from _good_bye(interview)
    return _findings(notes)


def _handicaps(interview: Interview, far: str) -> Probe[None]:
    """Try the commands for two handicap stones.

    Args:
        far: A vertex near the corner opposite to C3.
    """
    for command in ("fixed_handicap 2", "place_free_handicap 2", f"set_free_handicap C3 {far}"):
        yield from interview.ask("clear_board")
        reply = yield from interview.ask(command, patience=_GENMOVE_PATIENCE)
        vertices = reply.text.upper().split()
        is_right = len(vertices) == 2 and all(map(_VERTEX.fullmatch, vertices))
        flaw = "" if is_right or command.startswith("set") else "2 vertices are due"
        interview.notes.success(command, reply, flaw=flaw)


def _nonsense(interview: Interview, side: int, moved: str) -> Probe[None]:
    """Send invalid commands, which the engine has to refuse.

    Args:
        side: Points on a side of the board.
        moved: A vertex at which the engine has played; "" for none.
    """
    yield from interview.refuse("komi seven")
    yield from interview.refuse("boardsize 1000")
    yield from interview.ask(f"boardsize {side}")
    yield from interview.ask("clear_board")
    yield from interview.ask("play b C3")
    yield from interview.refuse("play b C3", trial="play on a stone")
    yield from interview.refuse(f"play b A{side + 1}", trial="play off the board")
    yield from interview.refuse("play b I3", trial="play in column I, which there is not")
    if moved:
        yield from interview.ask(f"play w {moved}")
        yield from interview.refuse(f"play b {moved}", trial=f"play on its own stone, {moved}")


def _other_game(interview: Interview, rules: AnyRules) -> Probe[None]:
    """Test an engine with a game other than Go: set it up, send one move and ask for one."""
    notes, game = interview.notes, rules
    if not supports(rules, GtpRules):
        notes.lacking.append("games of this kind have no board that GTP can tell")
        return
    size = size_command(rules)
    if supports(rules, HasName) and "set_game" in notes.commands:
        yield from interview.expect(f"set_game {rules.game_name}", needed=True)
    if (yield from interview.expect(size, needed=True)):
        notes.sizes.append(size.removeprefix("boardsize "))
    yield from interview.expect("clear_board", needed=True)
    position = game.start()
    if supports(rules, HasOpening) and rules.opening_plays:
        return  # the board is not empty, and its stones would have to be told first
    (seat,) = game.acting(position)
    move = next(iter(game.legal(position, seat)))
    yield from interview.expect(f"play {'bw'[seat]} {game.format(move)}", needed=True)
    position = game.play(position, ((seat, move),))
    (seat,) = game.acting(position)
    yield from interview.expect("time_settings 0 1 1")
    command = f"genmove {'bw'[seat]}"
    reply = yield from interview.ask(command, patience=_GENMOVE_PATIENCE)
    text, flaw = reply.text.strip(), ""
    try:
        if text.lower() != "resign":
            game.check(position, seat, game.parse(text))
    except (IllegalMove, ValueError) as error:
        flaw = str(error)
    notes.success(command, reply, needed=True, flaw=flaw)


def _introduction(interview: Interview) -> Probe[None]:
    """Ask the engine for its protocol version, its name and its commands. A wrong version makes it unfit."""
    notes = interview.notes
    reply = yield from interview.greet()
    is_other = reply.is_success and reply.text.strip() not in ("2", "2.0")
    needed = bool(reply.trouble) or is_other  # an engine that reports no version may still have the right one
    notes.success("protocol_version", reply, needed=needed, flaw="2 is due" if is_other else "")
    if notes.lacking:
        return
    reply = yield from interview.ask("name")
    notes.name = reply.text if notes.success("name", reply) else ""
    reply = yield from interview.ask("version")
    notes.version = reply.text if notes.success("version", reply) else ""
    reply = yield from interview.ask("list_commands")
    if notes.success("list_commands", reply):
        notes.commands = frozenset(reply.text.split())
        missing = [command for command in _MUST if command not in notes.commands]
        if missing:
            notes.deviate("list_commands", f"without {', '.join(missing)}")
    for command, due in (("play", "true"), ("gyoji-nonsense", "false")):
        reply = yield from interview.ask(f"known_command {command}")
        flaw = "" if reply.text == due else f"{due} is due"
        notes.success(f"known_command {command}", reply, flaw=flaw)


def _boards(interview: Interview, rules: AnyRules | None) -> Probe[int]:
    """Try board sizes. Return the size of a board to play on; 0 if there is none.

    Args:
        rules: The rules of the game that the engine has to play, None for Go on any board.
    """
    notes = interview.notes
    wanted = rules.width if supports(rules, GtpRules) and rules.width == rules.height else 0
    sizes: list[int] = []
    for side in dict.fromkeys((*filter(None, (wanted,)), *SIZES)):
        if (yield from interview.expect(f"boardsize {side}", needed=side == wanted)):
            sizes.append(side)
    notes.sizes += map(str, sorted(sizes))
    if wanted and wanted not in sizes:
        return 0
    usable = [side for side in (wanted, *sizes) if side >= 5]
    if not usable:
        notes.lacking.append("boardsize: none of those that were tried")
        return 0
    yield from interview.ask(f"boardsize {usable[0]}")
    return usable[0]


# Play


def _play(interview: Interview, side: int, komi: float) -> Probe[str]:
    """Try one move of each side. Return the vertex of the engine's move; "" if it made none.

    Args:
        side: Points on a side of the board.
        komi: The komi to set.
    """
    yield from interview.expect("clear_board", needed=True)
    yield from interview.expect(f"komi {komi:g}", needed=True)
    yield from interview.expect("play b C3", needed=True)
    yield from interview.expect("play white d4", trial="play white d4, in lower case")
    yield from interview.expect("play b pass")
    yield from interview.ask("time_settings 0 1 1")
    moved = yield from _genmove(interview, side, "genmove w", taken=("C3", "D4"))
    if moved and (yield from interview.expect("undo")):
        yield from interview.expect(f"play b {moved}", trial="play where that was")
    return moved


def _genmove(interview: Interview, side: int, command: str, taken: tuple[str, ...]) -> Probe[str]:
    """Request a move by `command` and judge it. Return its vertex; "" for a pass, a resignation or no move.

    Args:
        side: Points on a side of the board.
        taken: Vertices with stones.
    """
    notes = interview.notes
    reply = yield from interview.ask(command, patience=_GENMOVE_PATIENCE)
    text = reply.text.strip()
    flaw = _move_flaw(text, side, taken)
    is_move = notes.success(command, reply, needed=True, flaw=flaw)
    if text != text.upper() and text.lower() not in ("pass", "resign") and not flaw:
        notes.deviate(command, "a vertex in lower case")
    return text if is_move and text.lower() not in ("pass", "resign") else ""


def _move_flaw(text: str, side: int, taken: tuple[str, ...]) -> str:
    """Return why the answer to `genmove` is wrong on a nearly empty board; "" if it is valid.

    Args:
        text: The answer.
        side: Points on a side of the board.
        taken: Vertices with stones.
    """
    if text.lower() in ("pass", "resign"):
        return ""
    vertex = _VERTEX.fullmatch(text.upper())
    if vertex is None:
        return "a vertex, pass or resign is due"
    if _LETTERS.index(vertex[1]) >= side or int(vertex[2]) > side:
        return "a vertex off the board"
    return "there is a stone" if text.upper() in taken else ""


def _time(interview: Interview, side: int) -> Probe[None]:
    """Set a time limit of one second per move, and check that the engine keeps it.

    Args:
        side: Points on a side of the board.
    """
    notes = interview.notes
    yield from interview.ask("clear_board")
    told = yield from interview.expect("time_settings 0 1 1")
    yield from interview.expect("time_left b 1 1")
    moved = yield from _genmove(interview, side, "genmove b", taken=())
    took = notes.trials[-1].took
    if told and moved and took is not None and took > SECOND:
        notes.is_slow = True
        notes.deviate("genmove b", f"took {took // 10**6} ms where 1000 ms are allowed")


def _scores(interview: Interview) -> Probe[None]:
    """Request the score and the dead stones of a board with one stone."""
    yield from interview.ask("clear_board")
    yield from interview.ask("play b C3")
    reply = yield from interview.ask("final_score", patience=_GENMOVE_PATIENCE)
    read = read_score(reply.text)
    flaw = "" if read.winner is not None or read.is_level else "B+, W+ or 0 is due"
    interview.notes.success("final_score", reply, flaw=flaw)
    yield from interview.expect("final_status_list dead", patience=_GENMOVE_PATIENCE)


def _oddities(interview: Interview) -> Probe[None]:
    """Send lines of unusual form that every GTP engine must accept, such as comments and blank lines."""
    notes = interview.notes
    yield from interview.refuse("gyoji-nonsense", trial="an unknown command")
    for trial, data in (
        ("a line that ends with CR LF", "name\r\n"),
        ("a tab for a blank", "known_command\tplay\n"),
        ("blank lines first", "\n  \nname\n"),
        ("a comment first", "# a comment\nname\n"),
        ("a comment behind a command", "name # a comment\n"),
    ):
        notes.success(trial, (yield from interview.say(data)))
    reply = yield from interview.say("name\nversion\n", answers=2)
    notes.success("two commands at once", reply)


def _good_bye(interview: Interview) -> Probe[None]:
    """Check a command with an id, the response to `quit`, and that the engine exits.

    The command with an id comes after all others except `quit`, because Edax 4.6 repeats the id in all later
    output.
    """
    notes = interview.notes
    reply = yield from interview.ask("7 name")
    echoed = reply.heard.said.lstrip().startswith(b"=7")
    notes.success("7 name", reply, flaw="" if echoed else "its number, =7, is due")
    yield from interview.start_again()
    heard = yield Step(b"quit\n", _QUIT_PATIENCE)
    remark = "" if heard.said.strip().startswith(b"=") else "an answer is due before it ends"
    if not heard.ended:
        remark = "still running after 2s"
    notes.add(
        "quit",
        Verdict.WRONG if remark else Verdict.OK,
        heard._replace(complete=bool(heard.ended)),
        remark=remark,
    )


def _findings(notes: EngineNotes) -> Findings:
    can = "; ".join(notes.lacking) or "can play"
    if notes.is_slow:
        can += "; it does not keep to its time"
    scores, handicaps = notes.of(SCORES), notes.of(HANDICAPS)
    return Findings(
        name=short_name(notes.name, notes.version),
        description=describe(notes.name, notes.version, ""),
        trials=tuple(notes.trials),
        supports={
            "sizes": tuple(notes.sizes),
            "clocks": notes.of(CLOCKS),
            "rules": notes.of(RULES),
            "scores": scores,
            "handicaps": handicaps,
            "extensions": notes.of(EXTRAS),
        },
        deviations=notes.deviations,
        dies_of=tuple(notes.dies_of),
        prospects=(
            ("an even game", can),
            ("handicap", ", ".join(handicaps) or "fixed stones, by play"),
            ("rules", ", ".join(notes.of(RULES)) or "cannot be told: goes by its own settings"),
            ("scores", ", ".join(scores) or "cannot be asked: the rules have to count, or a judge"),
        ),
        unfit=tuple(notes.lacking),
    )
