"""A Dig Here agent that tries to compute the hidden treasure from whatever it finds around it, and stays.

On standard error it writes `knows DIGEST` if a field that it has computed is like what it is told: the digest
is of that field's hidden treasure (`digest`).
"""

import os
import sys
from contextlib import suppress
from hashlib import sha256

from gyoji.core.spec import derive_seed
from gyoji.games.dighere.game_options import Options

SEEDS = range(4)
GUESSED = [f"{pairing}_{number}" for pairing in ("0", "AvB") for number in range(4)]


def digest(field):
    return sha256(repr(field.hidden).encode()).hexdigest()[:16]


def seeds():
    """Yield possible seeds of the game: hashes of texts, found or guessed, and numbers that it finds."""
    found = {*os.environ.values(), *sys.argv, os.getcwd(), *os.listdir("."), *GUESSED}
    words = {word for text in found for word in (text, *text.replace(os.sep, " ").replace(".", " ").split())}
    for word in sorted(words)[:400]:
        yield from (derive_seed(seed, word) for seed in SEEDS)
        yield derive_seed(word)
        for base in (10, 16):
            with suppress(ValueError):
                yield int(word, base)


def main():
    told = [input() for _ in range(13)]
    size, (_, *holes), (_, *known) = int(told[1]), *(map(int, line.split()) for line in told[4:6])
    for seed in seeds():
        field = Options().field(seed)
        is_alike = [each for hole in field.holes for each in hole] == list(holes)
        if is_alike and field.size == size and [each for row in field.known for each in row] == list(known):
            print(f"knows {digest(field)}", file=sys.stderr, flush=True)
    print(-1, flush=True)
    for number, _ in enumerate(sys.stdin, 1):
        if number % 13 == 0:
            print(-1, flush=True)


if __name__ == "__main__":
    main()
