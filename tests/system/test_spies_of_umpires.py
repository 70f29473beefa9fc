"""What an umpire tells one seat alone reaches no other: no file, process, pipe or page that it can see."""

import json
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app
from gyoji.play.live_updates import Live
from gyoji.store.store import Store
from gyoji.web.live import LiveGame

pytestmark = [pytest.mark.process, pytest.mark.slow]

UMPIRE = """
import json, sys
from random import Random
def say(**message): print(json.dumps(message), flush=True)
begin = json.loads(input())["begin"]
hidden = "hidden" + str(Random(begin["seed"]).randrange(10**17, 10**18))
print(hidden, file=sys.stderr, flush=True)
say(tell={"seat": 1, "say": f"it is {hidden}"})
say(picture={"for": [1], "text": hidden})
say(picture={"for": [], "text": f"all: {hidden}"})
say(keep=hidden)
for seat in (1, 0):
    say(ask=[{"seat": seat, "say": "go"}])
    answer = json.loads(input())["answers"][str(seat)].get("say", "nothing")
    say(move={"seat": seat, "text": "answers"})
    if seat == 0:
        say(note={"text": answer})
        say(end={"points": [int(hidden in answer), int(len(answer.split()) > 1)], "reason": answer[:99]})
input()
"""

# Whatever looks hidden in what the spy can read anywhere is its answer.
SPY = """
import os, re, sys, time
found = set()
def look(text): found.update(re.findall("hidden[0-9]{18}", text))
look(sys.stdin.readline())
places = ["/proc/self/environ", *[f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]]
for pid in filter(str.isdigit, os.listdir("/proc")):
    places += [f"/proc/{pid}/{name}" for name in ("environ", "cmdline", "comm", "stat")]
end = time.monotonic() + 4
for top in (FOLDER, ".", "/dev/shm", "/run", "/tmp", "/var/tmp"):
    for folder, folders, files in os.walk(top):
        places += [os.path.join(folder, name) for name in files]
        if time.monotonic() > end - 2 or len(places) > 20000:
            break
for place in places:
    if time.monotonic() > end:
        break
    try:
        fd = os.open(place, os.O_RDONLY | os.O_NONBLOCK)
        look(os.read(fd, 1 << 16).decode(errors="replace"))
        os.close(fd)
    except OSError:
        pass
print(len(places), "places", " ".join(sorted(found)), flush=True)
sys.stdin.read()
"""
OTHER = "import sys; print(sys.stdin.readline().strip(), flush=True); sys.stdin.read()"


@pytest.fixture(scope="module")
def played(tmp_path_factory):
    folder = tmp_path_factory.mktemp("secrets")
    (folder / "umpire.py").write_text(UMPIRE, encoding="utf-8")
    (folder / "spy.py").write_text(SPY.replace("FOLDER", repr(str(folder))), encoding="utf-8")
    (folder / "other.py").write_text(OTHER, encoding="utf-8")
    (folder / "cup.toml").write_text(
        f"""competition = "playoff"
game = "umpire"
[umpire]
command = "{sys.executable} umpire.py"
[players]
spy = {{ command = "{sys.executable} -I -S spy.py" }}
other = {{ command = "{sys.executable} -I -S other.py" }}
[[matchups]]
players = ["spy", "other"]
number_of_games = 2
""",
        encoding="utf-8",
    )
    result = CliRunner().invoke(app, ["run", str(folder / "cup.toml"), "--transcripts", "-j", "1"])
    assert result.exit_code == 0, result.output
    with Store.read(folder / "cup.db") as store:
        return folder, [store.as_played(number) for number in (1, 2)]


def hidden_of(game):
    return json.loads(next(line for line in game.record.umpire if '"keep"' in line))["keep"]


def test_a_player_that_looks_everywhere_finds_nothing(played):
    folder, games = played
    for game in games:
        outcome = game.record.result.outcome
        assert int(outcome.detail.split()[0]) > 10
        assert outcome.totals == (0.0, 1.0)  # the spy has answered, and not with that number
    # It is there, for whoever may look: of the first game while the second was played, too.
    assert any(hidden_of(games[0]) in path.read_text(errors="replace") for path in folder.rglob("*.log"))


def test_spectators_of_a_game_in_progress_see_nothing(played):
    _, games = played
    game = games[0]
    live = LiveGame(game.spec, "", hidden=True)
    live.take(Live(id=game.spec.id, first=0, turns=game.record.turns, umpire=game.record.umpire))
    assert hidden_of(game) not in json.dumps([live.values(), live.news(0), live.brief(0)])


def test_the_page_of_results_shows_it_when_the_game_is_over(played):
    folder, games = played
    page = folder / "cup.html"
    CliRunner().invoke(app, ["report", "--format", "html", str(folder / "cup.toml"), "-o", str(page)])
    assert f"all: {hidden_of(games[0])}" in Path(page).read_text(encoding="utf-8")
