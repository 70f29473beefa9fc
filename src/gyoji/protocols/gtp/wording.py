"""Commands as one engine is to hear them: its aliases in place, numbered or not."""

from collections.abc import Mapping


class Wording:
    """aliases: our word for a command -> the engine's. is_numbered: whether commands carry ids, from 1.

    >>> wording = Wording({"name": "my-name"}, is_numbered=True)
    >>> wording.encode(wording.line("known_command name") + wording.line("play b D4"))
    b'1 known_command my-name\\n2 play b D4\\n'
    """

    __slots__ = ("_aliases", "_sent", "is_numbered")

    def __init__(self, aliases: Mapping[str, str], *, is_numbered: bool) -> None:
        self._aliases = aliases
        self._sent = 0
        self.is_numbered = is_numbered

    def line(self, command: str) -> str:
        """A command with the engine's word for it, also where it is the command asked about."""
        aliases = self._aliases
        if not aliases:
            return command + "\n"
        word, blank, rest = command.partition(" ")
        if word == "known_command":
            rest = aliases.get(rest, rest)
        return f"{aliases.get(word, word)}{blank}{rest}\n"

    def encode(self, lines: str) -> bytes:
        """The bytes of whole lines, in the order in which they are written."""
        if self.is_numbered:
            split = lines.split("\n")[:-1]
            lines = "".join([f"{self._sent + place} {line}\n" for place, line in enumerate(split, 1)])
            self._sent += len(split)
        return lines.encode()
