"""An engine that moves when it is let: each move awaits a line of a FIFO, and is what the line says.

A line may go on after the move: that is what the engine says of it, where its protocol has room for that.
"""

import sys


def read_line(file) -> str:
    """Read one line, byte by byte, since what follows is for the engine of the next game."""
    line = b""
    while not line.endswith(b"\n"):
        line += file.read(1)
    return line.decode()


def speak_gtp(moves) -> None:
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


def speak_gomocup(moves) -> None:
    for line in sys.stdin:
        command, *_ = line.split()
        if command in ("BEGIN", "TURN"):
            move, _, said = read_line(moves).strip().partition(" ")
            if said:
                print(f"MESSAGE {said}")
            print(move, flush=True)
        elif command == "START":
            print("OK", flush=True)
        elif command == "ABOUT":
            print('name="paced"', flush=True)
        elif command == "END":
            return


def speak_dighere(moves) -> None:
    for number, _ in enumerate(sys.stdin):
        if number % 13 == 12:
            print(read_line(moves).strip(), flush=True)


SPEAK = {"go": speak_gtp, "gomoku": speak_gomocup, "dighere": speak_dighere}

if __name__ == "__main__":
    with open(sys.argv[1], "rb", buffering=0) as lines:
        SPEAK[sys.argv[2]](lines)
