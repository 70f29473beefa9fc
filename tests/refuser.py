"""An engine that refuses every move of its opponent, and plays none but its first: a program, no test.

refuser.py gtp MOVE        answers `? illegal move` to each `play`, and MOVE to each `genmove`
refuser.py gomocup         answers `ERROR` to each `TURN`, and 0,0 to `BEGIN`
"""

import sys
from pathlib import Path


def refusing(protocol="gtp", move="C3"):
    """Return the command of this engine."""
    return [sys.executable, str(Path(__file__)), protocol, move]


def gtp(command, move):
    if command == "play":
        return "? illegal move\n"
    answers = {"protocol_version": "2", "name": "Refuser", "genmove": move, "known_command": "false"}
    return f"= {answers.get(command, '')}\n"


def gomocup(command, _):
    answers = {"START": "OK", "RESTART": "OK", "ABOUT": 'name="Refuser"', "BEGIN": "0,0"}
    return "ERROR illegal move" if command in ("TURN", "BOARD") else answers.get(command)


def main():
    answer, move = {"gtp": gtp, "gomocup": gomocup}[sys.argv[1]], sys.argv[2]
    for line in sys.stdin:
        command = line.split()[0] if line.split() else ""
        if command.upper() in ("QUIT", "END"):
            break
        if (text := answer(command, move)) is not None:
            print(text, flush=True)


if __name__ == "__main__":
    main()
