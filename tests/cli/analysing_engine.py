"""A GTP engine that analyses: what it says of a position is how many stones are on its board.

Its first argument is the name of the command that it knows: lz-analyze or kata-analyze.
"""

import sys
import threading

ANALYZE = sys.argv[1]
UNIT = 10_000 if ANALYZE == "lz-analyze" else 1


def say(text):
    print(text, end="", flush=True)


def info(stones):
    first = f"info move A1 visits {stones + 1} winrate {UNIT * 0.6:g} scoreLead {stones}.5 order 0 pv A1 B1"
    second = f"info move C1 visits 1 winrate {UNIT * 0.4:g} order 1 pv C1"
    return f"{second} {first}\n"


class Speaker(threading.Thread):
    """Tells the same again and again until it is stopped."""

    def __init__(self, text):
        super().__init__()
        self.text, self.is_stopped = text, threading.Event()

    def run(self):
        say(self.text)
        while not self.is_stopped.wait(0.02):
            say(self.text)


ANSWERS = {"protocol_version": "= 2\n\n", "known_command": "= false\n\n", "": ""}
stones, speaker = 0, None
for line in sys.stdin:
    if speaker is not None:
        speaker.is_stopped.set()
        speaker.join()
        say("\n")
        speaker = None
    command, *words = line.split() or [""]
    if command == "play":
        stones += words[1].lower() != "pass"
    elif command == "clear_board":
        stones = 0
    if command == ANALYZE:
        say("=\n")
        speaker = Speaker(info(stones))
        speaker.start()
    elif command in ("kata-analyze", "lz-analyze"):
        say("? unknown command\n\n")
    else:
        say(ANSWERS.get(command, "=\n\n"))
    if command == "quit":
        break
