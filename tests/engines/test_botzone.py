"""The adapter for programs of Botzone: each question starts the program with the whole game so far."""

import json
import subprocess
import sys

import pytest

pytestmark = pytest.mark.process

JSON_BOT = """
import json, sys
told = json.load(sys.stdin)
turn = len(told["responses"])
answer = {"response": f"{told['requests'][turn]} after {told['responses']}", "data": str(turn), "debug": "x"}
print(json.dumps({**answer, "response": answer["response"] + told["data"]}, indent=1))
print(">>>BOTZONE_REQUEST_KEEP_RUNNING<<<")
"""
SIMPLE_BOT = """
import sys
count, *lines = sys.stdin.read().split("\\n")
turns = lines[: 2 * int(count) - 1]
print(f"{turns[-1]} of {count}, before {turns[:-1]}, data {lines[2 * int(count) - 1]}")
print("debug")
print(f"kept {count}")
"""


def said(bot, *requests, words=()):
    command = [sys.executable, "-m", "gyoji.engines.botzone", *words, sys.executable, "-c", bot]
    text = "".join(f"{json.dumps(request)}\n" for request in requests)
    return subprocess.run(command, check=False, input=text, capture_output=True, text=True)


def test_a_program_of_json_hears_all_requests_and_responses_and_its_data():
    done = said(JSON_BOT, "one", "two")
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == "one after []"
    assert second == "two after ['one after []']0"


def test_a_program_of_the_simple_interaction_does_too():
    done = said(SIMPLE_BOT, "one", "two", words=["--simple"])
    first, second = map(json.loads, done.stdout.splitlines())
    assert first == "one of 1, before [], data "
    assert second == "two of 2, before ['one', 'one of 1, before [], data '], data kept 1"


@pytest.mark.parametrize(
    ("bot", "message"),
    [("print('hello')", "no response in"), ("1 / 0", "no response in []"), ("print(3)", "no")],
)
def test_a_program_without_a_response_has_crashed(bot, message):
    done = said(bot, "one")
    assert (done.returncode, done.stdout) == (1, "")
    assert message in done.stderr.splitlines()[-1]


def test_a_program_that_is_not_there_is_named():
    command = [sys.executable, "-m", "gyoji.engines.botzone", "/no/such/bot"]
    done = subprocess.run(command, check=False, input='"x"\n', capture_output=True, text=True)
    assert "cannot start '/no/such/bot'" in done.stderr
