"""A runner for `[relay]`: paper, scissors and stone, between two programs or more that it starts itself.

It knows nothing of gyoji. `python runner.py SEED COMMAND...` runs each COMMAND by a shell, tells it in each
round what all said in the last one, and reads a word. Anything but one of WORDS beats nobody.
"""

import json
import random
import subprocess
import sys

WORDS = ("paper", "scissors", "stone")
"""Each is beaten by the next one, and the last by the first."""


def main(seed: str, *commands: str) -> None:
    rounds = random.Random(seed).randint(8, 12)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    bots = [subprocess.Popen(["sh", "-c", each], **pipes) for each in commands]
    points, last = [0] * len(bots), ["start"]
    for number in range(1, rounds + 1):
        said = []
        for bot in bots:
            try:
                print(*last, file=bot.stdin, flush=True)
                said.append(bot.stdout.readline().strip())
            except OSError:  # it has ended
                said.append("")
        last = [word if word in WORDS else "nothing" for word in said]
        points = [
            mine + sum(beats(word, other) for other in last) for mine, word in zip(points, last, strict=True)
        ]
        print(f"round {number}:", *last)
    print(json.dumps({"stats": {str(seat): {"score": each} for seat, each in enumerate(points)}}))


def beats(word: str, other: str) -> bool:
    if "nothing" in (word, other):
        return word != "nothing"
    return (WORDS.index(word) - WORDS.index(other)) % 3 == 1


main(*sys.argv[1:])
