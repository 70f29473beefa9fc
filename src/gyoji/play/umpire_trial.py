"""A test of an umpire: games with random answers, which show whether it meets its protocol's requirements.

docs/reference/umpire-protocol.md calls the requirements promises.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Any, NamedTuple

from msgspec.structs import replace

from gyoji.core.outcome import Ending
from gyoji.core.spec import GameSpec, derive_seed
from gyoji.core.text import format_duration, printable, quote
from gyoji.play.context import WorkerContext, make_rules
from gyoji.play.umpire_talk import Talk, ask_again

MOST_QUESTIONS = 10_000
"""The number of questions after which a game counts as endless."""

SLOW = 1_000_000_000
"""The ns from which an answer is too slow for an event of many games."""

_ODD = ("", " ", "x", "-1", "0", "1", "99999999999999999999", "1 1", "nan", "{}", "null", "é", "x" * 5000)
"""Nonsense answers, as from programs that do not know the game."""

Decide = Callable[[Any, int], Any]
"""Returns a seat's answer, given the legal answers and the seat, or an `Ending` if the seat fails."""


class Promise(NamedTuple):
    """A requirement that every umpire must meet, and whether the tested umpire meets it.

    Attributes:
        words: The requirement in words, such as "ends every game".
        problems: The ways in which the umpire fails to meet it. Empty if it meets it.
    """

    words: str
    problems: tuple[str, ...] = ()


class Played(NamedTuple):
    """One game of the test.

    Attributes:
        lines: The conversation.
        problem: How the umpire failed; "" if it ended the game.
    """

    spec: GameSpec
    lines: tuple[str, ...]
    talk: Talk
    problem: str
    questions: int


class UmpireTrial:
    """Plays games with an umpire and tests whether it meets the requirements of the umpire protocol.

    Args:
        spec: A game with the umpire. The seeds of all games are derived from its seed.
        games: Number of games with legal answers, and also of games with odd answers.
    """

    def __init__(self, context: WorkerContext, spec: GameSpec, games: int) -> None:
        assert spec.umpire is not None, "the game has an umpire"
        self._context = context
        self._spec = spec
        self._umpire = spec.umpire
        self._games = games
        self.played: list[Played] = []

    def verdicts(self) -> Iterator[Promise]:
        """Play the games. Yield each requirement, with the problems found, as soon as its games are over.

        An umpire that ends no game is tested only for the first requirement, that it ends every game.
        """
        yield self._of("ends every game", [self._random(number) for number in range(self._games)])
        if all(each.problem for each in self.played):
            return  # nothing else can be said of one that ends no game
        yield Promise("says the same again for the same seed and answers", tuple(self._unlike()))
        odd = [self._play(number, self._odd(number)) for number in range(self._games)]
        yield self._of("bears any answer", odd)
        yield self._of("bears seats that fail", [self._play(*each) for each in self._failing()])
        yield Promise("tells no seat what it told another alone", tuple(self._leaks()))
        yield Promise("answers soon and ends when it is told to", tuple(self._slowness()))

    def _of(self, promise: str, games: Sequence[Played]) -> Promise:
        self.played += games
        found = (f"seed {each.spec.seed}: {each.problem}" for each in games if each.problem)
        return Promise(promise, tuple(dict.fromkeys(found)))

    def figures(self) -> str:
        """Return a line with the lengths of the games and the durations of the umpire's answers."""
        counts = [each.questions for each in self.played if not each.problem]
        spent = sum(each.talk.spent for each in self.played) / max(
            1, sum(each.questions for each in self.played)
        )
        slowest = max(each.talk.slowest for each in self.played)
        length = f"{min(counts)} to {max(counts)} questions, " if counts else ""
        return f"{length}{spent / 1e6:.2f} ms an answer, {slowest / 1e6:.1f} ms at most"

    # Games

    def _random(self, number: int) -> Played:
        chance = Random(derive_seed("trial", number))

        def decide(legal: Sequence[Any], _seat: int) -> Any:
            return chance.choice(legal) if legal != ("",) else str(chance.randint(0, 9))

        return self._play(number, decide)

    def _odd(self, number: int) -> Decide:
        chance = Random(derive_seed("odd", number))
        wait = chance.randint(0, 4)

        def decide(legal: Sequence[Any], _seat: int) -> Any:
            nonlocal wait
            wait -= 1
            return chance.choice(legal) if wait >= 0 and chance.random() < 0.9 else chance.choice(_ODD)

        return decide

    def _failing(self) -> Iterator[tuple[int, Decide]]:
        """Yield games in which seats fail: first one seat, then all seats but the first, then all seats.

        Each game is given as its number and the function that answers for its seats.
        """
        count = len(self._spec.players)
        groups = [(seat,) for seat in range(count)] + [tuple(range(1, count)), tuple(range(count))]
        for number, (seats, ending) in enumerate(
            (group, ending)
            for group in groups
            for ending in (Ending.TIME, Ending.FAULT, Ending.ILL_FORMED_MOVE)
        ):
            yield number, self._fails(number, seats, ending)

    def _fails(self, number: int, seats: Sequence[int], ending: Ending) -> Decide:
        chance = Random(derive_seed("fails", number))
        left = dict.fromkeys(seats, number % 3)  # answers before it fails

        def decide(legal: Sequence[Any], seat: int) -> Any:
            if seat in left:
                left[seat] -= 1
                if left[seat] < 0:
                    return ending
            return chance.choice(legal) if legal != ("",) else str(chance.randint(0, 9))

        return decide

    def _play(self, number: int, decide: Decide) -> Played:
        spec = replace(self._spec, seed=derive_seed(self._spec.seed, number))
        rules: Any = make_rules(spec)
        position = rules.start()
        lines = [rules.question(position, spec.codes)]
        questions = 0

        def then(said: tuple[str, ...]) -> str:
            nonlocal position, questions
            lines.extend(said)
            position = rules.ruled(position, said)
            while acting := rules.acting(position):
                questions += 1
                if questions > MOST_QUESTIONS:
                    raise ValueError(f"the game was not over after {MOST_QUESTIONS} questions")
                answers = [(seat, decide(tuple(rules.legal(position, seat)), seat)) for seat in acting]
                for seat, answer in answers:
                    if isinstance(answer, Ending):
                        position = rules.failed(position, seat, answer)
                if turn := tuple([each for each in answers if not isinstance(each[1], Ending)]):
                    position = rules.play(position, turn)
            question: str = rules.question(position, spec.codes)
            if question:
                lines.append(question)
            return question

        talk = Talk(self._context, spec, self._umpire)
        talk.run(lines[0], then)
        problem = talk.failure
        if problem and talk.stderr and "last words" not in problem:
            problem += f"; its last words: {printable(talk.stderr[-1])}"
        return Played(spec, tuple(lines), talk, problem, questions)

    # Verdicts

    def _unlike(self) -> Iterator[str]:
        for game in [each for each in self.played if not each.problem][: self._games]:
            if (unlike := ask_again(game.spec, game.lines, context=self._context)) is not None:
                was, again = printable(unlike.recorded) or "nothing", printable(unlike.again)
                yield f"seed {game.spec.seed}: line {unlike.line} was {was}, and then {again}"

    def _leaks(self) -> Iterator[str]:
        """Yield a line for each text that one seat was told alone and another seat learned.

        A pair of seats is reported only if that happens in most games. In a few games it may be a
        coincidence: both seats are dealt the same dice.
        """
        rules: Any = make_rules(self._spec)
        found = [rules.leaks(game.lines) for game in self.played if not game.problem]
        often = Counter(pair for leaks in found for pair in {leak[:2] for leak in leaks})
        for learner, owner, text in dict.fromkeys(leak for leaks in found for leak in leaks):
            if 2 * often[learner, owner] > len(found):
                yield f"seat {learner} learns {quote(text)}, which seat {owner} alone was told"

    def _slowness(self) -> Iterator[str]:
        slowest = max(each.talk.slowest for each in self.played)
        if slowest > SLOW:
            yield f"an answer took {format_duration(slowest // 10**6 * 10**6)}"
        if any(each.talk.was_killed for each in self.played if not each.problem):
            yield f"it did not end within {format_duration(self._umpire.budgets.close)} after stop"
