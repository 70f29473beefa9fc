"""A GTP engine that moves when it is let: each move awaits a line of a FIFO, and is what the line says.

A line may go on after the move: that is what the engine says of it, when it is asked for its explanation.
"""

import sys


def read_line(file) -> str:
    """One line, and nothing of what follows it: that is for the engine of the next game."""
    line = b""
    while not line.endswith(b"\n"):
        line += file.read(1)
    return line.decode()


def main() -> None:
    with open(sys.argv[1], "rb", buffering=0) as moves:
        said = ""
        for line in sys.stdin:
            command, *_ = line.split()
            answer = "true" if command == "known_command" else ""
            if command in ("protocol_version", "name", "version"):
                answer = "2"
            if command == "genmove":
                answer, _, said = read_line(moves).strip().partition(" ")
                answer = answer or "resign"
            if command == "gomill-explain_last_move":
                answer = said
            print(f"= {answer}\n", flush=True)
            if command == "quit":
                return


main()
