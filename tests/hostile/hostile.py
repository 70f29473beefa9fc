"""A hostile engine: it speaks GTP, Gomocup or Dig Here, and makes attempts at its first move.

    hostile.py gtp|gomocup|dighere

Its environment has the rest, each as HOSTILE_ and one of these names in capitals:

    try      names of attempts (`attempts.py`), separated by commas.
    late     names of attempts that it repeats at every other move, on files that are made after its start.
    gentle   1 to reach for things without using them: for runs in which nothing stops it.
    worker, scheduler, other: pids.  event, outside, home, lasting: folders.
    port, udp: numbers of ports.  abstract: the name of a socket.  terminal, record: paths.

`hostile.c` is the same in C. Whatever happens it plays on, and each attempt has a bound of its own.
"""

import errno
import os
import sys

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import hostile_files
import hostile_processes
import hostile_resources
import hostile_system
from hostile_ground import TOLD, NotTriedError

MODULES = (hostile_processes, hostile_files, hostile_system, hostile_resources)
DEEDS = {name: deed for module in MODULES for name, deed in vars(module).items() if name.startswith("try_")}


def attempt(name):
    if "try_" + name.replace("-", "_") not in DEEDS:
        return  # one of those that only the other engine knows
    try:
        result = DEEDS["try_" + name.replace("-", "_")]()
    except NotTriedError:
        result = "not tried"
    except OSError as error:
        result = errno.errorcode.get(error.errno, str(error))
    except Exception as error:  # noqa: BLE001 (it plays on)
        result = type(error).__name__
    sys.stderr.write(f"TRY {name}: {result}\n")
    sys.stderr.flush()


def attempt_all():
    for name in TOLD.pop("try", TOLD.get("late", "")).split(","):
        if name:
            attempt(name)


def say(text):
    os.write(1, text.encode())


def gtp():
    answers = {"name": "hostile", "version": "1", "protocol_version": "2", "genmove": "pass"}
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] in ("genmove", "reg_genmove"):
            attempt_all()
        say(f"= {answers.get(words[0], 'false' if words[0] == 'known_command' else '')}\n\n")
        if words[0] == "quit":
            return


def gomocup():
    size, taken = 20, set()
    for line in sys.stdin:
        words = line.split()
        command = words[0].upper() if words else ""
        if command == "START":
            size = int(words[1])
            say("OK\n")
        elif command == "ABOUT":
            say('name="hostile", version="1"\n')
        elif command in ("BEGIN", "TURN"):
            if command == "TURN":
                taken.add(tuple(map(int, words[1].split(","))))
            attempt_all()
            cells = ((x, y) for y in range(size) for x in range(0, size, 2) if (x, y) not in taken)
            move = next(cells)
            taken.add(move)
            say("{},{}\n".format(*move))
        elif command == "END":
            return


def dighere():
    for number, _ in enumerate(sys.stdin, 1):
        if number % 13 == 0:
            attempt_all()
            say("-1\n")


if __name__ == "__main__":
    {"gtp": gtp, "gomocup": gomocup, "dighere": dighere}[sys.argv[1]]()
