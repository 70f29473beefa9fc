"""A GTP engine that looks for files, lists in the record those that it could read, and resigns.

Its first argument is a file of its own. From the others it removes "+", so that its command does not name
them.
"""

import os
import sys


def look():
    """Return what it found, in words without brackets, since records would escape these."""
    own, *paths = (each.replace("+", "") for each in sys.argv[1:])
    found = []
    for path in (own, *paths):
        try:
            with open(path, "rb") as file:
                found.append(f"read {path}" if file.read(1) else "")
        except OSError:
            continue
    for path, mode in ((own, "a"), ("scratch", "w")):
        try:
            with open(path, mode) as file:
                file.write("changed")
            found.append(f"changed {path}")
        except OSError:
            continue
    return "|".join(("SAW", own, *found, *(f"listed {name}" for name in sorted(os.listdir())), "END"))


SEEN = look()
for line in sys.stdin:
    command, *_ = line.split() or [""]
    answers = {"protocol_version": "2", "genmove": "resign", "gomill-explain_last_move": SEEN}
    print("=", "true" if command == "known_command" else answers.get(command, ""), end="\n\n", flush=True)
