"""A GTP engine that is as good as it is told: it wins with the chance that is its only word.

It passes, or resigns, which is drawn from the game's token: so one as Black that does not resign
wins, if White always does.
"""

import os
import sys
from hashlib import sha256


def main() -> None:
    luck = int(sha256(os.environ["GYOJI_GAME_TOKEN"].encode()).hexdigest()[:8], 16) / 2**32
    move = "pass" if luck < float(sys.argv[1]) else "resign"
    for line in sys.stdin:
        command = line.split()[0]
        answers = {"protocol_version": "2", "name": "rated", "genmove": move, "known_command": "false"}
        print(f"= {answers.get(command, '')}\n", flush=True)
        if command == "quit":
            return


main()
