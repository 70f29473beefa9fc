"""The output of fastchess: a run listener that prints a run in fastchess's words and writes its files."""

import sys
from collections.abc import Callable, Mapping, Sequence
from os.path import basename
from pathlib import Path

from gyoji.cli.exits import complain
from gyoji.core.record import GameRecord, GameResult, VoidGame
from gyoji.core.spec import GameSpec
from gyoji.fastchess.files import GameFiles
from gyoji.fastchess.llr import fastchess_llr
from gyoji.fastchess.log import Log
from gyoji.fastchess.statistics import (
    Meeting,
    cutechess_lines,
    ranking_lines,
    result_lines,
    test_line,
)
from gyoji.fastchess.warnings import warning_lines
from gyoji.fastchess.wishes import Engine, Wishes
from gyoji.games.chess.pgn import reason_text, result_text
from gyoji.play.order import Order
from gyoji.scheduler.events import Listener
from gyoji.stats.sprt import Decision, Model, Sprt

FRAME = "-" * 50


class StrictEnd(Exception):
    """The end of a match by `-strict`."""


class Output(Listener):
    """Prints a run as fastchess does. Results of earlier runs must first be added by `add`."""

    def __init__(
        self, wishes: Wishes, record: Callable[[str], tuple[GameSpec, GameRecord]], talks: Path = Path()
    ) -> None:
        """Create the output of a run.

        Args:
            record: Returns the stored game with an id.
            talks: The folder of the transcripts of games.

        Raises:
            OSError: The file of `-log` cannot be written.
        """
        self._wishes, self._record, self._talks = wishes, record, talks
        self._log = None if not (wishes.log or {}).get("file") else Log(wishes.log or {})
        self._engines = {engine.name: engine for engine in wishes.engines}
        self._order = {name: index for index, name in enumerate(self._engines)}
        self._meetings: dict[tuple[str, str], Meeting] = {}
        self._halves: dict[int, float] = {}  # points of the first engine in the pair's other game
        self._pairs: dict[tuple[str, int], int] = {}  # (pairing, pair of it) -> number of the pair
        self._done = 0
        self._total = self.count_games()
        self._faults: dict[str, list[int]] = {}  # timeouts and crashes
        self.files = GameFiles(wishes)
        self.test = None if wishes.sprt is None else _test(wishes.sprt)

    @property
    def logs_engines(self) -> bool:
        """Whether the log has what engines are sent and answer."""
        return self._log is not None and self._log.has_engines

    def count_games(self) -> int:
        """Return the number of games in the whole match."""
        count = len(self._wishes.engines)
        pairings = count * (count - 1) // 2
        if self._wishes.gauntlet:
            pairings = sum(count - 1 - index for index in range(min(self._wishes.seeds, count)))
        return pairings * (self._wishes.rounds or 0) * self._wishes.games

    def add(self, result: GameResult) -> None:
        """Add the result of a game from an earlier run."""
        self._count(result)

    def started(self, order: Order) -> None:
        spec = order.spec
        number = self._number(spec.pairing, spec.id)
        white, black = spec.codes
        self.say(f"Started game {number} of {self._total} ({white} vs {black})")

    def finished(self, result: GameResult) -> None:
        wishes, (white, black) = self._wishes, result.players
        number = self._number(result.pairing, result.id)
        spec, record = self._record(result.id)
        if self._log is not None and self.logs_engines:
            self._log.conversation(self._talks / f"{result.id}.log", result.started, number)
        warnings = list(warning_lines(spec, record, mates=wishes.check_mate_pvs, one_line=wishes.test_env))
        self.say(*warnings)
        self.say(*self.files.write(spec, record, (number - 1) // wishes.games))
        reason = reason_text(result.outcome)
        self.say(f"Finished game {number} ({white} vs {black}): {result_text(result.outcome)} {{{reason}}}")
        is_fault = "loses on time" in reason or "disconnects" in reason or "stalls" in reason
        if is_fault:
            loser = white if reason.startswith("White") else black
            self._faults.setdefault(loser, [0, 0])["time" not in reason] += 1
        is_complete = self._count(result)
        is_last = self._done == self._total
        first, second = sorted((white, black), key=self._order.__getitem__)
        interval = wishes.score_interval
        if wishes.cutechess and (is_last or (interval and self._done % interval == 0)):
            self.say(cutechess_lines(first, second, self._meeting(first, second))[0])
        index = (number + 1) // 2 if wishes.penta else self._done
        interval = wishes.rating_interval
        if is_last or (is_complete and interval and index % interval == 0):
            self.block(first, second)
        if wishes.strict and (is_fault or warnings):
            raise StrictEnd

    def voided(self, void: VoidGame, attempt: int) -> None:
        complain(f"game {void.id} has no result and is played again: {void.reason}")

    def warning(self, text: str) -> None:
        complain(text)

    def block(self, first: str, second: str) -> None:
        """Print the results of two engines, or of all engines if there are more."""
        lines = self._block(first, second)
        if self.test is not None:
            lines.append(self._test_line(self.test, self._meeting(first, second)))
        self.say(*lines if self._wishes.cutechess else (FRAME, *lines, FRAME))

    def decided(self) -> str:
        """Return the line about the end of the sequential test; "" without a test, or while undecided."""
        if self.test is None:
            return ""
        meeting = self._meeting(*self._engines)
        llr = self.test.llr(meeting.scores(penta=self._wishes.penta))
        decision = self.test.decision(llr)
        if decision is Decision.CONTINUE:
            return ""
        kept = "H0" if decision is Decision.H0 else "H1"
        return f"SPRT ([{self.test.elo0:.2f}, {self.test.elo1:.2f}]) completed - {kept} was accepted"

    def fault_lines(self) -> Sequence[str]:
        """Return the table of engines that lost on time, crashed or stalled, in lines."""
        if not self._faults:
            return ()
        lines = [""]
        for name, (late, crashed) in self._faults.items():
            lines += [f"Player: {name}", f"  Timeouts: {late}", f"  Crashed: {crashed}"]
        return [*lines, ""]

    def say(self, *lines: str) -> None:
        """Print lines, and add them to the log."""
        # Flushed at once, because programs such as OpenBench's client read line by line.
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()
        if self._log is not None and lines:
            self._log.printed(lines)

    def _number(self, pairing: str, game: str) -> int:
        """Return the number of a game in the match, from 1.

        The first game of a pair has an odd number, and the second one the next number.

        Args:
            pairing: Pairing id of the game.
            game: Id of the game.
        """
        number = int(game.rpartition("_")[2])
        size = self._wishes.games
        if len(self._engines) == 2:
            return number + 1
        pair = self._pairs.setdefault((pairing, number // size), len(self._pairs))
        return pair * size + number % size + 1

    def _meeting(self, first: str, second: str) -> Meeting:
        return self._meetings.setdefault((first, second), Meeting())

    def _count(self, result: GameResult) -> bool:
        """Count a result. Return whether the statistics have changed.

        A game without points does not change them. If results are counted by pairs of games, the first
        finished game of a pair does not change them either.
        """
        self._done += 1
        if result.outcome.points is None:
            return False
        white, black = result.players
        first, second = sorted((white, black), key=self._order.__getitem__)
        winner = result.outcome.winner
        points = 0.5 if winner is None else float(result.players[winner] == first)
        observed = [points]
        if self._wishes.penta:
            pair = (self._number(result.pairing, result.id) - 1) // 2
            if pair not in self._halves:
                self._halves[pair] = points
                return False
            observed.append(self._halves.pop(pair))
        self._meeting(first, second).add(observed, pair=self._wishes.penta)
        return True

    def _block(self, first: str, second: str) -> list[str]:
        penta = self._wishes.penta
        if len(self._engines) > 2:
            return ranking_lines([(name, self._all_of(name)) for name in self._engines], penta=penta)
        meeting = self._meeting(first, second)
        if self._wishes.cutechess:
            return [cutechess_lines(first, second, meeting)[1]]
        return result_lines(self._heading(first, second), meeting, penta=penta)

    def _heading(self, first: str, second: str) -> str:
        engines = [self._engines[first], self._engines[second]]
        told = [
            _both([_limit(engine) for engine in engines]),
            _both([_option(engine, "threads", "t") for engine in engines]),
            _both([_option(engine, "hash", "MB") for engine in engines]),
        ]
        if book := basename(self._wishes.openings.get("file", "")):
            told.append(book)
        return f"Results of {first} vs {second} ({', '.join(told)}):"

    def _all_of(self, name: str) -> Meeting:
        """Return the sum of an engine's results against all opponents."""
        total = Meeting()
        for (first, second), meeting in self._meetings.items():
            if name in (first, second):
                step = 1 if name == first else -1
                total.wdl = [a + b for a, b in zip(total.wdl, meeting.wdl[::step], strict=True)]
                total.penta = [a + b for a, b in zip(total.penta, meeting.penta[::step], strict=True)]
                total.split += meeting.split
        return total

    def _test_line(self, test: Sprt, meeting: Meeting) -> str:
        scores = meeting.scores(penta=self._wishes.penta)
        if not self._wishes.cutechess:
            return test_line(test, scores)
        llr = fastchess_llr(test, scores)
        share = llr / (test.lower if llr < 0 else test.upper)
        kept = {Decision.H0: " - H0 was accepted", Decision.H1: " - H1 was accepted"}
        return (
            f"SPRT: llr {llr:.2f} ({100 * share:.1f}%), lbound {test.lower:.2f}, ubound {test.upper:.2f}"
            f"{kept.get(test.decision(llr), '')}"
        )


def _test(keys: Mapping[str, str]) -> Sprt:
    numbers = {key: float(text) for key, text in keys.items() if key != "model"}
    model = Model(keys.get("model", "normalized"))
    return Sprt(**{"elo0": 0.0, "elo1": 0.0, **numbers}, model=model)


def _both(texts: Sequence[str]) -> str:
    return texts[0] if texts[0] == texts[1] else " - ".join(texts)


def _limit(engine: Engine) -> str:
    """Return an engine's search limit as fastchess prints it."""
    if engine.shown_clock:
        return engine.shown_clock
    return f"{engine.depth} plies" if engine.depth else f"{engine.nodes} nodes"


def _option(engine: Engine, name: str, unit: str) -> str:
    """Return the value of an engine's option, followed by `unit`; NULL, as in fastchess, if it was not given.

    Args:
        name: Name of the option in lower case.
    """
    values = [text for key, text in engine.options.items() if key.lower() == name]
    return f"{values[-1]}{unit}" if values else "NULL"
