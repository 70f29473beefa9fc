"""A player of liar's dice. Its argument says how many dice of the others it counts on beyond their share."""

import sys

nerve = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
own, others = [], None
for line in sys.stdin:
    words = line.split()
    if words[0] == "dice":
        own = [int(word) for word in words[1:]]
        others = 2 * len(own) if others is None else others
    elif words[0] == "bid":
        number, face = int(words[1]), int(words[2])
        if number and number > own.count(face) + others / 6 + nerve:
            print("liar", flush=True)
        else:
            best = max(range(1, 7), key=lambda each: (own.count(each), each))
            print(number if number and best > face else number + 1, best, flush=True)
