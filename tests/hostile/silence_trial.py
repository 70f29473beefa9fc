"""An engine that opens a thousand connections to a server, and says nothing over them: no test, a program.

    silence_trial.py '{"folder": ..., "level": ..., "readable": [...]}'

The server may have 256 descriptors, and a reader has an event stream of it. The engine has the network. The
last line of output is JSON: {"silent": number of connections that the engine had without a byte, "streams":
number of its event streams, "answered": {the same names: whether another request was answered meanwhile},
"stays": whether the reader's stream outlasted the silent connections}.
"""

import json
import os
import select
import socket
import subprocess
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path

from gyoji.core.spec import Containment, Player
from gyoji.executors.contained.engines import ContainedExecutor

SERVER = """
import asyncio, resource
resource.setrlimit(resource.RLIMIT_NOFILE, (256, 256))
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse, StreamingResponse
from starlette.routing import Route
from gyoji.web.listening import answer, listen

async def plain(request):
    return PlainTextResponse("answer")

async def stream(request):
    async def events():
        yield b"begins\\n"
        await asyncio.Event().wait()
    return StreamingResponse(events())

listener = listen("127.0.0.1", 0)
print(listener.getsockname()[1], flush=True)
answer(Starlette(routes=[Route("/", plain), Route("/stream", stream)]), listener, lambda: None)
"""

ENGINE = """
import os, signal, socket, sys
port, had = int(sys.argv[1]), []
for words in (b"", b"GET /stream HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n"):
    os.read(0, 1)
    for part in range(4):  # a process may have 512 descriptors at strict
        reader, writer = os.pipe()
        if os.fork() == 0:
            kept = []
            for _ in range(250):
                try:
                    kept.append(socket.create_connection(("127.0.0.1", port), timeout=10))
                    kept[-1].sendall(words)
                    if words:
                        kept[-1].recv(1)
                except OSError:
                    continue
            os.write(writer, b"%d" % len(kept))
            os.close(writer)
            signal.pause()
        os.close(writer)
        had.append(int(os.read(reader, 10)))
    print(sum(had), flush=True)
    had.clear()
signal.pause()
"""
REQUEST = b"GET /stream HTTP/1.1\r\nHost: x\r\n\r\n"


def main():
    told = json.loads(sys.argv[1])
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE)
    try:
        report = attack(int(server.stdout.readline()), told)
    finally:
        server.kill()
    print(json.dumps(report))


def attack(port, told):
    executor = ContainedExecutor()
    with closing(executor), closing(streaming(port)) as reader:
        engine = started(executor, port, told)
        report = {"answered": {}}
        for name in ("silent", "streams"):
            os.write(engine.stdin, b"\n")
            report[name] = int(line_of(engine) or 0)
            report["answered"][name] = is_answered(port)
            report.setdefault("stays", is_open(reader))
        engine.kill()
        select.select([engine.pidfd], [], [], 20)
        engine.reap()
        engine.close()
    return report


def started(executor, port, told):
    place = Path(told["folder"], "place")
    for each in ("work", "tmp", "overlay/upper", "overlay/work"):
        (place / each).mkdir(parents=True)
    network = {"network": True} if "network" in Containment.__struct_fields__ else {}
    player = Player(
        code="silent",
        command=(sys.executable, "-I", "-S", "-c", ENGINE, str(port)),
        cwd=str(place / "work"),
        containment=Containment(level=told["level"], readable=tuple(told["readable"]), **network),
    )
    return executor.start(player, {"TMPDIR": str(place / "tmp")}, place=str(place))


def line_of(engine):
    text = b""
    while not text.endswith(b"\n") and select.select([engine.stdout], [], [], 40)[0]:
        if not (data := os.read(engine.stdout, 100)):
            break
        text += data
    return text.strip()


def streaming(port):
    """Return a connection whose event stream has begun."""
    connection = socket.create_connection(("127.0.0.1", port), timeout=20)
    connection.sendall(REQUEST)
    text = b""
    while b"begins" not in text:
        text += connection.recv(4096)
    return connection


def is_open(connection):
    connection.setblocking(False)
    try:
        return connection.recv(1) != b""
    except BlockingIOError:
        return True
    except OSError:
        return False


def is_answered(port):
    with suppress(OSError, HTTPException), closing(HTTPConnection("127.0.0.1", port, timeout=10)) as client:
        client.request("GET", "/")
        return client.getresponse().read() == b"answer"
    return False


if __name__ == "__main__":
    main()
