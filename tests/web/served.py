"""Competitions that are run and served for tests, by processes of their own, as a user starts them."""

import asyncio
import fcntl
import json
import os
import subprocess
import sys
import termios
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

PATIENCE = 120
"""Seconds after which what is awaited will not come any more."""


def awaited(coroutine):
    """Return what a coroutine gives, in a thread of its own: an earlier test's browser has a loop in this
    one.
    """
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, coroutine).result()


ENGINE = Path(__file__).with_name("paced_engine.py")


class Moves:
    """The FIFOs of a game's engines: who plays what, when the test wants it."""

    def __init__(self, folder, names):
        self._files = {}
        for name in names:
            os.mkfifo(folder / f"{name}.fifo")
            # Open for both, so that neither end waits for the other
            self._files[name] = os.open(folder / f"{name}.fifo", os.O_RDWR)

    def play(self, name, move, words=""):
        os.write(self._files[name], f"{move} {words}\n".encode())

    def is_taken(self, name):
        """Whether the engine was asked for all moves that it was given."""
        return not int.from_bytes(fcntl.ioctl(self._files[name], termios.FIONREAD, bytes(4)), sys.byteorder)

    def close(self):
        for descriptor in self._files.values():
            os.close(descriptor)


SETTINGS = {
    "go": ("board_size = 5", "komi = 0.5"),
    "gomoku": ("board_size = 9",),
    "dighere": ('clock = "10m"',),
}
"""The settings of each game."""


def paced(folder, name="event", *, game="go", players=("ann", "ben"), more=""):
    """Return a control file of two engines that move when they are let, and their moves. In Dig Here the dog
    of ann is called ann-dog.
    """
    lines = [
        'competition = "playoff"',
        f'game = "{game}"',
        *SETTINGS[game],
        'sandbox = "off"',
        "skip_player_checks = true",
        more,
    ]

    def words(who):
        return json.dumps([sys.executable, str(ENGINE), str(folder / f"{who}.fifo"), game])

    for player in players:
        lines += [f"[players.{player}]", f"command = {words(player)}"]
        if game == "dighere":
            lines.append(f"partner = {words(f'{player}-dog')}")
    lines += ["[[matchups]]", f"players = {json.dumps(players)}", "number_of_games = 1"]
    path = folder / f"{name}.toml"
    path.write_text("\n".join(lines) + "\n")
    dogs = [f"{player}-dog" for player in players if game == "dighere"]
    return path, Moves(folder, [*players, *dogs])


@contextmanager
def started(*words, ends=True):
    """Yield a gyoji command in the background; ended when the block is left."""
    process = subprocess.Popen(
        [sys.executable, "-m", "gyoji", *map(str, words)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    try:
        yield process
    finally:
        if ends:
            process.terminate()
        with suppress(subprocess.TimeoutExpired):
            said, _ = process.communicate(timeout=PATIENCE)
            print(f"gyoji {words[0]} ended with status {process.returncode}:", said)  # if the test fails
        process.kill()
        process.wait()
        process.stdout.close()


def until(happens, what="it"):
    """Return what a function returns, as soon as that is true."""
    end = time.monotonic() + PATIENCE
    while not (found := happens()):
        assert time.monotonic() < end, f"{what} does not happen"
        time.sleep(0.02)
    return found


class Site:
    """A server that is asked."""

    def __init__(self, address, lines, process=None):
        self.process = process
        self.address = address.rstrip("/")
        self.place = urlsplit(address).netloc
        self._lines = lines
        self._read = []

    def ask(self, path, **headers):
        """(status, headers, text) of an answer."""
        connection = HTTPConnection(self.place, timeout=PATIENCE)
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, answer.headers, text

    def json(self, path):
        status, _, text = self.ask(path)
        assert status == 200, text
        return json.loads(text)

    def events(self, query="", **headers):
        """Events as (name, number, data), one after the other."""
        connection = HTTPConnection(self.place, timeout=PATIENCE)
        connection.request("GET", f"/api/v1/events?{query}", headers=headers)
        answer = connection.getresponse()
        assert answer.headers["Content-Type"].startswith("text/event-stream")
        event = {}
        try:
            while line := answer.readline():
                key, _, value = line.decode().rstrip("\n").partition(": ")
                if key:
                    event[key] = value
                elif event:
                    yield event["event"], event.get("id", ""), json.loads(event["data"])
                    event = {}
        finally:
            connection.close()

    def _said(self, beginning):
        """Return the line of the server that begins so, whether it has been read before or comes."""
        while True:
            for line in self._read:
                if line.startswith(beginning):
                    return line.strip()
            line = self._lines.readline()
            assert line, f"the server does not say {beginning!r}"
            self._read.append(line)

    def link(self, player):
        """Return the link of a person, as the server says it."""
        return self._said(f"{player} plays in ").rpartition(" here: ")[2]

    def organiser(self):
        """Return the link of the organiser."""
        return self._said("whoever opens this link").rpartition(": ")[2]

    def post(self, path, body, method="POST", **headers):
        """(status, text) of what is sent as JSON."""
        connection = HTTPConnection(self.place, timeout=PATIENCE)
        connection.request(method, path, json.dumps(body), {"Content-Type": "application/json", **headers})
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text

    def run_control(self):
        """Return the header of a request of the organiser."""
        return {"Authorization": f"Steer {self.organiser().rpartition('steer=')[2]}"}

    def until_event(self, events, name):
        """Return the data of the next event of that name."""
        return next(data for each, _, data in events if each == name)


@contextmanager
def serving(*words):
    """Yield a server of control files and folders, on any free port."""
    with started("serve", "--port", "0", *words) as process:
        address = process.stdout.readline().strip()
        assert address.startswith("http://"), address + process.stdout.read()
        yield Site(address, process.stdout, process)


def authorization(site, player):
    """Return the header of a request of a person."""
    return {"Authorization": f"Seat {site.link(player).partition('#')[2]}"}


class Chair:
    """A program that sits where a person does, and answers when it is asked."""

    def __init__(self, site, player):
        self.site, self.headers = site, authorization(site, player)
        status, _, text = site.ask("/api/v1/seat", **self.headers)
        assert status == 200, text
        self.events = site.events(f"seat={json.loads(text)['ticket']}")
        next(self.events)

    def ready(self):
        assert self.site.post("/api/v1/seat/ready", {"ready": True}, **self.headers)[0] == 200

    def asked(self):
        """Return the next question."""
        return self.next("ask")

    def next(self, kind):
        """Return the next event of a kind at the seat."""
        while True:
            news = self.site.until_event(self.events, "seat")
            for event in news["events"]:
                if event["event"] == kind:
                    return event

    def say(self, event, **answer):
        body = {"seat": event["seat"], "answer": {"question": event["question"], **answer}}
        return self.site.post("/api/v1/seat/say", body, **self.headers)


HEAR_AGAIN = """async () => {
  const buttons = document.querySelector("#words"); // each event enables them or greys them
  const seen = new Promise((done) =>
    new MutationObserver(done).observe(buttons, { attributes: true, subtree: true }));
  const Authorization = `Seat ${decodeURIComponent(location.hash.slice(1))}`;
  const headers = { Authorization, "Content-Type": "application/json" };
  await fetch("/api/v1/seat/say", { method: "POST", headers, body: JSON.stringify({ again: true }) });
  await seen;
}"""


def hear_again(page):
    """Wait until a page of a seat has been told all events once more, as after a cut."""
    page.evaluate(HEAR_AGAIN)


def of_module(page, name, expression):
    """Return the value of an expression with what a module of the page exports, such as `state.turn` of
    "state".
    """
    return page.evaluate(
        "async () => {"
        f" const address = document.querySelector('link[href$=\"/{name}.js\"]').href;"
        f" const told = await import(address); return (told).{expression}; }}"
    )


def game_of(page):
    """Return the game on the board of a page; None before it is there."""
    return of_module(page, "state", "state.game")


def press(page, selector):
    """Go to an element with the Tab key, and press it with Enter: nothing is done by mouse."""
    sought = page.locator(selector).first
    sought.wait_for()
    for _ in range(80):
        if sought.evaluate("each => each === document.activeElement"):
            page.keyboard.press("Enter")
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {selector}")


def type_move(page, move):
    """Type a move and send it: the field of moves is reached with the Tab key."""
    page.wait_for_selector(".asked, #counting")
    for _ in range(80):
        if page.evaluate("document.activeElement.id") == "move":
            break
        page.keyboard.press("Tab")
    page.keyboard.type(move)
    page.keyboard.press("Enter")


def turns(page):
    """Return how many turns of the game a page has been told."""
    return int(page.get_attribute("#viewer", "data-turns") or 0)


def click(page, column, row):
    """Return where a point of the board is on the screen: column and row from 0 and the top left, as it is
    shown.
    """
    return page.evaluate(
        "([column, row]) => {"
        " const board = document.querySelector('#board svg, #drawing svg');"
        " board.scrollIntoView({ block: 'center' });"
        " const at = new DOMPoint(9.5 + 10 * column, 9.5 + 10 * row).matrixTransform(board.getScreenCTM());"
        " return [at.x, at.y]; }",
        [column, row],
    )


def overlay(page, kind):
    """Return how many signs of a kind are drawn over the board."""
    return page.locator(f"#board .over .{kind}").count()


def two_seats(site, open_page, *, ann=None, other=None):
    """Return the pages of ann and of other. Both are ready, and ann is to move.

    Args:
        ann: Settings of her browser; those of the other's are `other`.
    """
    pages = open_page(site.link("ann"), **(ann or {})), open_page(site.link("other"), **(other or {}))
    for page in pages:
        page.click("#ready")
    pages[0].wait_for_selector(".asked")
    return pages
