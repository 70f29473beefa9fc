"""`gyoji play` with what a person types in a file; `tests/system/test_play.py` has it at a terminal."""

import shlex
import sys

import pytest

from gyoji.cli.app import app
from gyoji.core.plugins import GAMES
from gyoji.core.replay import Wanted
from gyoji.scheduler.status import ExitStatus

pytestmark = pytest.mark.process

KOZO = f"{shlex.quote(sys.executable)} -m gyoji.engines.kozo"
NARABE = f"{shlex.quote(sys.executable)} -m gyoji.engines.narabe"
HORIDASHI = f"{shlex.quote(sys.executable)} -m gyoji.engines.horidashi"


class Person:
    """Somebody who types these lines; what was shown, the exit status, and what was written."""

    def __init__(self, folder, monkeypatch, capsys):
        self._folder, self._patch, self._capsys = folder, monkeypatch, capsys

    def play(self, *words, typed):
        (self._folder / "typed").write_text("".join(f"{line}\n" for line in typed))
        with open(self._folder / "typed") as file:
            self._patch.setattr(sys, "stdin", file)
            keep = self._folder / "kept"
            status = app.main(
                ["play", *map(str, words), "--name", "me", "--keep", str(keep)], standalone_mode=False
            )
        self.shown, self.complaints = self._capsys.readouterr()
        self.files = {path.suffix: path for path in keep.glob("*")}
        return status

    def replayed(self, game):
        """Return the record as it is replayed."""
        (form,) = [GAMES.find(game).record_format(name) for name in GAMES.find(game).records]
        (replay,) = form.replay(self.files[form.suffix].read_bytes(), Wanted())
        return replay

    def fact(self, game, label):
        return dict(self.replayed(game).facts)[label]


@pytest.fixture
def person(tmp_path, monkeypatch, capsys):
    return Person(tmp_path, monkeypatch, capsys)


def test_a_person_plays_an_engine_until_it_resigns(person):
    status = person.play(KOZO, "--size", 5, "--transcripts", typed=["C3", "c3", "Z1", "hm", "resign"])
    assert status == ExitStatus.COMPLETE
    said = person.shown
    assert said.startswith("You are black. A move is a point such as D4, or pass.\n")
    assert "black> c3\noccupied point C3\nblack> Z1\n'Z1' is off the 5x5 board; help" in said
    assert "kozo (white): " in said
    assert "kozo beat me W+R\nwritten: " in said.replace("gyoji.engines.", "")
    assert person.fact("go", "moves") == "2"
    assert not person.replayed("go").refusals
    assert '<< me: {"question":3,"request":"resign"}' in person.files[".log"].read_text()


def test_a_game_of_go_is_played_to_its_end(person):
    assert (
        person.play(KOZO, "--size", 5, "--colour", "w", typed=["C3", *["pass", "none"] * 99])
        == ExitStatus.COMPLETE
    )
    assert " beat " in person.shown
    assert person.fact("go", "white") == "me"


def test_a_game_of_gomoku_is_played_to_its_end(person):
    moves = [f"{column}{row}" for row in "135" for column in "abcdefg"]
    assert person.play(NARABE, "--game", "gomoku", "--size", 7, typed=moves) == ExitStatus.COMPLETE
    assert "narabe beat me W+ (five" in person.shown.replace("gyoji.engines.", "")
    assert not person.replayed("gomoku").refusals


def test_a_person_plays_samurai_and_dog(person):
    status = person.play(
        HORIDASHI, "--game", "dighere", "--colour", "1", "--set", "steps=2", typed=["-1", "0"] * 3
    )
    assert status == ExitStatus.COMPLETE
    for words in ("You are team 1 samurai. A move is a plan", "team 1 samurai> -1\n", "team 1 dog> 0\n"):
        assert words in person.shown
    assert "step 0 of 2; team 0 has 0, team 1 has 0, " in person.shown
    assert "?" not in person.shown.split("team 1 samurai>")[0]  # what a samurai does not know it is not shown
    assert not person.replayed("dighere").refusals


def test_the_clock_may_be_the_engines_alone(person):
    person.play(KOZO, "--clock", "1m", typed=["resign"])
    assert "\nblack (1m)> resign\n" in person.shown
    person.play(KOZO, "--clock", "1m", "--untimed", "--transcripts", typed=["C3", "resign"])
    assert "\nblack> resign\n" in person.shown
    assert ": time_settings 60 0 0\n" in person.files[".log"].read_text()


def test_there_are_no_requests_where_several_move_at_once(person):
    person.play(HORIDASHI, "--game", "dighere", "--set", "steps=1", typed=["undo", "-1", "0"])
    assert (
        "team 0 samurai> undo\nthere are no requests in games in which several move at once\n" in person.shown
    )


@pytest.mark.parametrize(
    ("typed", "moves"), [(["C3"], "2"), (["C3", "quit"], "2"), (["C3", "EXIT", "D4"], "2")]
)
def test_who_leaves_has_no_result_and_the_moves_are_kept(person, typed, moves):
    assert person.play(KOZO, "--size", 5, typed=typed) == ExitStatus.STOPPED
    assert "the game has no result: left by the person" in person.complaints
    assert person.fact("go", "moves") == moves
    assert not person.replayed("go").refusals


def test_an_engine_that_cannot_be_started_is_named(person):
    assert person.play("no-such-program", typed=[]) == ExitStatus.HALTED
    assert "no program 'no-such-program' on PATH" in person.complaints
    assert person.files == {}


def test_an_engine_that_never_gets_ready_is_no_success(person):
    dying = shlex.join([sys.executable, "-c", "import sys; sys.exit('no licence')"])
    assert person.play(dying, typed=["C3"]) == ExitStatus.HALTED
    assert "at start-up: exited (exit 1)" in person.shown
    assert "no licence" in person.complaints


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--colour", "red"], "--colour: expected black or white, got 'red'"),
        (["--game", "dighere", "--colour", "team"], "--colour: expected team 0 or team 1, got 'team'"),
        (["--game", "hex"], "no game 'hex'"),
        (["--size", "99"], "board_size"),
        (["--set", "take_backs=maybe"], "take_backs"),
    ],
)
def test_mistakes_are_told_before_anything_is_started(person, words, message):
    assert person.play(KOZO, *words, typed=[]) == ExitStatus.USAGE
    assert message in person.complaints
    assert person.files == {}


def test_a_game_may_allow_no_requests(person):
    words = ["--set", "take_backs=never", "--set", "draw_offers=false", "--set", "hints=false"]
    person.play(KOZO, "--size", 5, *words, typed=["undo", "draw", "hint", "resign"])
    for notice in ("no move can be taken back", "no draw can be offered", "there are no hints"):
        assert f"\n{notice} in this game\nblack> " in person.shown


SUGGESTING = """
from gyoji.engines.gomocup import Brain, Result
Brain(lambda game: Result(game.empty[0], suggest=True), name="S").run()
"""


def test_a_person_chooses_the_moves_of_a_brain_that_suggests_them_and_limits_its_time(person, tmp_path):
    (tmp_path / "brain.py").write_text(SUGGESTING)
    brain = shlex.join([sys.executable, str(tmp_path / "brain.py")])
    typed = ["d4", "d4", "e5", "limit 7s", "b3", "play", "resign"]
    words = ["--game", "gomoku", "--size", 7, "--transcripts", "--for", "suggestions=ask"]
    assert person.play(brain, *words, typed=typed) == ExitStatus.COMPLETE
    told = person.shown
    assert "suggests a1: play it, or choose another move for it\n" in told
    assert "(white)> d4\noccupied point d4\n" in told
    assert ": 7s for each move from now on\nblack> b3\n" in told
    lines = person.files[".log"].read_text().splitlines()
    sent = [line.partition(": ")[2] for line in lines if ">> brain" in line]
    after = sent[sent.index("TURN 3,3") :]
    assert after == ["TURN 3,3", "PLAY 4,4", "INFO timeout_turn 7000", "TURN 1,2", "PLAY 0,0", "END"]
    assert person.fact("gomoku", "stones") == "4"


THREE = """
import json
def say(**message): print(json.dumps(message), flush=True)
input()
said = {}
for seat in range(3):
    say(ask=[{"seat": seat, "say": f"name a number, seat {seat}"}])
    said[seat] = int(json.loads(input())["answers"][str(seat)]["say"])
say(end={"points": list(said.values())})
input()
"""


@pytest.mark.parametrize(("side", "seat"), [("side 1", 0), ("side 3", 2)])
def test_engines_take_the_other_seats_of_a_table_of_three(person, tmp_path, side, seat):
    (tmp_path / "umpire.py").write_text(THREE)
    (tmp_path / "bot.sh").write_text("read line; echo 1\n")
    umpire = f"{shlex.quote(sys.executable)} {tmp_path / 'umpire.py'}"
    words = (f"sh {tmp_path / 'bot.sh'}", "--umpire", umpire, "--set", "umpire.seats=3", "--colour", side)
    status = person.play(*words, typed=["5"])
    assert status == ExitStatus.COMPLETE
    assert f"name a number, seat {seat}\n{side}> 5\n" in person.shown
    # In the order of their seats, which are drawn.
    assert any(
        f"me beat {others} 5 to 1 to 1" in person.shown for others in ("bot.sh, bot.sh-2", "bot.sh-2, bot.sh")
    )
    assert person.fact("umpire", "players").split()[seat] == "me"
