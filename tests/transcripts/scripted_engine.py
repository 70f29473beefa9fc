"""A GTP engine that says what another one said: `scripted_engine.py TRANSCRIPT PLAYER`.

It takes the part of PLAYER in one game of the transcript after the other; a game begins with `boardsize`.
What it is asked beside the game it answers for itself. A command of the game that is not the one that came
then is a failure, and every later one of that game too. But where it was asked to clean up it takes `genmove`
too: gyoji asks so in the first clean-up phase.
"""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

NAMES = {"kata": "KataGo", "kata2": "KataGo", "gnugo": "GNU Go", "pachi": "Pachi"}
KNOWN = {
    "KataGo": {"final_score", "kata-set-rules", "kata-set-param"},
    "GNU Go": {"final_score", "kgs-genmove_cleanup"},
    "Pachi": {"final_score", "kgs-rules", "kgs-genmove_cleanup"},
}
"""Of what the game asks whether they know it, what they know."""

GAME = {"boardsize", "clear_board", "komi", "play", "genmove", "kgs-genmove_cleanup", "final_score"}
GAME |= {"kata-set-rules", "kgs-rules", "kata-set-param", "fixed_handicap"}
GAME |= {"place_free_handicap", "set_free_handicap"}


def parts(path: Path, player: str) -> Iterator[list[tuple[str, str]]]:
    """Of each game the player's part: (command, answer) in order."""
    for game in path.read_text().split("\n\n"):
        lines = [line for line in game.splitlines() if line.startswith((f"{player}> ", f"{player}< "))]
        told = [line.partition(" ")[2] for line in lines]
        if told:
            yield list(zip(told[::2], told[1::2], strict=True))


class Actor:
    """Says what was said."""

    def __init__(self, name: str, games: Sequence[list[tuple[str, str]]]) -> None:
        self._name = name
        self._games = iter(games)
        self._script: list[tuple[str, str]] = []

    def answer(self, line: str) -> str:
        command, _, argument = line.partition(" ")
        match command:
            case "known_command":
                return f"= {str(argument in KNOWN[self._name]).lower()}"
            case "protocol_version" | "name" | "quit":
                return {"protocol_version": "= 2", "name": f"= {self._name}", "quit": "="}[command]
            case _ if command not in GAME:
                return "? unknown command"
            case "boardsize":
                self._script = next(self._games, [])
        expected, said = self._script[0] if self._script else ("nothing", "")
        if line not in (expected, expected.removeprefix("kgs-").replace("genmove_cleanup", "genmove")):
            return f"? expected {expected}, got {line}"
        del self._script[0]
        return said


def main() -> None:
    path, player = sys.argv[1:]
    actor = Actor(NAMES[player], list(parts(Path(path), player)))
    for line in sys.stdin:
        print(f"{actor.answer(line.strip())}\n", flush=True)
        if line.startswith("quit"):
            break


if __name__ == "__main__":
    main()
