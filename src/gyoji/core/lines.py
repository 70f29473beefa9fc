"""Split a stream of bytes into lines, for codecs and connections."""


class LineReader:
    """Splits bytes that arrive in arbitrary pieces into lines.

    Pieces of an incomplete line are joined only when its end arrives, so the cost of a line is proportional
    to its length.

    >>> reader = LineReader()
    >>> reader.feed(b"one\\ntw"), reader.feed(b"o\\n\\n"), reader.feed(b"")
    ([b'one'], [b'two', b''], [])

    Attributes:
        size: Number of bytes kept of the incomplete line.
    """

    __slots__ = ("_most", "_pieces", "size")

    def __init__(self, most: int | None = None) -> None:
        """Create a reader with an empty buffer.

        Args:
            most: Limit of an incomplete line, in bytes; None for no limit. When the bytes kept exceed it, the
                reader drops further pieces of the line, except the piece with the line end. So a line that is
                too long is returned with a part missing.
        """
        self._most = most
        self._pieces: list[bytes] = []
        self.size = 0

    def feed(self, data: bytes) -> list[bytes]:
        """Return the lines that `data` completes, without their line ends."""
        *lines, begun = data.split(b"\n")
        if lines and self._pieces:
            lines[0] = b"".join([*self._pieces, lines[0]])
            self._pieces.clear()
            self.size = 0
        if begun and (self._most is None or self.size <= self._most):
            self._pieces.append(begun)
            self.size += len(begun)
        return lines

    @property
    def rest(self) -> bytes:
        """The bytes of the incomplete line."""
        return b"".join(self._pieces)

    def take_rest(self) -> bytes:
        """Return the bytes of the incomplete line and remove them from the buffer."""
        rest = self.rest
        self._pieces.clear()
        self.size = 0
        return rest
