"""A language model as a player. It is asked for a move, and asked again if its answer has no move."""

import json
import os
from collections.abc import Sequence
from typing import Any

from gyoji.engines.llm_client import Model, Said

_AGAIN = 'Your last answer was no object in JSON with the key "move". Answer again.'


class Player:
    """A model that is asked for moves.

    Attributes:
        words: The explanation that came with the model's last answer, and the cost of that answer, in one
            line.
    """

    def __init__(self, model: Model, *, about: str = "", rethinks: int = 2) -> None:
        self.words = ""
        self._model = model
        self._about = about
        self._rethinks = rethinks
        self._sample = os.environ.get("GYOJI_GAME_TOKEN", "")

    def move(self, game: str, position: str, refused: Sequence[str] = (), *, form: str) -> str:
        """Ask for a move, and return it as the model wrote it. It is one word of ASCII, or "" if the model
        gave none.

        Args:
            game: The description of the game and of the notation of moves.
            position: The position, as text.
            refused: Moves that were refused in this position.
            form: An example of a move.
        """
        answer = self.answer(game, position, refused, form=json.dumps(form), wanted=str)
        words = answer.split() if isinstance(answer, str) else []
        return words[0] if len(words) == 1 and words[0].isascii() and len(words[0]) <= 80 else ""

    def answer(
        self, game: str, position: str, refused: Sequence[str] = (), *, form: str, wanted: type = object
    ) -> Any:
        """Ask the model for a move, and return it as a JSON value.

        An answer without a value of the type `wanted` is followed by another question, up to the maximum
        number of rethinks.

        Args:
            game: The description of the game and of the notation of moves.
            position: The position, as text.
            refused: Moves that were refused in this position.
            form: An example of a move, in JSON.

        Returns:
            The move; None if the model gave none.

        Raises:
            Outage: The service failed, or its budget is spent.
        """
        form = f'Answer with one object in JSON: {{"move": {form}, "why": "..."}}.'
        lines = [position, *(f"{each} was refused: it is illegal here." for each in refused)]
        answer, said, asked, seconds, tokens = None, Said(None, ""), 0, 0.0, (0, 0)
        while answer is None and asked <= self._rethinks:
            again = [_AGAIN] if asked else []
            messages = [
                {"role": "system", "content": " ".join(filter(None, (game, self._about, form)))},
                {"role": "user", "content": "\n".join(filter(None, [*lines, *again]))},
            ]
            said = self._model.ask(messages, "move", self._sample)
            asked, seconds = asked + 1, seconds + said.seconds
            tokens = tokens[0] + said.tokens[0], tokens[1] + said.tokens[1]
            answer = said.answer if isinstance(said.answer, wanted) else None
        cost = self._model.settings.cost(tokens)
        facts = [
            *([f"{asked} answers"] if asked > 1 else []),
            *(["none with a move"] if answer is None else []),
            f"{tokens[0]}+{tokens[1]} tokens",
            *([f"{cost:.6f} money"] if cost else []),
            *([f"refused: {' '.join(refused)}"] if refused else []),
            "cached" if said.cached else f"{seconds:.1f} s",
        ]
        self.words = " ".join(f"{said.text} [{', '.join(facts)}]".split())
        return answer
