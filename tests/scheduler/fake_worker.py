"""A worker that plays no games: it does what the note of the game says. Needs nothing of gyoji, to be fast.

``WORDS`` separated by blanks, each done in turn; what is left undone at the end is a report of a win::

    progress      report progress           live    tell of the game's moves, once
    child         start a process in a session of its own
    void          report a void game        die        exit at once       crash   be killed by a signal
    garbage       say what is no JSON       nonsense   say JSON that means nothing
    wrong         report another game       silent     wait for "abandon" or the end
    deaf          never react again         hangup     close the connection and stay
    stop          stand still, by SIGSTOP   pulse      show signs of life for a while
    once:PATH     go on only if PATH is not there, and make it; else play on as if nothing were said
    count:PATH    append the game's id to a file
"""

import json
import os
import signal
import socket
import subprocess
import sys
import time


class Connection:
    """The socket that we were given."""

    def __init__(self, descriptor):
        self.socket = socket.socket(fileno=descriptor)
        self.lines = self.socket.makefile("rb")

    def say(self, message):
        self.socket.sendall(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def close(self):
        self.lines.close()
        self.socket.close()


def result_of(spec):
    players = [player["code"] for player in spec["players"]]
    outcome = {"points": [1.0, 0.0], "ending": "resignation", "seat": 1}
    plain = {"id": spec["id"], "pairing": spec["pairing"], "players": players, "outcome": outcome}
    return plain | {"turns": 1, "engines": [{}, {}], "started": "2026-11-21T01:02:03+00:00", "wall_ns": 5}


def wait_for_the_end(connection):
    """Until we are told to give the game up, or the connection is at its end."""
    for line in connection.lines:
        if json.loads(line)["type"] == "abandon":
            return
    sys.exit(0)


def play(connection, spec):
    for word in spec.get("note", "").split():
        if word == "progress":
            connection.say({"type": "progress", "id": spec["id"], "turns": 7, "left": [None, 5_000_000_000]})
        elif word == "live":
            connection.say({"type": "live", "id": spec["id"], "first": 0})
        elif word.startswith("count:"):
            with open(word.removeprefix("count:"), "a") as file:
                file.write(f"{spec['id']}\n")
        elif word.startswith("once:"):
            path = word.removeprefix("once:")
            if os.path.exists(path):
                break
            open(path, "w").close()
        elif word == "pulse":
            for _ in range(60):
                connection.say({"type": "alive"})
                time.sleep(0.05)
        elif word == "child":
            subprocess.Popen(
                [sys.executable, "-S", "-c", "import time; time.sleep(600)"], start_new_session=True
            )
        elif act(connection, word, spec):
            return
    log = [f"slot {spec.get('slot')} of {os.environ['GYOJI_RUN'][:2]}"]
    rest = {"turns": [[[0, "D4", 5, "", ""]]]}
    connection.say({"type": "report", "log": log, "result": result_of(spec), "rest": rest})


def act(connection, word, spec):
    """Do what ends a game, and say that it has ended."""
    if word == "void":
        void = {key: result_of(spec)[key] for key in ("id", "pairing", "players", "started")}
        connection.say({"type": "report", "void": void | {"reason": "no engine"}, "log": ["it said: no"]})
    elif word == "die":
        os._exit(3)
    elif word == "crash":
        os.kill(os.getpid(), signal.SIGKILL)
    elif word == "garbage":
        connection.socket.sendall(b"Traceback (most recent call last):\n")
        time.sleep(600)
    elif word == "nonsense":
        connection.say([1, 2])
        time.sleep(600)
    elif word == "wrong":
        connection.say({"type": "report", "result": result_of(spec | {"id": "other"}), "rest": {"turns": []}})
        time.sleep(600)
    elif word == "silent":
        wait_for_the_end(connection)
    elif word == "stop":
        os.kill(os.getpid(), signal.SIGSTOP)
    elif word == "deaf":
        time.sleep(600)
    elif word == "hangup":
        connection.close()
        time.sleep(600)
    else:
        return False
    return True


def main():
    connection = Connection(int(sys.argv[1].partition(":")[0]))
    for message in connection.lines:
        order = json.loads(message)
        if order["type"] == "play":
            play(connection, order["spec"] | {"slot": order.get("slot")})


if __name__ == "__main__":
    main()
