"""An event of CGOS clients as its organiser runs it: `gyoji run`, `gyoji serve --cgos`, and two clients."""

import asyncio
import re
import subprocess
import sys

import pytest
from served import awaited

from gyoji.core.wire import loads

EVENT = """competition = "allplayall"
rounds = 1
board_size = 9
komi = 7
ruleset = "chinese-ogs"
dead_stones = "alive"
clock = "2m"

[players]
nomo = { remote = true, protocol = "cgos" }
aya = { remote = true, protocol = "cgos" }
"""
GYOJI = (sys.executable, "-m", "gyoji")


async def play(port, name, password, moves, *, cut_after=None):
    """Play as a client, whose connection ends after so many moves and begins again. Return what it heard."""
    heard, made = [], 0
    while True:
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(f"e1 test genmove_analyze\n{name}\n{password}\n".encode())
        while line := (await asyncio.wait_for(reader.readline(), 60)).decode().rstrip():
            heard.append(line)
            if line.startswith("genmove"):
                if made == cut_after:
                    cut_after = None
                    break
                writer.write(f"{moves[made]}\n".encode())
                made += 1
            elif line.startswith("gameover"):
                writer.close()
                await writer.wait_closed()
                return [each for each in heard if not each.startswith("info")]
        writer.close()
        await writer.wait_closed()


@pytest.mark.slow
def test_two_clients_play_a_game_and_one_comes_back_in_its_middle(tmp_path):
    file = tmp_path / "cup.toml"
    file.write_text(EVENT)
    run = subprocess.Popen([*GYOJI, "run", "--quiet", str(file)])
    serve = [*GYOJI, "serve", "--port", "0", "--cgos", "0", str(file)]
    server = subprocess.Popen(serve, stdout=subprocess.PIPE, text=True)
    try:
        port, passwords = 0, {}
        while len(passwords) < 2:
            line = server.stdout.readline()
            assert line
            assert "gyoji join" not in line
            if found := re.search(r"connect to 127.0.0.1, port (\d+)", line):
                port = int(found[1])
            if found := re.search(r"user name (\S+), password (\S+)", line):
                passwords[found[1]] = found[2]

        async def both():
            said = 'e5 {"winrate":0.6,"score":2.5,"visits":90,"comment":"calm"}'
            return await asyncio.gather(
                play(port, "nomo", passwords["nomo"], [said, "e4", "pass"], cut_after=1),
                play(port, "aya", passwords["aya"], ["C3", "PASS"]),
            )

        nomo, aya = awaited(both())
        assert run.wait(60) == 0
    finally:
        server.kill()
        server.communicate()
        run.kill()
        run.wait()
    again = next(line for line in nomo if line.startswith("setup") and len(line.split()) > 7)
    assert again.split()[7::2] == ["E5", "C3"]
    assert [line.split()[2] for line in aya if line.startswith("play")] == ["E5", "E4", "pass"]
    assert nomo[-1].split()[2:] == aya[-1].split()[2:] == ["W+6.0"]
    exported = subprocess.run([*GYOJI, "export", "--to", "jsonl", str(file)], capture_output=True, check=True)
    (game,) = [loads(dict, line) for line in exported.stdout.splitlines()]
    assert [each["move"] for each in game["moves"]] == ["E5", "C3", "E4", "pass", "pass"]
    first = game["moves"][0]
    assert (first["comment"], first["opinion"]["win"], first["opinion"]["nodes"]) == ("calm", 0.6, 90)
