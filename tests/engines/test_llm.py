"""gyoji-llm beside a scripted service: its vices, the four protocols, the cache and the budget."""

import io
import json
import os
import subprocess
import sys
import threading

import pytest
from model_server import Reply, chat, move, serving

from gyoji.engines import llm
from gyoji.engines.llm_client import MOST_BYTES, Model, Outage, Said, Settings
from gyoji.engines.llm_faces import GomocupPlayer, GtpPlayer, SpokenPlayer, UciPlayer, face_of, go_board
from gyoji.engines.llm_player import Player

QUESTION = [{"role": "user", "content": "your move"}]


def model(service, slept=None, **settings):
    pauses = [] if slept is None else slept
    return Model(Settings(url=service.url, model="m", **{"patience": 5.0, **settings}), pauses.append)


def said(script, **settings):
    """Return what a model says to one question, the seconds that were waited, and the service."""
    slept = []
    with serving(script) as service:
        return model(service, slept, **settings).ask(QUESTION, "move"), slept, service


# Twenty ways in which a service answers. The first ones are answers, good or bad; the others are none.

ANSWERS = {
    "good": (move("D4", "corner"), "D4", "corner"),
    "a number": (chat('{"move": 7}'), 7, ""),
    "prose around it": (chat('I play {"move": "D4"}.'), None, 'I play {"move": "D4"}.'),
    "in a fence": (chat('```json\n{"move": "D4"}\n```'), None, '```json\n{"move": "D4"}\n```'),
    "prose with a move": (chat("D4 is best. D4!"), None, "D4 is best. D4!"),
    "a list": (chat('["D4"]'), None, '["D4"]'),
    "another key": (chat('{"answer": "D4"}'), None, ""),
    "null": (chat('{"move": null}'), None, ""),
    "nothing": (chat(""), None, ""),
    "no text": (chat(None), None, ""),
    "a refusal": (chat(None, refusal="I do not play games."), None, "I do not play games."),
    "deep": (chat("[" * 100_000), None, "[" * 2000),
}


@pytest.mark.parametrize("vice", ANSWERS)
def test_a_move_is_taken_from_its_field_alone(vice):
    body, answer, text = ANSWERS[vice]
    found, slept, service = said([body])
    assert (found.answer, found.text, found.tokens) == (answer, text, (90, 10))
    assert (slept, len(service.asked)) == ([], 1)


PASSING = {
    "429 with Retry-After": (Reply(b"slow down", 429, Retry_After="3"), [3.0]),
    "429 with a date": (Reply(b"slow down", 429, Retry_After="Tue, 24 Nov 2026 17:00:00 GMT"), [0.5]),
    "500": (Reply(b"oops", 500), [0.5]),
    "cut short": (Reply(move("A1"), sent=20), [0.5]),
    "no JSON": (Reply(b"<html>"), [0.5]),
    "no choices": (Reply(b'{"choices": []}'), [0.5]),
    "a stream": (Reply(b'data: {"choices": [{}]}\n\n', Content_Type="text/event-stream"), [0.5]),
    "a megabyte": (Reply(b" " * (MOST_BYTES + 1)), [0.5]),
}


@pytest.mark.parametrize("vice", PASSING)
def test_what_passes_is_waited_for(vice):
    reply, pauses = PASSING[vice]
    found, slept, _ = said([reply, move("D4")])
    assert (found.answer, slept) == ("D4", pauses)


def test_pauses_double_until_patience_is_over():
    slept = []
    overloaded = pytest.raises(Outage, match="status 503: overloaded")
    with serving(lambda _body: Reply(b"overloaded", 503)) as service, overloaded:
        model(service, slept, patience=1.4).ask(QUESTION, "move")
    assert slept == [0.5, 1.0]


def test_a_longer_wait_than_patience_is_an_outage_at_once():
    slept = []
    with serving([Reply(b"", 429, Retry_After="60")]) as service, pytest.raises(Outage, match="status 429"):
        model(service, slept).ask(QUESTION, "move")
    assert slept == []


@pytest.mark.parametrize(("status", "asked"), [(401, 1), (404, 1), (400, 2), (302, 1)])
def test_what_does_not_pass_is_an_outage_at_once(status, asked):
    with serving(lambda _body: Reply(b"wrong key", status)) as service:
        with pytest.raises(Outage, match="wrong key"):
            model(service).ask(QUESTION, "move")
        assert len(service.asked) == asked  # 400: once more, without response_format


def test_a_service_that_never_answers_is_an_outage():
    late = pytest.raises(Outage, match="TimeoutError")
    with serving(lambda _body: Reply(move("D4"), wait=30)) as service, late:
        model(service, patience=0.2).ask(QUESTION, "move")


def test_nobody_there_is_an_outage():
    with pytest.raises(Outage, match="ConnectionRefusedError"):
        Model(Settings(url="http://127.0.0.1:9/v1", model="m", patience=0.1), [].append).ask(QUESTION, "move")


def test_a_server_that_does_not_know_the_format_is_asked_without_it():
    bad = Reply(b"response_format: unknown field", 400)
    _, slept, service = said([bad, move("D4")], key="s3cret", more={"temperature": 0})
    (path, headers, first), (_, _, second) = service.asked
    assert (path, headers["Authorization"], slept) == ("/v1/chat/completions", "Bearer s3cret", [])
    assert first == {"response_format": {"type": "json_object"}, **second}
    assert second == {"temperature": 0, "model": "m", "messages": QUESTION}


def test_a_later_run_of_the_same_game_costs_nothing(tmp_path):
    with serving([move("A1"), move("B1"), move("C1")]) as service:
        first, again = model(service, cache=tmp_path), model(service, cache=tmp_path)
        answers = [first.ask(QUESTION, "move", "game 1").answer for _ in range(2)]
        assert answers == ["A1", "B1"]
        assert [again.ask(QUESTION, "move", "game 1").answer for _ in range(2)] == answers
        assert again.ask(QUESTION, "move", "game 2").answer == "C1"
        assert len(service.asked) == 3


def test_the_budget_is_counted_over_all_games_and_then_nothing_is_asked(tmp_path):
    file = tmp_path / "spent.json"
    limits = {"budget": file, "most_tokens": 150, "prices": (1.0, 5.0)}
    with serving([move("A1"), move("B1"), move("C1")]) as service:
        for _ in range(2):
            model(service, **limits).ask(QUESTION, "move")
        spent = json.loads(file.read_text())
        assert spent == {"tokens": 200, "money": pytest.approx(2 * (90 + 50) / 1e6)}
        with pytest.raises(Outage, match="the budget is spent: 200 tokens"):
            model(service, **limits).ask(QUESTION, "move")
        with pytest.raises(Outage, match="the budget is spent"):
            model(service, budget=file, most_money=0.0002).ask(QUESTION, "move")
        assert len(service.asked) == 2
    file.write_text("[]")
    with pytest.raises(Outage, match="it is no budget"):
        model(service, **limits).ask(QUESTION, "move")


# The faces


class Script:
    """A model that says what it is told to, without a service."""

    def __init__(self, *answers):
        self.answers, self.asked = list(answers), []
        self.settings = Settings(url="http://x", model="m")

    def ask(self, messages, field, sample=""):
        self.asked.append(messages[-1]["content"])
        return Said(self.answers.pop(0), "so", (5, 1))


def lines(face, *commands):
    return [face.answer(f"{each}\n".encode()).decode().strip() for each in commands]


def test_gtp_tells_the_board_the_refused_moves_and_the_cost():
    script = Script("d4", "E5", "C3")
    face = GtpPlayer(Player(script))
    told = lines(face, "boardsize 5", "komi 0.5", "play b A1", "play w B1", "play w A2", "genmove b", "undo")
    assert told[-2:] == ["= D4", "="]
    assert lines(face, "genmove b", "gomill-explain_last_move") == [
        "= E5",
        "= so [5+1 tokens, refused: D4, 0.0 s]",
    ]
    assert " 2 O . . . .\n 1 . O . . ." in script.asked[0]  # A1 is captured
    assert "D4 was refused: it is illegal here." in script.asked[1]
    assert lines(face, "play w C3", "genmove b")[-1] == "= C3"
    assert "refused" not in script.asked[2]


def test_gtp_passes_on_that_there_is_no_move_after_as_many_answers():
    script = Script(None, 7, ["D4"], "D 4")
    face = GtpPlayer(Player(script, rethinks=2))
    assert lines(face, "boardsize 5", "genmove b", "gomill-explain_last_move")[1:] == [
        "= unreadable",
        "= so [3 answers, none with a move, 15+3 tokens, 0.0 s]",
    ]
    assert "no object in JSON" in script.asked[1]
    assert lines(face, "genmove b") == ["= unreadable"]  # two words are no move


def test_gomocup_says_that_there_is_no_point_and_is_told_what_was_refused():
    script = Script("0,0", "8,8", "hello", None)
    face = GomocupPlayer(Player(script, rethinks=0))
    assert lines(face, "START 15", "TURN 0,0") == ["OK", "MESSAGE so [5+1 tokens, 0.0 s]\n0 0"]
    again = lines(face, "BOARD", "0,0,2", "DONE")[-1]
    assert again == "MESSAGE so [5+1 tokens, refused: 0,0, 0.0 s]\n8,8"
    assert lines(face, "TURN 1,1", "END")[0].endswith("0 0")
    assert "O . . ." in script.asked[0]


def test_uci_asked_again_about_a_position_has_been_refused():
    script = Script("e2e5", "e2e4", "g1f3", "e7e5")
    face = UciPlayer(Player(script))
    assert lines(face, "uci", "isready", "ucinewgame", "position startpos", "go")[-1].endswith(
        "bestmove e2e5"
    )
    assert lines(face, "position startpos", "go movetime 5")[-1].endswith("bestmove e2e4")
    assert "e2e5 was refused" in script.asked[1]
    assert lines(face, "position startpos moves e2e4 e7e5", "go")[-1].endswith("bestmove g1f3")
    assert "refused" not in script.asked[2]
    assert "You are White" in script.asked[2]
    lines(face, "position fen 8/8/8/8/8/8/8/K6k b - - 0 1", "go")
    assert "You are Black" in script.asked[3]


@pytest.mark.parametrize(
    ("is_json", "answer", "line"), [(True, {"x": 1}, b'{"x": 1}\n'), (False, "a\nb", b"a b\n")]
)
def test_what_an_umpire_writes_together_is_one_question(is_json, answer, line):
    answered = threading.Event()

    class Sink(io.BytesIO):
        def flush(self):
            answered.set()

    script, sink = Script(answer, answer), Sink()
    reading, writing = os.pipe()
    face = SpokenPlayer(Player(script), is_json=is_json)
    thread = threading.Thread(target=face.run, args=(reading, sink))
    thread.start()
    os.write(writing, b'"dice 3 3"\n"bid')
    os.write(writing, b' 0 0"\n')
    assert answered.wait(10)
    os.close(writing)
    thread.join()
    os.close(reading)
    assert (sink.getvalue(), len(script.asked)) == (line, 1)
    assert '"dice 3 3"\n"bid 0 0"' in script.asked[0]


def test_the_first_line_tells_the_protocol():
    player = Player(Script())
    kinds = [type(face_of(first, player)) for first in (b"uci\n", b"START 15\r\n", b"1 name\n", b"\n")]
    assert kinds == [UciPlayer, GomocupPlayer, GtpPlayer, GtpPlayer]


def test_a_move_that_is_no_point_leaves_the_board_out():
    assert go_board([("b", "Z99")], 5, 5) == ""
    assert go_board([("b", "PASS")], 5, 5).count(".") == 26


# The program


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"--model": "m"}, "--url is required"),
        ({"--url": "x"}, "--model is required"),
        ({"--url": "x", "--model": "m"}, "expected an address such as"),
        ({"--url": "http://x", "--model": "m", "--key-from": "NO_SUCH"}, "no environment variable NO_SUCH"),
        ({"--url": "http://x", "--model": "m", "--more": "[]"}, "--more: expected an object"),
        ({"--url": "http://x", "--model": "m", "--patience": "soon"}, "--patience: expected a number"),
        ({"--url": "http://x", "--model": "m", "--speak": "sgf"}, "--speak: expected json or text"),
    ],
)
def test_mistakes_of_the_command_line_are_told(options, told):
    ended = llm.talk(options)
    assert (ended.status, told in ended.why) == (2, True)


def test_an_outage_ends_the_program_with_its_status():
    with serving(lambda _body: Reply(b"no such model", 404)) as service:
        done = subprocess.run(
            [sys.executable, "-m", "gyoji.engines.llm", "--url", service.url, "--model", "m"],
            input=b"boardsize 5\ngenmove b\n",
            capture_output=True,
            check=False,
            timeout=300,
        )
    assert (done.returncode, done.stdout) == (75, b"=\n\n")
    assert done.stderr == b"gyoji-llm: status 404: no such model\n"
