"""CGOS, compared line by line with what its own server and clients said to each other.

The transcripts are of the Python and the Tcl client of zakki/cgos 91bafa2, at its own Python server, with
GNU Go behind them. Two of the clients were killed in their game and started again.
"""

from pathlib import Path

import pytest

from gyoji.core import messages as m
from gyoji.core.clocks import Clock, TimeControl
from gyoji.core.outcome import Ending, Outcome
from gyoji.core.plugins import PROTOCOLS
from gyoji.games.go.game_options import Options
from gyoji.games.go.rules import GoRules
from gyoji.protocols.cgos.codec import CgosCodec
from gyoji.protocols.cgos.session import GREETING, GameTalk, Login, game_over
from gyoji.protocols.cgos.terms import objections

TRANSCRIPTS = sorted((Path(__file__).parent.parent / "data" / "cgos").glob("*.txt"))
MINUTE = TimeControl.parse("1m")
MS = 1_000_000


def rules(size=9, **options):
    return GoRules(
        Options(board_size=size, komi=7.0, **{"ruleset": "chinese-ogs", "dead_stones": "alive"} | options)
    )


class Replay:
    """One transcript: what the server said, and our halves in its place."""

    def __init__(self, text):
        self.connections = [
            [line.split(" ", 1) for line in part.splitlines() if not line.startswith("S> info")]
            for part in text.split("--\n")
        ]
        self.rules = rules()
        setup = next(line for who, line in self.connections[0] if line.startswith("setup")).split()
        self.number, white, black = int(setup[1]), *(name.partition("(")[0] for name in setup[5:7])
        name = self.connections[0][3][1]
        self.colour = "b" if name == black else "w"
        self.codec = PROTOCOLS.find("cgos").make_codec({})
        self.talk = GameTalk(self.number, black, white, self.colour)
        self.left, self.news = [60000, 60000], []

    @property
    def seat(self):
        return "bw".index(self.colour)

    def sent(self, request, now):
        lines = self.codec.send(request).decode().splitlines()
        return [line for each in lines for line in self.talk.take(each, now)]

    def begin(self):
        control = (MINUTE, MINUTE)
        request = m.NewGame(self.seat, self.rules, self.rules.start(), MINUTE, controls=control)
        lines = self.sent(request, 0.0)
        (ready,) = self.codec.receive(b"ready\n")
        assert isinstance(ready, m.Ready)
        return lines

    def moved(self, seat, text, left):
        self.left[seat] = left
        self.news.append(((seat, self.rules.parse(text)),))

    def ask(self, left):
        self.left[self.seat] = left
        clocks = tuple(Clock(each * MS, 0, 1, 0) for each in self.left)
        news, self.news = tuple(self.news), []
        return self.sent(m.AskMove(None, news, "", clocks[self.seat], clocks), 0.0)

    def answered(self, line):
        self.talk.answer(line, 0.0)
        (reply,) = self.codec.receive(line.encode() + b"\n")
        self.news.append(((self.seat, reply.move),))


def alike(line):
    """Leave out what differs on purpose: ratings, the case of moves, decimals of komi, the date."""
    return line.replace("(1800?)", "(0?)").upper().rstrip()


@pytest.mark.parametrize("path", TRANSCRIPTS, ids=lambda path: path.stem)
def test_a_client_is_told_what_its_own_server_told_it(path):
    replay = Replay(path.read_text())
    for number, lines in enumerate(replay.connections):
        login, game = lines[:6], lines[6:]
        steps = Login()
        said = [GREETING, *(steps.take(answer).line for who, answer in login if who == "C>")]
        assert said == [line for who, line in login if who == "S>"] + [""]
        due = replay.begin() if number == 0 else replay.talk.again(0.0)
        for place, (who, line) in enumerate(game):
            if who == "C>":
                if line != "ready":
                    replay.answered(line)
                continue
            word, *rest = line.split()
            if word == "gameover":
                assert not due
                continue
            if word == "play":  # of the opponent: the next question tells it, or the end of the game
                replay.moved(1 - replay.seat, rest[1], int(rest[2]))
                following = game[place + 1][1] if place + 1 < len(game) else ""
                if following.startswith("genmove"):
                    due += replay.ask(int(following.split()[2]))
                else:
                    news = tuple(replay.news[-1:])
                    due += replay.sent(m.TellMoves(None, news), 0.0)
            elif word == "genmove" and not due:  # the first move of the game
                due += replay.ask(int(rest[1]))
            elif word == "genmove" and number:  # the clock of the transcript went on
                due[0] = due[0].rpartition(" ")[0] + " " + rest[1]
                replay.left[replay.seat] = int(rest[1])
            assert alike(due.pop(0)) == alike(line)


def test_time_goes_on_while_a_client_is_away():
    talk = GameTalk(7, "a", "b", "b")
    assert talk.take("setup - 19 7.5 900000 - -", 0.0) == ["setup 7 19 7.5 900000 b(0?) a(0?)"]
    assert talk.take("genmove b 900000", 10.0) == ["genmove b 900000"]
    assert talk.again(12.5) == ["setup 7 19 7.5 900000 b(0?) a(0?)", "genmove b 897500"]
    talk.answer('Q16 {"winrate":0.5}', 20.0)
    assert talk.again(30.0) == ["setup 7 19 7.5 900000 b(0?) a(0?) Q16 890000"]


LOG = ("setup - 9 7.0 60000 - -", "genmove b 60000", "play b E5 59000", "play w C3 58000", "genmove b 59000")


@pytest.mark.parametrize("answered", [0, 1, 2])
def test_a_new_server_tells_a_client_its_game_from_the_log(answered):
    talk = GameTalk(7, "a", "b", "b")
    talk.answered_before(answered)
    told = [line for each in LOG for line in talk.take(each, 0.0)]
    whole = ["setup 7 9 7.0 60000 b(0?) a(0?) E5 59000 C3 58000", "genmove b 59000"]
    if answered == 0:
        assert told[0] == "setup 7 9 7.0 60000 b(0?) a(0?)"
    elif answered == 1:
        assert told == whole == talk.again(0.0)
    else:  # its last move is not known before the opponent's
        assert told == talk.again(0.0) == []
        talk.take("play b G7 50000", 0.0)
        talk.take("play w C4 57000", 0.0)
        assert talk.take("genmove b 50000", 0.0) == [f"{whole[0]} G7 50000 C4 57000", "genmove b 50000"]


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        ("nonsense", "Error: invalid response: expected e1 and the name of the client"),
        ("v1 viewer", "Error: there is nothing to view here: games are shown on the event's page"),
        ("e1 " + 300 * "x", "Error: that line is too long"),
    ],
)
def test_a_client_of_another_kind_is_told_so(answer, said):
    assert Login().take(answer).line == said


def test_passwords_are_not_changed():
    login = Login()
    login.take("e1 x")
    login.take("nomo")
    assert login.take("old new").line.startswith("Error: passwords are not changed here")


@pytest.mark.parametrize(
    ("outcome", "line"),
    [
        (Outcome(points=(1.0, 0.0), ending=Ending.SCORE, margin=3.5), "B+3.5"),
        (Outcome(points=(0.5, 0.5), ending=Ending.SCORE, margin=0.0), "Draw"),
        (Outcome(points=(0.0, 1.0), ending=Ending.RESIGNATION), "W+Resign"),
        (Outcome(points=(0.0, 1.0), ending=Ending.ILLEGAL_MOVE, seat=0, detail="a {ko}"), "W+Illegal a  ko"),
        (Outcome(points=(1.0, 0.0), ending=Ending.FAULT, seat=1, detail="gone"), "B+Forfeit gone"),
        (None, "Abort"),
    ],
)
def test_a_client_learns_the_result(outcome, line):
    assert game_over(outcome, "2026-11-24") == f"gameover 2026-11-24 {line}"


@pytest.mark.parametrize(
    ("options", "clock", "reason"),
    [
        ({}, "10m", ""),
        ({}, "5m + 3s", ""),
        ({"opening": "D4 E5"}, "10m", ""),
        ({"ruleset": "japanese"}, "10m", "its rules are fixed"),
        ({"ruleset": "chinese"}, "10m", "its rules are fixed"),
        ({"ruleset": "tromp-taylor"}, "10m", "its rules are fixed"),
        ({"ruleset": "none"}, "10m", "its rules are fixed"),
        ({"ruleset": "chinese-ogs", "dead_stones": "auto"}, "10m", "dead stones are settled"),
        ({"handicap": 2}, "10m", "handicap: "),
        ({"size": (9, 7)}, "10m", "board_size: "),
        ({}, "10m + 3x30s", 'clock: got "10m + 3x30s"'),
        ({}, "2s/move", 'clock: got "2s/move"'),
        ({}, "40/300", "clock: "),
        ({}, "5m hourglass", "clock: "),
        ({}, "5m + 3s delay", "clock: "),
        ({}, "none", "clock: "),
    ],
)  # fmt: skip
def test_games_that_it_cannot_express_are_refused_by_name(options, clock, reason):
    found = objections(rules(**options), TimeControl.parse(clock))
    assert [each.startswith(reason) for each in found] == ([True] if reason else [])


def ask(codec, game):
    codec.send(m.NewGame(0, game, game.start(), MINUTE))
    codec.receive(b"ready\n")
    codec.send(m.AskMove(None, (), "", MINUTE.start()))


@pytest.mark.parametrize(
    ("heard", "replies"),
    [
        (b"d4\n", [m.Moved]),
        (b"D4\r\n", [m.Moved]),
        (b"PASS\n", [m.Moved]),
        (b"Resign\n", [m.Resigned]),
        (b"huh\n", [m.Malformed]),
        (b"z99\n", [m.Malformed]),
        (b"\xff\xfe\x00\n", [m.Malformed]),
        (b"\n\n", []),
        (b"d4", []),
        (b"d4\ne5\npass\n", [m.Moved]),
        (b'd4 {"comment":"calm"}\n', [m.Moved, m.Comment]),
        (b'd4 {"winrate":1e999,"score":[],"moves":[1,{"pv":2}],"visits":-1}\n', [m.Moved]),
        (b"d4 {" + 1000 * b"[" + b"\n", [m.Moved]),
    ],
)
def test_an_answer_is_one_line_and_whatever_else_is_dropped(heard, replies):
    codec, game = CgosCodec(None), rules()
    ask(codec, game)
    assert [type(reply) for reply in codec.receive(heard)] == replies


def test_an_evaluation_is_that_of_the_move_and_its_variation_begins_with_it():
    codec, game = CgosCodec(None), rules()
    ask(codec, game)
    said = (
        b'D4 {"winrate":0.5,"score":1.0,"visits":300,"moves":['
        b'{"move":"C3","winrate":0.1,"visits":10,"pv":"E5"},'
        b'{"move":"D4","winrate":0.6,"score":2.5,"pv":"E5 C4"}]}'
    )
    (moved,) = codec.receive(said + b"\n")
    assert moved.evaluation == m.Evaluation(score=2.5, win=0.6, nodes=300, pv=("D4", "E5", "C4"))


def test_moves_before_a_question_and_twice_are_no_answers():
    codec, game = CgosCodec(None), rules()
    codec.send(m.NewGame(0, game, game.start(), MINUTE))
    assert not codec.receive(b"d4\n")
    assert [type(each) for each in codec.receive(b"ready\nd4\n")] == [m.Ready]
    codec.send(m.AskMove(None, (), "", MINUTE.start()))
    assert [type(each) for each in codec.receive(b"d5\nd6\n")] == [m.Moved]


def test_a_game_that_it_cannot_express_is_refused_by_the_codec_too():
    codec, game = CgosCodec(None), rules(ruleset="japanese")
    assert codec.send(m.NewGame(0, game, game.start(), MINUTE)) == b""
    (reply,) = codec.receive(b"")
    assert isinstance(reply, m.Unsupported)


def test_an_opening_is_told_with_the_first_line():
    codec, game = CgosCodec(None), rules(opening="D4 E5")
    sent = codec.send(m.NewGame(1, game, game.start(), MINUTE, controls=(MINUTE, MINUTE)))
    assert sent == b"setup - 9 7.0 60000 - - D4 60000 E5 60000\n"
