"""``python -m bench.remote [--games N] [--kills N] [--delay MS]``: engines elsewhere, over a bad network.

Play an event of Go, gomoku and chess twice: with all engines here, and with half of them joined
(`gyoji join`) from another network namespace, over the bad line of `bench.far_network`: delay, pauses as for
a lost packet, and cuts of 5 s. It needs root and `openssl`: the connection is encrypted.

With `--kills`, processes of either side are killed meanwhile, and begun again: the run, the server, owners.

Check that

* every game is stored once, under the ids of the event with local engines;
* each game went move for move as there, except those whose owner was killed;
* no game was lost on time, and none for another fault except by a kill;
* `gyoji verify` finds no difference.

The exit status is 1 if anything was wrong.
"""

import argparse
import asyncio
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from random import Random

from bench.far_network import FarNetwork, Weather, far_network
from gyoji.store.store import Store

ADDRESS, PORT = "127.0.0.1", 8443
CUTS = 24.0
"""Mean seconds between two cuts."""

OWNERS_OF_A_GAME = OPPONENTS = 5
GAMES = {
    "go": ("board_size = 5\nkomi = 0.5", "gyoji-kozo --seed {}"),
    "gomoku": ("board_size = 9", "pbrain-narabe --seed {} --nodes 100"),
    "chess": ("", "gyoji-koma --seed {} --depth 1"),
}
GYOJI = (sys.executable, "-m", "gyoji")


def control_file(folder: Path, game: str, games: int, *, remote: bool) -> Path:
    """Write the control file of one game's event: each of some owners against as many engines here."""
    settings, command = GAMES[game]
    path = folder / f"{game}.toml"
    lines = [f'competition = "playoff"\ngame = "{game}"\n{settings}\nclock = "5m"\nlag = "8s"\nseed = 5']
    for number in range(OWNERS_OF_A_GAME):
        where = f'command = "{command.format(100 + number)}"'
        if remote:
            protocol = {"go": "gtp", "gomoku": "gomocup", "chess": "uci"}[game]
            where = f'remote = true\nprotocol = "{protocol}"'
        lines += [f"[players.x{number}]\n{where}"]
    lines += [f'[players.h{number}]\ncommand = "{command.format(number)}"' for number in range(OPPONENTS)]
    pairs = [(own, other) for own in range(OWNERS_OF_A_GAME) for other in range(OPPONENTS)]
    each, more = divmod(games, len(pairs))
    for number, (own, other) in enumerate(pairs):
        if count := each + (number < more):
            lines += [
                f'[[matchups]]\nplayers = ["x{own}", "h{other}"]\nnumber_of_games = {count}',
                "alternating = true",
            ]
    path.write_text("\n".join(lines) + "\n")
    return path


class Side:
    """A process that is begun again when it has been killed."""

    def __init__(self, words: Sequence[str], log: Path, namespace: Sequence[str]) -> None:
        self._words, self._log, self._namespace = words, log, namespace
        self.begin()

    def begin(self) -> None:
        self._begun = time.monotonic()
        self._read = self._log.stat().st_size if self._log.exists() else 0
        with self._log.open("ab") as log:
            words = (*self._namespace, *GYOJI, *self._words)  # executes: same pid
            self.process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=log, stderr=log)

    def begin_again(self) -> None:
        if self.process.poll() is not None and time.monotonic() > self._begun + 3:
            self.begin()

    def is_connected(self) -> bool:
        """Whether an owner has been connected since it was begun."""
        return b" connected\n" in self._log.read_bytes()[self._read :]

    def kill(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
            self.begin()

    def end(self) -> None:
        self.process.send_signal(signal.SIGTERM)
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(5)
        self.process.kill()
        self.process.wait()


def moves(path: Path) -> dict[str, tuple[object, ...]]:
    """Return the moves of each stored game."""
    with Store.read(path.with_suffix(".db")) as store:
        return {result.id: _turns(store, result.id) for result in store.results()}


def _turns(store: Store, game: str) -> tuple[object, ...]:
    return tuple((each.seat, each.move) for turn in store.record(game)[1].turns for each in turn)


def outcomes(path: Path) -> dict[str, object]:
    with Store.read(path.with_suffix(".db")) as store:
        return {result.id: result.outcome for result in store.results()}


def play_here(path: Path) -> None:
    subprocess.run([*GYOJI, "run", "-q", str(path)], check=True, stdout=subprocess.DEVNULL)


async def play_there(
    paths: Sequence[Path], folder: Path, network: FarNetwork, kills: int, random: Random
) -> int:
    """Play events with remote players. Return the number of kills."""
    certificate = ("--cert", str(folder / "cert.pem"), "--key", str(folder / "key.pem"))
    served = ("serve", *map(str, paths), "--port", str(PORT))
    address = f"https://{ADDRESS}:{PORT}"
    owners: dict[str, Side] = {}
    links = {}
    for path in paths:
        told = subprocess.run(
            [*GYOJI, "invite", str(path), "--at", address], capture_output=True, text=True, check=True
        )
        for line in told.stdout.splitlines():
            player, link = line.split(": ", 1)
            links[path.stem, player] = link
    server = Side((*served, *certificate), folder / "serve.log", network.near)
    runs = [
        Side(("run", "-q", "-j", str(OWNERS_OF_A_GAME), str(path)), folder / f"{path.stem}.run", network.near)
        for path in paths
    ]
    await asyncio.sleep(4)
    for (game, player), link in links.items():
        command = GAMES[game][1].format(100 + int(player[1:]))
        words = ("join", link, "--ca", str(folder / "cert.pem"), "--", *command.split())
        owners[f"{game} {player}"] = Side(words, folder / f"{game}-{player}.join", network.far)
    killed, killed_owners = Counter[str](), set[Side]()
    due = float("inf")  # until all are there: a busy machine takes minutes, and nobody plays before
    while any(run.process.poll() is None for run in runs):
        await asyncio.sleep(0.2)
        if due == float("inf") and all(each.is_connected() for each in owners.values()):
            due = time.monotonic() + 5
        for each in killed_owners:  # it was refused while the killed one seemed to be there
            each.begin_again()
        if sum(killed.values()) < kills and time.monotonic() > due:
            due = time.monotonic() + random.uniform(1, 5)
            kind = random.choice(("owner", "owner", "server", "run"))
            side = {
                "owner": random.choice(list(owners.values())),
                "server": server,
                "run": random.choice(runs),
            }[kind]
            if side.process.poll() is None and (kind != "owner" or side.is_connected()):
                side.kill()
                killed[kind] += 1
                if kind == "owner":
                    killed_owners.add(side)
    for side in (*owners.values(), server):
        side.end()
    print(f"killed: {dict(killed)}", flush=True)
    return sum(killed.values())


def compare(here: Path, there: Path, *, may_be_killed: bool) -> list[str]:
    """Return what is wrong with the event of remote players, in lines."""
    wrong = []
    expected, played, ends = moves(here), moves(there), outcomes(there)
    if expected.keys() != played.keys():
        wrong.append(f"{there.stem}: other games: {sorted(expected.keys() ^ played.keys())}")
    lost = Counter[str]()
    for game in expected.keys() & played.keys():
        ending, detail = ends[game].ending, ends[game].detail
        if ending.is_forfeit:
            lost[ending.value] += 1
            if not (
                may_be_killed
                and "gyoji join" in detail
                and expected[game][: len(played[game])] == played[game]
            ):
                wrong.append(f"{there.stem} {game}: {detail}")
        elif expected[game] != played[game]:
            wrong.append(f"{there.stem} {game}: differs at turn {sum(1 for _ in played[game])}")
    verified = subprocess.run([*GYOJI, "verify", str(there)], capture_output=True, text=True, check=False)
    if verified.returncode:
        wrong.append(f"{there.stem}: verify: {verified.stdout[-300:]}")
    turns = sum(map(len, played.values()))
    print(
        f"{there.stem}: {len(played)} games, {turns} turns, {len(wrong)} differences, forfeits {dict(lost)}",
        flush=True,
    )
    return wrong


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--delay", type=float, default=80.0, help="round trip in ms")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--folder", type=Path)
    wanted = parser.parse_args()
    folder = wanted.folder or Path(tempfile.mkdtemp(prefix="gyoji-remote-"))
    random = Random(wanted.seed)
    shares = {game: wanted.games // 3 + (number < wanted.games % 3) for number, game in enumerate(GAMES)}
    for name in ("here", "there"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    here = [control_file(folder / "here", game, games, remote=False) for game, games in shares.items()]
    there = [control_file(folder / "there", game, games, remote=True) for game, games in shares.items()]
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=gyoji",
         "-addext", f"subjectAltName=IP:{ADDRESS}",
         "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
        check=True, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for path in here:
        play_here(path)
    began = time.monotonic()
    weather = Weather(delay=wanted.delay / 2000, cuts=CUTS, seed=wanted.seed)
    with far_network([PORT], weather) as network:
        killed = asyncio.run(play_there(there, folder, network, wanted.kills, random))
        line = network.end()
    wrong = [
        each for pair in zip(here, there, strict=True) for each in compare(*pair, may_be_killed=bool(killed))
    ]
    for each in wrong:
        print(each)
    print(
        f"{wanted.delay:g} ms, {line['cuts']} cuts of 5 s, {line['pauses']} pauses, {killed} kills,"
        f" {time.monotonic() - began:.0f} s; in {folder}"
    )
    return 1 if wrong else 0


if __name__ == "__main__":
    os.environ.pop("GYOJI_RUN", None)
    sys.exit(main())
