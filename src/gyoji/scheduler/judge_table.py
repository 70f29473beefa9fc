"""The judge's commands that every game has: forfeit, award, draw, incomplete and remark."""

from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from gyoji.core.describe import ResultWords, result_code
from gyoji.core.game import JudgeTable, JudgeView, Refusal
from gyoji.core.outcome import Ending, Outcome, lost_by, shared, won_by
from gyoji.core.record import GameResult, Ruling

_FORFEIT = "forfeit PLAYER REASON"
_PLAIN = ("award PLAYER", "draw", "incomplete", "remark TEXT")


class DefaultJudgeTable:
    """The judge's commands for a finished game of any kind; it implements the port `JudgeTable`.

    A game may have a `JudgeTable` of its own, with commands about its board. All commands but `forfeit` then
    go to that table.
    """

    def __init__(self, result: GameResult, words: ResultWords, own: JudgeTable | None) -> None:
        self._result = result
        self._words = words
        self._own = own
        self._decision: tuple[Outcome, str] | None = None
        self._remark = ""
        self.commands: Sequence[str] = (*(own.commands if own else _PLAIN), _FORFEIT)

    def opening(self) -> Iterator[str]:
        """Yield the lines that the judge sees first.

        There are none unless the game has a judge's table of its own.
        """
        if self._own is not None:
            yield from self._own.opening()

    def obey(self, verb: str, words: list[str]) -> Iterator[str]:
        """Carry out one command of the judge and yield its answer.

        Args:
            verb: Name of the command.
            words: Its arguments.

        Raises:
            Refusal: The command is wrong. Nothing has changed.
        """
        if verb == "forfeit":
            self._forfeit(words)
            yield self._verdict()
            return
        if self._own is not None:
            answers = list(self._own.obey(verb, words))
            if verb != "remark":
                self._decision = None
            yield from [self._verdict()] if self._decision else answers
            return
        match verb, words:
            case "award", [player]:
                points = won_by(self._team(player), self._teams)
                self._decision = Outcome(points=points, ending=Ending.SCORE), "awarded"
            case "award", _:
                raise Refusal("write award PLAYER")
            case "draw", _:
                points = shared(self._teams)
                self._decision = Outcome(points=points, ending=Ending.SCORE, margin=0.0), "a draw"
            case "incomplete", _:
                self._decision = Outcome(points=None, ending=Ending.NO_RESULT), "incomplete"
            case "remark", _:
                self._remark = " ".join(words)
            case _:
                there = ", ".join((*self.commands, "accept", "quit"))
                raise Refusal(f"no command {verb!r}; there are: {there}")
        yield self._verdict()

    def ruling(self, who: str, when: str) -> Ruling:
        """Return the judge's decision so far. Without any command it confirms the result.

        Args:
            who: Name of the judge.
            when: Time of the decision, ISO 8601.
        """
        if self._own is not None and self._decision is None:
            return self._own.ruling(who, when)
        remark = self._own.ruling(who, when).remark if self._own is not None else self._remark
        outcome, basis = self._decision or (replace(self._result.outcome, detail=""), "as it was played")
        return Ruling(who=who, when=when, outcome=outcome, basis=basis, remark=remark)

    def view(self) -> JudgeView:
        return self._own.view() if self._own is not None else JudgeView()

    def _forfeit(self, words: Sequence[str]) -> None:
        if len(words) < 2:
            raise Refusal(f"write {_FORFEIT}: the reason goes into the record")
        team = self._team(words[0])
        points = lost_by(team, self._teams)
        seat = self._result.seats_of(team)[0]
        outcome = Outcome(points=points, ending=Ending.FORFEIT, seat=seat)
        self._decision = outcome, f"{self._name(team)} forfeits: {' '.join(words[1:])}"

    # Names of teams

    @property
    def _teams(self) -> int:
        return len(self._result.opponents)

    def _name(self, team: int) -> str:
        opponents = self._result.opponents
        if opponents.count(opponents[team]) == 1:
            return opponents[team]
        return f"{opponents[team]} ({self._letter(team)})"

    def _letter(self, team: int) -> str:
        letters = self._words.letters
        return letters[team] if self._teams <= len(letters) else str(team + 1)

    def _team(self, word: str) -> int:
        """Return the number (from 0) of the team that the judge's word names. Raises Refusal for other words.

        A word is the name of the team's player, the letter of the team, or its number from 1.
        """
        opponents = self._result.opponents
        if opponents.count(word) == 1:
            return opponents.index(word)
        names = {self._letter(team).lower(): team for team in range(self._teams)}
        names |= {str(team + 1): team for team in range(self._teams)}
        if word.lower() not in names:
            players = ", ".join(
                dict.fromkeys((*opponents, *(self._letter(team) for team in range(self._teams))))
            )
            raise Refusal(f"{word!r} is none of: {players}")
        return names[word.lower()]

    def _verdict(self) -> str:
        outcome, basis = self._decision or (self._result.outcome, "as it was played")
        return f"{result_code(outcome, self._words.letters)} ({basis})"
