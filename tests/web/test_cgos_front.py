"""Players that connect by CGOS, in a run that the test plays: who is ready, who is told what, new servers."""

import asyncio
from types import SimpleNamespace

import pytest
from served import awaited

from gyoji.core import wire
from gyoji.core.clocks import TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.spec import GameSpec, Player
from gyoji.web.cgos_front import CgosFront
from gyoji.web.listening import listen

NAMES = ("nomo", "aya")
PLAYERS = {name: Player(code=name, command=("remote",), protocol="cgos", executor="remote") for name in NAMES}
SPEC = GameSpec(
    id="0_1", pairing="0", game="go", players=tuple(PLAYERS.values()), clock=TimeControl.parse("1m")
)
SETUP = "setup 3084352803 9 7.0 60000 aya(0?) nomo(0?)"
WON = Outcome(points=(0.0, 1.0), ending=Ending.SCORE, margin=18.0)


class Run:
    """A run as the server sees it, and the seat of the player nomo in it."""

    name = "cup"

    def __init__(self):
        self.event = SimpleNamespace(setup=SimpleNamespace(players=PLAYERS))
        self.run, self.playing, self.front = {}, {}, None
        self.commands = []  # (what, player)
        self.texts = []  # of the client, numbered
        self.seat_log = []  # messages of the seat, which are never acknowledged
        self.nonces = self.hellos = 0

    def command(self, *, do, player, game="", talk=None, remote=False):
        talk = wire.loads(dict | None, wire.dumps(talk))
        if do != "remote":
            assert remote
            self.commands.append((do, player))
        elif "hello" in talk and player == "nomo":
            self.hellos += 1
            assert talk["hello"] == {"session": "*"}
            self.say({"session": "s", "got": len(self.texts)}, *self.seat_log)
        elif "text" in talk:
            assert talk["n"] == len(self.texts) + 1
            self.texts.append(talk["text"])
        elif "p" in talk:
            self.nonces += 1

    def issued(self):
        self.playing[SPEC.id] = SPEC
        self.front.on_started(self, wire.decode(GameSpec, wire.loads(dict, wire.dumps(SPEC))))

    def started(self):
        self.issued()
        self.say({"call": "s"})

    def ended(self, outcome):
        self.playing.clear()
        result = {"outcome": wire.loads(dict, wire.dumps(outcome))} if outcome else None
        self.front.on_ended(self, SPEC.id, NAMES, result)

    def say(self, *messages):
        self.front.on_talk(self, {"player": "nomo", "game": "0_1", "talk": messages})

    def seat(self, text):
        """Have the seat of nomo write text."""
        self.seat_log.append({"n": len(self.seat_log) + 1, "c": 0, "text": text, "p": "x"})
        self.say(self.seat_log[-1])


def links(watched):
    return {name: f"cup/secret-of-{name}" for name in NAMES}


class Client:
    """A client as a script."""

    def __init__(self, port):
        self._port = port
        self.unread = []

    async def login(self, name="nomo", secret=""):
        self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port)
        self.say(f"e1 test\n{name}\n{secret or f'secret-of-{name}'}")
        assert [await self.line() for _ in range(3)] == ["protocol genmove_analyze", "username", "password"]
        return self

    def say(self, line):
        self._writer.write(f"{line}\n".encode())

    async def line(self):
        """Return the next line that is not of the kind "info"."""
        while True:
            line = (await asyncio.wait_for(self._reader.readline(), 60)).decode()
            if not line.startswith("info"):
                return line.rstrip()

    async def close(self):
        self._writer.close()
        await self._writer.wait_closed()


async def until(is_so):
    async with asyncio.timeout(60):
        while not is_so():
            await asyncio.sleep(0.001)


def playing(act):
    """Run `act` with a run, and a function that makes a server and returns a client of it."""

    async def go():
        run, fronts, clients = Run(), [], []

        async def served():
            front = CgosFront(SimpleNamespace(competitions={"cup": run}), links, print, setup_seconds=0.01)
            run.front = front
            listener = listen("127.0.0.1", 0)
            await front.begin(listener)
            fronts.append(front)

            def connect():
                clients.append(Client(listener.getsockname()[1]))
                return clients[-1]

            return connect

        try:
            await act(run, served)
        finally:
            for front in fronts:
                front.close()
            for client in clients:
                await client.close()

    awaited(go())


async def begun(run, connect):
    """Begin a game: nomo has Black, and is asked for its first move."""
    nomo = await connect().login()
    await until(lambda: run.commands == [("ready", "nomo")])
    run.started()
    assert run.commands[1] == ("away", "nomo")
    run.seat("setup - 9 7.0 60000 - -\n")
    assert await nomo.line() == SETUP
    await until(lambda: run.texts == ["ready\n"])
    run.seat("genmove b 60000\n")
    assert await nomo.line() == "genmove b 60000"
    return nomo


def test_a_player_is_ready_when_it_has_logged_in_and_after_each_game_that_it_has_acknowledged():
    async def act(run, served):
        nomo = await begun(run, await served())
        nomo.say("d4")
        await until(lambda: run.texts[1:] == ["d4\n"])
        run.seat("play b D4 59000\nplay w PASS 58000\n")
        assert await nomo.line() == "play w PASS 58000"
        run.ended(WON)
        assert (await nomo.line()).endswith(" W+18.0")
        assert len(run.commands) == 2
        nomo.say("ready")
        await until(lambda: run.commands[2:] == [("ready", "nomo")])
        await nomo.close()
        await until(lambda: run.commands[3:] == [("away", "nomo")])

    playing(act)


def test_a_client_that_comes_back_is_told_the_game_and_the_time_that_is_left():
    async def act(run, served):
        connect = await served()
        nomo = await begun(run, connect)
        nomo.say("d4 {}")
        await until(lambda: len(run.texts) == 2)
        run.seat("play b D4 59000\nplay w E5 58000\ngenmove b 59000\n")
        await nomo.close()
        nomo = await connect().login()
        assert await nomo.line() == f"{SETUP} D4 59000 E5 58000"
        word, _, left = (await nomo.line()).split()
        assert word == "genmove"
        assert 50_000 < int(left) <= 59_000
        nomo.say("c3")
        await until(lambda: run.texts[2:] == ["c3\n"])
        assert run.commands == [("ready", "nomo"), ("away", "nomo")]

    playing(act)


@pytest.mark.parametrize("is_answered", [True, False])
def test_a_new_server_goes_on_with_the_game(is_answered):
    async def act(run, served):
        nomo = await begun(run, await served())
        if is_answered:
            nomo.say("d4")
            await until(lambda: len(run.texts) == 2)
        connect = await served()
        run.started()
        run.front.on_run(run)
        run.say({"n": 3, "c": 0, "text": "", "p": "y"}, {"p": "z"})  # the seat knows of no new server yet
        nomo = await connect().login()
        if is_answered:  # what it answered is known when the opponent has moved
            await until(lambda: run.nonces > 2)
            run.seat("play b D4 59000\nplay w E5 58000\ngenmove b 59000\n")
            assert await nomo.line() == f"{SETUP} D4 59000 E5 58000"
        else:
            assert await nomo.line() == SETUP
        assert (await nomo.line()).startswith("genmove b ")
        nomo.say("c3")
        await until(lambda: run.texts[-1] == "c3\n")
        assert run.texts.count("ready\n") == 1

    playing(act)


def test_a_game_that_waits_for_a_worker_begins_when_its_seat_calls():
    async def act(run, served):
        nomo = await (await served())().login()
        await until(lambda: run.commands == [("ready", "nomo")])
        run.issued()
        assert run.hellos == 0
        run.say({"call": "s"})
        run.seat("setup - 9 7.0 60000 - -\n")
        assert await nomo.line() == SETUP

    playing(act)


def test_a_game_whose_host_is_lost_begins_anew_for_the_client():
    async def act(run, served):
        nomo = await begun(run, await served())
        nomo.say("d4")
        await until(lambda: len(run.texts) == 2)
        run.seat_log, run.texts = [], []
        run.say({"call": "another"})
        run.seat("setup - 9 7.0 60000 - -\n")
        assert await nomo.line() == SETUP
        await until(lambda: run.texts == ["ready\n"])

    playing(act)


def test_a_server_that_finds_the_run_again_goes_on_with_its_clients():
    async def act(run, served):
        nomo = await begun(run, await served())
        for run.run, run.playing in ((None, {}), ({}, {SPEC.id: SPEC})):
            if run.playing:
                run.issued()
            run.front.on_run(run)
        assert (await nomo.line()).startswith("gameover")
        assert await nomo.line() == SETUP

    playing(act)


def test_the_second_login_of_a_player_takes_the_place_of_the_first():
    async def act(run, served):
        connect = await served()
        first = await begun(run, connect)
        second = await connect().login()
        assert await first.line() == ""
        assert await second.line() == SETUP
        second.say("d4")
        await until(lambda: run.texts[1:] == ["d4\n"])
        assert run.commands == [("ready", "nomo"), ("away", "nomo")]

    playing(act)


def test_a_second_answer_and_one_of_the_wrong_player_reach_no_game():
    async def act(run, served):
        connect = await served()
        nomo = await begun(run, connect)
        aya = await connect().login("aya")
        aya.say("e5")
        nomo.say("d4\ne5\nready\npass")
        await until(lambda: len(run.texts) == 2)
        run.seat("play b D4 59000\nplay w E5 58000\ngenmove b 59000\n")
        assert (await nomo.line(), await nomo.line()) == ("play w E5 58000", "genmove b 59000")
        assert run.texts == ["ready\n", "d4\n"]

    playing(act)


@pytest.mark.parametrize(
    ("name", "secret", "said"),
    [
        ("nomo", "secret-of-aya", "Error: Sorry, password doesn't match"),
        ("nobody", "secret-of-nomo", "Error: there is no player nobody"),
        ("{}", "secret-of-nomo", "Error: there is no player"),
    ],
)
def test_a_wrong_password_and_an_unknown_player_are_refused(name, secret, said):
    async def act(run, served):
        client = await (await served())().login(name, secret)
        assert await client.line() == said
        assert await client.line() == ""
        assert run.commands == []

    playing(act)


def test_a_game_without_a_result_is_aborted_and_a_run_that_ends_too():
    async def act(run, served):
        connect = await served()
        nomo = await begun(run, connect)
        run.ended(None)
        assert (await nomo.line()).endswith(" Abort")
        nomo.say("ready")
        await until(lambda: run.commands[2:] == [("ready", "nomo")])
        run.seat_log, run.texts = [], []
        run.started()
        run.run = None
        run.front.on_run(run)
        run.run, run.playing = {}, {}
        run.front.on_run(run)
        assert run.commands[-1] == ("ready", "nomo")

    playing(act)


def test_a_game_that_ended_while_the_client_was_away_leaves_it_free():
    async def act(run, served):
        connect = await served()
        nomo = await begun(run, connect)
        await nomo.close()
        run.ended(WON)
        await connect().login()
        await until(lambda: run.commands[-1] == ("ready", "nomo"))

    playing(act)


def test_a_client_whose_password_is_taken_back_is_cut_off_and_the_new_one_is_good():
    async def act(run, served):
        connect = await served()
        nomo, aya = await connect().login(), await connect().login("aya")
        await until(lambda: len(run.commands) == 2)
        run.front._links = lambda watched: {**links(watched), "nomo": "cup/another"}
        run.front.on_links(run)
        assert (await nomo.line()).startswith("Error: the organiser has taken this password back")
        assert run.commands[2:] == [("away", "nomo")]
        await connect().login(secret="another")
        await until(lambda: run.commands[3:] == [("ready", "nomo")])
        aya.say("quit")
        assert await aya.line() == ""

    playing(act)
