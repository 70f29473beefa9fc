"""A competition of a game that an umpire decides, from its first run to its verification."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app

pytestmark = pytest.mark.process

EXAMPLES = Path(__file__).parents[2] / "examples" / "umpires"
ONE = f"{sys.executable} -c 'import sys\nfor line in sys.stdin: print(1, flush=True)'"
EVENT = f"""
competition = "allplayall"
game = "umpire"
rounds = 4
seed = 7

[umpire]
command = "sh nim.sh"
settings = {{ heap = 9 }}

[players]
one = {{ command = '''{ONE}''' }}
two = {{ command = '''{ONE.replace("print(1", "print(min(2, int(line))")}''' }}
"""


def gyoji(*words):
    result = CliRunner().invoke(app, list(map(str, words)))
    return result.exit_code, result.output


DEALS = """
import json, random
def say(**message): print(json.dumps(message), flush=True)
begin = json.loads(input())["begin"]
chance = random.Random(begin["seed"])
cards = ["card %d" % chance.randint(1, 4) for _ in range(3)]
for seat in range(3): say(tell={"seat": seat, "say": cards[seat]})
for seat in range(3):
    say(ask=[{"seat": seat, "say": WORDS}])
    input()
say(end={})
input()
"""


@pytest.mark.parametrize(("words", "is_broken"), [("'go'", False), ("cards[seat - 1]", True)])
def test_equal_cards_are_no_leak_and_the_card_of_another_is_one(tmp_path, words, is_broken):
    (tmp_path / "umpire.py").write_text(DEALS.replace("WORDS", words), encoding="utf-8")
    umpire = f"{sys.executable} {tmp_path}/umpire.py"
    status, output = gyoji("check", "--umpire", umpire, "--set", "umpire.seats=3")
    assert (status, "broken  tells no seat" in output) == (int(is_broken), is_broken), output
    assert ("seat 1 learns 'card 1', which seat 0 alone was told" in output) == is_broken


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("nim")
    (folder / "nim.sh").write_text((EXAMPLES / "nim.sh").read_text(encoding="utf-8"), encoding="utf-8")
    (folder / "nim.toml").write_text(EVENT, encoding="utf-8")
    status, output = gyoji("run", folder / "nim.toml", "--max-games", 1)
    assert status == 0, output
    status, output = gyoji("run", folder / "nim.toml")
    assert status == 0, output
    return folder / "nim.toml"


def test_a_run_that_goes_on_plays_the_rest(played):
    status, output = gyoji("show", played, "--json")
    told = json.loads(output)
    assert (status, told["remaining"]) == (0, 0)
    assert told["played"] == 4


def test_a_game_is_shown_in_the_words_of_the_umpire(played):
    status, output = gyoji("report", played, "--format", "html", "-o", played.with_suffix(".html"))
    assert status == 0, output
    assert "takes 2" in played.with_suffix(".html").read_text(encoding="utf-8")


def test_games_are_exported_with_what_the_umpire_said(played):
    status, output = gyoji("export", played, "--to", "jsonl")
    first = json.loads(output.splitlines()[0])
    assert status == 0
    assert json.loads(first["umpire"][0])["begin"]["settings"] == {"heap": 9}
    assert json.loads(first["umpire"][-1])["end"]["reason"] == "took the last"


def test_the_record_of_a_game_is_replayed(played):
    record = played.with_suffix(".games") / "AvB_0.umpire"
    status, output = gyoji("replay", record)
    assert (status, "the record says score, 0 to 1, the umpire score, 0 to 1" in output) == (0, True), output
    text = record.read_text(encoding="utf-8")
    changed = record.with_name("changed.umpire")
    changed.write_text(text.replace('"points":[1.0,0.0]', '"points":[0.0,1.0]'), encoding="utf-8")
    changed.write_text(text.replace('"points":[0.0,1.0]', '"points":[1.0,0.0]'), encoding="utf-8")
    try:
        status, output = gyoji("replay", changed)
    finally:
        changed.unlink()
    assert (status, "they differ" in output) == (0, True), output


def test_verifying_asks_the_umpire_again(played):
    status, output = gyoji("verify", played)
    assert (status, "no differences" in output) == (0, True)
    script = played.parent / "nim.sh"
    text = script.read_text(encoding="utf-8")
    try:
        script.write_text(text.replace("took the last", "had the last"), encoding="utf-8")
        status, output = gyoji("verify", played)
    finally:
        script.write_text(text, encoding="utf-8")
    assert status == 1
    assert output.count("umpire, line ") == 4
    assert "had the last" in output


def test_the_check_of_a_file_tries_its_umpire_and_its_players(played):
    status, output = gyoji("check", played)
    assert status == 0
    assert "  ok      says the same again for the same seed and answers\n" in output
    assert "player one: ok" in output


BROKEN = {
    "chance of its own": ("import random\nask(0); note(str(random.random())); end()", "says the same again"),
    "a crash at odd answers": ("int(ask(0)['0'].get('say', '0')); end()", "bears any answer"),
    "a crash at failures": ("ask(0)['0']['say']; end()", "bears seats that fail"),
    "a secret told to the other": (
        "tell(0, 'the card is 5'); ask(1); tell(1, 'the card is 5'); ask(1); end()",
        "tells no seat what it told another alone",
    ),
    "no end": ("while True: ask(0)", "ends every game"),
}
WORDS = """
import json, sys
def say(**message): print(json.dumps(message), flush=True)
def hear(): return json.loads(sys.stdin.readline())
def ask(seat): say(ask=[{"seat": seat, "say": "go", "choices": ["1"]}]); return hear()["answers"]
def tell(seat, text): say(tell={"seat": seat, "say": text})
def note(text): say(note={"text": text})
def end(): say(end={})
hear()
"""


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_promise_is_named(name, tmp_path, monkeypatch):
    script, promise = BROKEN[name]
    (tmp_path / "umpire.py").write_text(WORDS + script + "\n", encoding="utf-8")
    monkeypatch.setattr("gyoji.cli.umpire_checking.GAMES", 2)
    monkeypatch.setattr("gyoji.play.umpire_trial.MOST_QUESTIONS", 300)
    status, output = gyoji("check", "--umpire", f"{sys.executable} {tmp_path}/umpire.py", "--json")
    told = json.loads(output[output.index("{") : output.rindex("}") + 1])["umpire"]
    broken = [each["promise"] for each in told if each["problems"]]
    assert status == 1
    assert any(promise in each for each in broken), told
