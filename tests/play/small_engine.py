"""A GTP engine for tests of what surrounds a game: it passes, and says who and where it is.

Its name is a number that no other process has, its version its working folder. `--on WORD CODE` runs
Python code when it is sent that command (`line` is all of it, `answer` is what it says, `keep` a list to keep
things in).
"""

import os
import sys
import time

OWN_NUMBER = f"{time.monotonic_ns()}{os.getpid()}"
"""Its process number alone is one it shares with others, each in a namespace of its own."""


def main() -> None:
    words = sys.argv[1:]
    code = {words[at + 1]: words[at + 2] for at in range(0, len(words), 3)}
    names = {"keep": [], "os": os, "sys": sys}
    for line in sys.stdin:
        command, *_ = line.split()
        answer = {
            "name": OWN_NUMBER,
            "version": os.getcwd(),
            "protocol_version": "2",
            "genmove": "pass",
        }
        names["line"] = line
        names["answer"] = answer.get(command, "false" if command == "known_command" else "")
        exec(code.get(command, ""), names)
        print(f"= {names['answer']}\n", flush=True)
        if command == "quit":
            return


main()
