"""A player of odds and evens in JSON lines: lays its lowest card, or its highest with `--pick high`.

`--spy FILE` writes down every line it is told; `--stop N` makes it exit instead of its Nth move (from 1).
`--opinion P` is its chance to win, as it says before each move.
"""

import json
import sys


def main(words: list[str]) -> None:
    given = dict(zip(words[::2], words[1::2], strict=True))
    pick = max if given.get("--pick") == "high" else min
    moves, stop = 0, int(given.get("--stop", 0))
    with open(given.get("--spy", "/dev/null"), "w", encoding="utf-8") as spy:
        for line in sys.stdin:
            spy.write(line)
            told = json.loads(line)
            if "prepare" in told:
                answer = {"ready": f"player {told['prepare']}"}
            elif "ask" in told:
                moves += 1
                if moves == stop:
                    return
                if opinion := given.get("--opinion"):
                    print(json.dumps({"opinion": float(opinion)}), flush=True)
                answer = {"move": str(pick(told["view"][1]))}
            elif "tell" in told:
                answer = {"heard": True}
            else:
                answer = {"bye": True}
            print(json.dumps(answer), flush=True)


if __name__ == "__main__":
    main(sys.argv[1:])
