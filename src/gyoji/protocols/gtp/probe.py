"""The probe of a GTP engine, which asks it everything: grammar, the board, play, clocks, scores, quitting.

By GTP 2 (Farnebäck, draft 2): what the grammar asks of an engine, which commands it must know, and what the
others have to answer.
"""

import re
from typing import NamedTuple

from gyoji.core.faults import IllegalMove
from gyoji.core.ports import AnyRules, offers
from gyoji.core.probe import Findings, Heard, Notes, Probe, Step, Verdict
from gyoji.core.text import format_duration, quote
from gyoji.protocols.gtp.dialogues import (
    GtpRules,
    HasHandicap,
    HasKomi,
    HasName,
    HasOpening,
    read_score,
    size_command,
)
from gyoji.protocols.gtp.wording import SECOND, Answers, describe, read_answer, short_name

_PATIENCE = 5 * SECOND
_LINGER = SECOND // 50


class Reply(NamedTuple):
    """answers: (whether it succeeded, the text) of each; trouble: why not all came, "" if they did."""

    answers: tuple[tuple[bool, str], ...]
    trouble: str
    heard: Heard

    @property
    def is_success(self) -> bool:
        return not self.trouble and all(success for success, _ in self.answers)

    @property
    def is_failure(self) -> bool:
        return not self.trouble and not any(success for success, _ in self.answers)

    @property
    def text(self) -> str:
        """Of the first answer; of a failure, with its question mark."""
        if not self.answers:
            return self.heard.said.decode("utf-8", "replace").strip()
        success, text = self.answers[0]
        return text if success else f"? {text}".strip()


def say(data: str, *, answers: int = 1, patience: int = _PATIENCE, fresh: bool = False) -> Probe[Reply]:
    """Say exactly this, and wait for so many answers."""

    def until(said: bytes) -> bool:
        return len(Answers().feed(said)) >= answers

    # Before the first answer engines read networks and books.
    heard = yield Step(data.encode(), None if fresh else patience, until, _LINGER, fresh)
    reader = Answers()
    found = reader.feed(heard.said)
    read = [read_answer(each, is_numbered=False) for each in found]
    pairs = tuple((success, text) for success, _, text in read)
    return Reply(pairs, _trouble(heard, reader, len(found), answers), heard)


def ask(command: str, *, patience: int = _PATIENCE) -> Probe[Reply]:
    """One command and its answer."""
    return say(f"{command}\n", patience=patience)


def _trouble(heard: Heard, reader: Answers, found: int, due: int) -> str:
    if heard.ended:
        return heard.ended
    if reader.stray:
        return f"a line that begins no answer: {quote(reader.stray)}"
    if found > due:
        return f"{found} answers where {due} {'is' if due == 1 else 'are'} due"
    if heard.complete:
        return ""
    if reader.has_begun:
        return f"no empty line after {quote(reader.begun().rstrip()[-80:])}"
    missing = "no answer" if not found else f"{found} of {due} answers"
    return f"{missing} in {format_duration(heard.took // SECOND * SECOND)}"


class EngineNotes(Notes):
    """Notes of one engine.

    lacking   why it cannot be played with.
    commands  those that it lists; works: the first words of trials that went well.
    """

    def __init__(self) -> None:
        super().__init__()
        self.lacking: list[str] = []
        self.name = self.version = ""
        self.commands: frozenset[str] = frozenset()
        self.works: set[str] = set()
        self.sizes: list[str] = []
        self.is_slow = False

    def of(self, commands: tuple[str, ...]) -> tuple[str, ...]:
        """Those of the commands that it has."""
        return tuple(each for each in commands if each in self.commands or each in self.works)

    def success(self, trial: str, reply: Reply, *, needed: bool = False, flaw: str = "") -> bool:
        """Note what came where a success is hoped for; whether it came.

        needed: without it no game can be played. flaw: what is wrong with the text of a success.
        """
        flaw = flaw if reply.is_success else ""
        if reply.is_success and not flaw:
            self.add(trial, Verdict.OK, reply.heard, reply.text)
            self.works.add(trial.partition(" ")[0])
            return True
        remark = reply.trouble or flaw
        if needed:
            self.lacking.append(f"{trial}: {remark or f'answers {quote(reply.text)}'}")
        verdict = Verdict.WRONG if remark or needed else Verdict.LACKING
        self.add(trial, verdict, reply.heard, reply.text, remark or ("has to be known" if needed else ""))
        return False

    def failure(self, trial: str, reply: Reply) -> None:
        """Note what came where a failure is due."""
        due = "" if reply.is_failure else "a failure is due: an answer that begins with ?"
        wrong = reply.trouble or due
        self.add(trial, Verdict.WRONG if wrong else Verdict.OK, reply.heard, reply.text, wrong)


SIZES = (9, 13, 19, 5, 7, 25)
"""Of the boards that are tried."""

CLOCKS = ("time_settings", "kgs-time_settings", "kata-time_settings", "time_left")
RULES = ("kata-set-rules", "kgs-rules")
SCORES = ("final_score", "final_status_list")
HANDICAPS = ("fixed_handicap", "place_free_handicap", "set_free_handicap")
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
_KO = ("b C4", "w F4", "b D5", "w E5", "b D3", "w E3", "w D4", "b E4")  # w D4 is the ko
_GENMOVE_PATIENCE = 20 * SECOND
_QUIT_PATIENCE = 2 * SECOND


def probe(rules: AnyRules | None = None) -> Probe[Findings]:
    """Ask everything. rules: of a game that it has to be able to play; None: Go on some board will do."""
    notes = EngineNotes()
    yield from _introduction(notes)
    if not notes.lacking:
        yield from _grammar(notes)
        is_go = rules is None or offers(rules, HasHandicap)
        yield from _any_game(notes, rules) if rules is not None and not is_go else _stones(notes, rules)
        yield from _good_bye(notes)
    return _findings(notes)


def _stones(notes: EngineNotes, rules: AnyRules | None) -> Probe[None]:
    """Go: stones on any vertex, passes, ko, scores, handicap."""
    side = yield from _boards(notes, rules if offers(rules, GtpRules) else None)
    if side:
        yield from _play(notes, side, rules.komi if offers(rules, HasKomi) else 7.5)
        yield from _time(notes, side)
        yield from _scores(notes)
        yield from _handicaps(notes, side)


def _any_game(notes: EngineNotes, rules: AnyRules) -> Probe[None]:
    """A game of which no more is known than its rules: one move is told, and one asked for."""
    name = rules.game_name if offers(rules, HasName) else ""
    plays = rules.opening_plays if offers(rules, HasOpening) else ()
    size = size_command(rules) if offers(rules, GtpRules) else ""
    if not size:
        notes.lacking.append("games of this kind have no board that GTP can tell")
        return
    if name and "set_game" in notes.commands:
        notes.success(f"set_game {name}", (yield from ask(f"set_game {name}")), needed=True)
    if notes.success(size, (yield from ask(size)), needed=True):
        notes.sizes.append(size.removeprefix("boardsize "))
    notes.success("clear_board", (yield from ask("clear_board")), needed=True)
    for seat, move in plays:
        yield from ask(f"play {'bw'[seat]} {rules.format(move)}")
    position = rules.start()
    (seat,) = rules.acting(position)
    move = next(iter(rules.legal(position, seat)))
    command = f"play {'bw'[seat]} {rules.format(move)}"
    notes.success(command, (yield from ask(command)), needed=True)
    position = rules.play(position, ((seat, move),))
    (seat,) = rules.acting(position)
    notes.success("time_settings 0 1 1", (yield from ask("time_settings 0 1 1")))
    command = f"genmove {'bw'[seat]}"
    reply = yield from ask(command, patience=_GENMOVE_PATIENCE)
    notes.success(command, reply, needed=True, flaw=_flaw(rules, position, seat, reply.text))


def _flaw(rules: AnyRules, position: object, seat: int, text: str) -> str:
    """Why a move is wrong by the rules, "" if it is not."""
    if text.strip().lower() == "resign":
        return ""
    try:
        rules.check(position, seat, rules.parse(text.strip()))
    except (IllegalMove, ValueError) as error:
        return str(error)
    return ""


def _introduction(notes: EngineNotes) -> Probe[None]:
    reply = yield from say("protocol_version\n", fresh=True)
    flaw = "" if reply.text.strip() in ("2", "2.0") else "2 is due"
    notes.success("protocol_version", reply, needed=bool(reply.trouble), flaw=flaw)
    if notes.lacking:
        return
    reply = yield from ask("name")
    notes.name = reply.text if notes.success("name", reply) else ""
    reply = yield from ask("version")
    notes.version = reply.text if notes.success("version", reply) else ""
    reply = yield from ask("list_commands")
    if notes.success("list_commands", reply):
        notes.commands = frozenset(reply.text.split())
        missing = [command for command in _MUST if command not in notes.commands]
        if missing:
            notes.deviate("list_commands", f"without {', '.join(missing)}")
    for command, due in (("play", "true"), ("gyoji-nonsense", "false")):
        reply = yield from ask(f"known_command {command}")
        flaw = "" if reply.text == due else f"{due} is due"
        notes.success(f"known_command {command}", reply, flaw=flaw)


def _grammar(notes: EngineNotes) -> Probe[None]:
    """Oddities of lines that every GTP engine copes with. `name` is the command, its answer is notes."""
    notes.failure("an unknown command", (yield from ask("gyoji-nonsense")))
    for trial, data in (
        ("a line that ends with CR LF", "name\r\n"),
        ("a tab for a blank", "known_command\tplay\n"),
        ("blank lines first", "\n  \nname\n"),
        ("a comment first", "# a comment\nname\n"),
        ("a comment behind a command", "name # a comment\n"),
    ):
        notes.success(trial, (yield from say(data)))
    reply = yield from say("name\nversion\n", answers=2)
    notes.success("two commands at once", reply)


def _boards(notes: EngineNotes, rules: GtpRules | None) -> Probe[int]:
    """The side of a board to play on, 0 if there is none."""
    wanted = 0 if rules is None or rules.width != rules.height else rules.width
    sizes: list[int] = []
    for side in dict.fromkeys((*filter(None, (wanted,)), *SIZES)):
        reply = yield from ask(f"boardsize {side}")
        if notes.success(f"boardsize {side}", reply, needed=side == wanted):
            sizes.append(side)
    notes.failure("boardsize 1000", (yield from ask("boardsize 1000")))
    notes.sizes += map(str, sorted(sizes))
    if wanted and wanted not in sizes:
        return 0
    usable = [side for side in (wanted, *sizes) if side >= 5]
    if not usable:
        notes.lacking.append("boardsize: none of those that were tried")
        return 0
    yield from ask(f"boardsize {usable[0]}")
    return usable[0]


# Play


def _play(notes: EngineNotes, side: int, komi: float) -> Probe[None]:
    notes.success("clear_board", (yield from ask("clear_board")), needed=True)
    notes.success(f"komi {komi:g}", (yield from ask(f"komi {komi:g}")), needed=True)
    notes.failure("komi seven", (yield from ask("komi seven")))
    notes.success("play b C3", (yield from ask("play b C3")), needed=True)
    notes.success("play white d4, in lower case", (yield from ask("play white d4")))
    notes.success("play b pass", (yield from ask("play b pass")))
    for trial, vertex in (
        ("play on a stone", "C3"),
        ("play off the board", f"A{side + 1}"),
        ("play in column I, which there is not", "I3"),
    ):
        notes.failure(trial, (yield from ask(f"play b {vertex}")))
    yield from ask("time_settings 0 1 1")
    moved = yield from _genmove(notes, side, "genmove w", taken=("C3", "D4"))
    if moved:
        trial = f"play on its own stone, {moved}"
        notes.failure(trial, (yield from ask(f"play b {moved}")))
        if notes.success("undo", (yield from ask("undo"))):
            notes.success("play where that was", (yield from ask(f"play b {moved}")))
    yield from ask("clear_board")
    for move in _KO:
        yield from ask(f"play {move}")
    reply = yield from ask("play w D4")
    if reply.is_success:
        remark = "does not look after the ko itself"
        notes.add("play that takes back a ko", Verdict.LACKING, reply.heard, reply.text, remark)
    else:
        notes.failure("play that takes back a ko", reply)


def _genmove(notes: EngineNotes, side: int, command: str, taken: tuple[str, ...]) -> Probe[str]:
    """The vertex it moved to, "" for none."""
    reply = yield from ask(command, patience=_GENMOVE_PATIENCE)
    text = reply.text.strip()
    flaw = _move_flaw(text, side, taken)
    is_move = notes.success(command, reply, needed=True, flaw=flaw)
    if text != text.upper() and text.lower() not in ("pass", "resign") and not flaw:
        notes.deviate(command, "a vertex in lower case")
    return text if is_move and text.lower() not in ("pass", "resign") else ""


def _move_flaw(text: str, side: int, taken: tuple[str, ...]) -> str:
    """Why a move on a nearly empty board is wrong, "" if it is not."""
    if text.lower() in ("pass", "resign"):
        return ""
    vertex = _VERTEX.fullmatch(text.upper())
    if vertex is None:
        return "a vertex, pass or resign is due"
    if _LETTERS.index(vertex[1]) >= side or int(vertex[2]) > side:
        return "a vertex off the board"
    return "there is a stone" if text.upper() in taken else ""


def _time(notes: EngineNotes, side: int) -> Probe[None]:
    """Byo-yomi of a second for each move, told and kept to."""
    yield from ask("clear_board")
    told = notes.success("time_settings 0 1 1", (yield from ask("time_settings 0 1 1")))
    notes.success("time_left b 1 1", (yield from ask("time_left b 1 1")))
    moved = yield from _genmove(notes, side, "genmove b", taken=())
    took = notes.trials[-1].took
    if told and moved and took is not None and took > SECOND:
        notes.is_slow = True
        notes.deviate("genmove b", f"took {took // 10**6} ms where 1000 ms are allowed")


def _scores(notes: EngineNotes) -> Probe[None]:
    yield from ask("clear_board")
    yield from ask("play b C3")
    reply = yield from ask("final_score", patience=_GENMOVE_PATIENCE)
    read = read_score(reply.text)
    flaw = "" if read.winner is not None or read.is_level else "B+, W+ or 0 is due"
    notes.success("final_score", reply, flaw=flaw)
    reply = yield from ask("final_status_list dead", patience=_GENMOVE_PATIENCE)
    notes.success("final_status_list dead", reply)


def _handicaps(notes: EngineNotes, side: int) -> Probe[None]:
    far = f"{_LETTERS[side - 3]}{side - 2}"
    for command, arguments, stones in (
        ("fixed_handicap", "2", 2),
        ("place_free_handicap", "2", 2),
        ("set_free_handicap", f"C3 {far}", 0),
    ):
        if side < 7:
            return
        yield from ask("clear_board")
        reply = yield from ask(f"{command} {arguments}", patience=_GENMOVE_PATIENCE)
        vertices = reply.text.upper().split()
        right = not stones or (len(vertices) == stones and all(map(_VERTEX.fullmatch, vertices)))
        notes.success(f"{command} {arguments}", reply, flaw="" if right else "2 vertices are due")


def _good_bye(notes: EngineNotes) -> Probe[None]:
    """A number is echoed, quit is answered, and then the engine ends.

    The number comes last, for Edax 4.6 puts it before all that it says from then on.
    """
    reply = yield from ask("7 name")
    echoed = reply.heard.said.lstrip().startswith(b"=7")
    notes.success("7 name", reply, flaw="" if echoed else "its number, =7, is due")
    heard = yield Step(b"quit\n", _QUIT_PATIENCE)
    answered = heard.said.strip().startswith(b"=")
    remark = "" if answered else "an answer is due before it ends"
    if not heard.ended:
        remark = "still running after 2s"
    verdict = Verdict.WRONG if remark else Verdict.OK
    notes.add("quit", verdict, heard._replace(complete=bool(heard.ended)), remark=remark)


def _findings(notes: EngineNotes) -> Findings:
    can = "; ".join(notes.lacking) or "can play"
    slow = "; it does not keep to its time" if notes.is_slow else ""
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
        prospects=(
            ("an even game", f"{can}{slow}"),
            ("handicap", ", ".join(handicaps) or "cannot be given any"),
            ("rules", ", ".join(notes.of(RULES)) or "cannot be told: goes by its own settings"),
            ("scores", ", ".join(scores) or "cannot be asked: the rules have to count, or a judge"),
        ),
        unfit=tuple(notes.lacking),
    )
