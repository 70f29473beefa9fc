"""Cut a stream of bytes into lines: the one line reader of all protocols and connections."""


class LineReader:
    """Cuts bytes, however they arrive, into lines.

    Pieces of an incomplete line are joined only when its end arrives, so a line of many pieces costs time in
    proportion to its length.

    >>> reader = LineReader()
    >>> reader.feed(b"one\\ntw"), reader.feed(b"o\\n\\n"), reader.feed(b"")
    ([b'one'], [b'two', b''], [])

    Attributes:
        size: Bytes of the incomplete line that are kept.
    """

    __slots__ = ("_most", "_pieces", "size")

    def __init__(self, most: int | None = None) -> None:
        """Begin without any bytes.

        Args:
            most: Bytes after which the rest of an incomplete line is dropped; None keeps everything.
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
        """The incomplete line."""
        return b"".join(self._pieces)

    def take_rest(self) -> bytes:
        """Return the bytes of the incomplete line and forget them."""
        rest = self.rest
        self._pieces.clear()
        self.size = 0
        return rest
