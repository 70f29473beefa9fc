"""Mistakes that newcomers make: each is told with its place and what to do, and the usual status.

Status 2: the control file or the command line; 1: an engine. Nothing here is a bug of gyoji's (4).
"""

import os
import re
import sqlite3
import sys
from pathlib import Path
from typing import NamedTuple

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app

GO = """competition = "playoff"
board_size = 9
komi = 7.5
number_of_games = 2

[players.a]
command = "gyoji-kozo"

[players.b]
command = "gyoji-kozo --random"

[[matchups]]
players = ["a", "b"]
"""
GOMOKU = """competition = "playoff"
game = "gomoku"
number_of_games = 2

[players]
a = { command = "pbrain-narabe" }
b = { command = "pbrain-narabe" }

[[matchups]]
players = ["a", "b"]
"""
PYTHON_2 = 'competition_type = "playoff"\nprint "hello"\n'
ENGINE = f"{sys.executable} -I -S -c"
SMALL = """import sys
for line in sys.stdin:
    word = line.split()[0]
    answer = {"boardsize": "? unacceptable size", "protocol_version": "= 2"}.get(word, "=")
    print(answer + "\\n", flush=True)
"""
BUDGET = "budgets = { startup = '1s' }"


class Mistake(NamedTuple):
    """What is wrong in the folder, and what is said of it.

    instead   (what stands in the good file, what stands there now) ...; text: another file altogether.
    files     others in the folder, by their names.    words: the command line.
    place     where it is said to be.    remedy: what is said to do, or what is expected there.
    """

    place: str
    remedy: str
    instead: tuple[tuple[str, str], ...] = ()
    text: str = GO
    name: str = "x.toml"
    files: dict[str, str] = {}  # noqa: RUF012 - a table's default
    words: tuple[str, ...] = ("run", "x.toml")
    status: int = 2


def go(*instead, place, remedy, **more):
    return Mistake(place, remedy, instead, **more)


def first_player(line, *, place="player a", remedy, status=1, **more):
    """Return a mistake in the command of player a, with perhaps other settings below it."""
    return Mistake(place, remedy, (('command = "gyoji-kozo"\n', line + "\n"),), status=status, **more)


MISTAKES = {
    # the text of the file
    "a key misspelt": go(
        ("number_of_games", "number_of_gmaes"),
        place="x.toml:4: number_of_gmaes",
        remedy="did you mean number_of_games?",
    ),
    "no value": go(("komi = 7.5", "komi ="), place="x.toml:3:", remedy="no value after komi ="),
    "text without quotes": go(
        ('"playoff"', "playoff"), place="x.toml:1:", remedy='text stands in quotes: competition = "playoff"'
    ),
    "True": go(("komi = 7.5", "komi = 7.5\nalternating = True"), place="x.toml:4:", remedy="write true"),
    "a decimal comma": go(("7.5", "7,5"), place="x.toml:3:", remedy="write 7.5"),
    "players without brackets": go(
        ('["a", "b"]', '"a", "b"'),
        place="x.toml:13:",
        remedy='a list stands in brackets: players = ["a", "b"]',
    ),
    "a table twice": go(
        ("[players.b]", "[players.a]"), place="x.toml:9:", remedy="give one of them another name"
    ),
    "an empty file": Mistake("x.toml: competition", "required, but not given; there are:", text=""),
    "Python 2": Mistake(
        "x.ctl:2", "Did you mean print(...)?", text=PYTHON_2, name="x.ctl", words=("run", "x.ctl")
    ),
    "TOML in a file of another name": Mistake(
        "x.txt", "a TOML file ends in .toml: call it x.toml", name="x.txt", words=("run", "x.txt")
    ),
    "a suffix of another kind": Mistake(
        "x.json", "call it .toml or .ctl", text="{}", name="x.json", words=("run", "x.json")
    ),
    "no such file": Mistake("y.toml", "did you mean x.toml?", words=("run", "y.toml")),
    "a folder": Mistake(".: ", "a folder: name the control file in it", words=("run", ".")),
    # values
    "komi as text": go(("7.5", '"6,5"'), place="x.toml:3: komi", remedy="expected a number, got '6,5'"),
    "a ruleset misspelt": go(
        ("komi = 7.5", "komi = 7.5\nruleset = 'chinees'"),
        place="x.toml:4: ruleset",
        remedy="did you mean chinese",
    ),
    "a board too large": go(("size = 9", "size = 26"), place="x.toml:2: board_size", remedy="25"),
    "a board as text": go(
        ("size = 9", "size = '19x19'"), place="x.toml:2: board_size", remedy="expected a whole number"
    ),
    "a clock in words": go(
        ("komi = 7.5", "komi = 7.5\nclock = '5 minuts'"), place="x.toml:4: clock", remedy="10m + 3x30s"
    ),
    "a clock of no time": go(
        ("komi = 7.5", "komi = 7.5\nclock = '0s'"), place="x.toml:4: clock", remedy='"none" for no clock'
    ),
    "games below none": go(
        ("games = 2", "games = -1"), place="x.toml:4: number_of_games", remedy="expected 0 or more"
    ),
    "a game misspelt": go(
        ("komi = 7.5", "komi = 7.5\ngame = 'gomuku'"), place="x.toml:4: game", remedy="did you mean gomoku?"
    ),
    "a competition misspelt": go(
        ('"playoff"', '"playof"'), place="x.toml:1: competition", remedy="did you mean playoff?"
    ),
    "openings that are not there": go(
        ("komi = 7.5", "komi = 7.5\nopenings = 'none.sgf'"), place="x.toml:4: openings", remedy="none.sgf"
    ),
    "openings that are none": Mistake(
        "x.toml:3: openings: lines.txt",
        "line 2",
        (("number_of_games = 2", "openings = 'lines.txt'\nnumber_of_games = 2"),),
        text=GOMOKU,
        files={"lines.txt": "h8i9\nnonsense\n"},
    ),
    "a setting of another game": Mistake(
        "x.toml:3: komi",
        "it is a setting of go, not of gomoku",
        (("number_of_games = 2", "komi = 7.5\nnumber_of_games = 2"),),
        text=GOMOKU,
    ),
    "a setting of the top in a player": first_player(
        'command = "gyoji-kozo"\nkomi = 7.5',
        place="x.toml:8: players.a.komi",
        remedy="it stands at the top of the file, above the first table",
        status=2,
    ),
    "a protocol of another game": first_player(
        'command = "gyoji-kozo"\nprotocol = "gomocup"',
        place="x.toml:8: players.a.protocol",
        remedy="gomoku",
        status=2,
    ),
    "two thresholds the wrong way round": Mistake(
        "elo1", "elo0 < elo1", words=("sprt", "--elo0", "5", "--elo1", "0", "1", "2", "3")
    ),
    "counts of no test": Mistake("counts", "3 counts", words=("sprt", "1", "2")),
    "a file that is not UTF-8": Mistake("x.toml:1", "save the file as UTF-8", text='a = "\udcfc"'),
    "a quote that is not closed": go(
        ('"playoff"', '"playoff'),
        place="x.toml:1:",
        remedy='the quote is not closed: competition = "playoff"',
    ),
    "settings of the top below a table": Mistake(
        "players.a.komi",
        "it stands at the top of the file, above the first table",
        text='[players.a]\ncommand = "gyoji-kozo"\ncompetition = "playoff"\nkomi = 7.5\n',
    ),
    # the words of other programs
    "gomill's name of the format": go(
        ("competition =", "competition_type ="),
        place="x.toml:1: competition_type",
        remedy="did you mean competition?",
    ),
    "games": go(
        ("number_of_games", "games"), place="x.toml:4: games", remedy="did you mean number_of_games?"
    ),
    "rounds": go(
        ("number_of_games", "rounds"), place="x.toml:4: rounds", remedy="did you mean number_of_games?"
    ),
    "tc": go(("komi = 7.5", "komi = 7.5\ntc = '8+0.08'"), place="x.toml:4: tc", remedy="did you mean clock?"),
    "concurrency": go(
        ("komi = 7.5", "komi = 7.5\nconcurrency = 2"), place="x.toml:4: concurrency", remedy="gyoji run -j N"
    ),
    "boardsize": go(
        ("board_size", "boardsize"), place="x.toml:2: boardsize", remedy="did you mean board_size?"
    ),
    "cmd": first_player(
        "cmd = 'gyoji-kozo'", place="x.toml:7: players.a.cmd", remedy="did you mean command?", status=2
    ),
    "args": first_player(
        "command = 'gyoji-kozo'\nargs = '--random'",
        place="x.toml:8: players.a.args",
        remedy="part of its command",
        status=2,
    ),
    "engines": go(("[players.a]", "[engines.a]"), place="x.toml:6: engines", remedy="did you mean players?"),
    "players as a list of tables": Mistake(
        "x.toml:4: players",
        "[players.NAME] for each",
        text='competition = "playoff"\nboard_size = 9\nkomi = 7\n[[players]]\nname = "a"\n',
    ),
    "a matchup as a list": go(
        ('[[matchups]]\nplayers = ["a", "b"]\n', ""),
        ("komi = 7.5", 'komi = 7.5\nmatchups = [["a", "b"]]'),
        place="x.toml:4: matchups.0",
        remedy="[[matchups]] for each",
    ),
    "another program's protocol": first_player(
        "command = 'gyoji-kozo'\nprotocol = 'xboard'",
        place="x.toml:8: players.a.protocol",
        remedy="there are: cgos, dighere, gomocup, gomocup-files, gtp",
        status=2,
    ),
    # players
    "an unknown player": go(
        ('["a", "b"]', '["a", "c"]'), place="matchups.0.player_2", remedy="there are: a, b"
    ),
    "a name with a space": go(
        ("[players.b]", "[players.'b c']"),
        place='x.toml:9: players."b c"',
        remedy="a name of letters, digits",
    ),
    "a player that is only its command": go(
        ('[players.b]\ncommand = "gyoji-kozo --random"', "[players]\nb = 'gyoji-kozo'"),
        place="x.toml:10: players.b",
        remedy="{ command = 'gyoji-kozo' }",
    ),
    "quotes that are not closed": first_player(
        'command = "x \'y"', place="x.toml:7: players.a.command", remedy="no closing quotation", status=2
    ),
    # engines
    "a path that leads nowhere": first_player("command = './pachi'", remedy="there is no such file; mend"),
    "a name that is nowhere": first_player("command = 'no-such-go'", remedy="on PATH, nor"),
    "a file that is not executable": first_player(
        "command = './e.py'", remedy="chmod +x it, or write python e.py", files={"e.py": ""}
    ),
    "a folder for a program": first_player("command = './'", remedy="a folder: command names the program"),
    "cd in a command": first_player("command = 'cd x && ./e'", remedy="no shell reads command"),
    "a variable in a command": first_player("command = 'SEED=1 gyoji-kozo'", remedy="cwd and environ"),
    "a redirection in a command": first_player(
        "command = 'gyoji-kozo 2>/dev/null'", remedy="'2>/dev/null' goes to the program as it is"
    ),
    "a script that is missing": first_player(
        f"command = '{sys.executable} nobot.py'", remedy="nobot.py': [Errno 2] No such file"
    ),
    "a script that crashes": first_player(
        f"command = '{sys.executable} -I bot.py'",
        remedy="NameError: name 'loard' is not defined",
        files={"bot.py": "loard()"},
    ),
    "a program that hangs": first_player(
        f'''command = "{ENGINE} 'import time; time.sleep(60)'"\n{BUDGET}''', remedy="budgets.startup"
    ),
    "GNU Go without --mode gtp": first_player(
        f'''command = ["{sys.executable}", "-c", 'print("\\u0001")']''', remedy="gnugo needs --mode gtp"
    ),
    "a banner on stdout": first_player(
        f'''command = ["{sys.executable}", "-c", 'print("Welcome!")']''',
        remedy="expected a line that begins with = or ?",
    ),
    "cat": first_player(f"command = 'cat'\n{BUDGET}", remedy="expected"),
    "a size that an engine refuses": first_player(
        f"command = '{sys.executable} small.py'", remedy="refused boardsize 9", files={"small.py": SMALL}
    ),
    # what is stored
    "a file that may not be read": Mistake("x.toml", "chmod", files={"x.toml": "unreadable"}),
    "a folder that may not be written": Mistake(
        "x.lock", "where you may write", files={"x.lock": "unwritable"}
    ),
    "a database of another program": Mistake("x.db", "another program", files={"x.db": "foreign"}),
    "reset of another program's database": Mistake(
        "x.db", "another program", files={"x.db": "foreign"}, words=("reset", "x.toml")
    ),
    "a broken database": Mistake("x.db", "not a database", files={"x.db": "long enough, and nonsense " * 9}),
    # the command line
    "a command misspelt": Mistake("rnu", "Did you mean 'run'?", words=("rnu", "x.toml")),
    "no command": Mistake("x.toml", "gyoji run x.toml", words=("x.toml",)),
    "the control file first, as gomill has it": Mistake(
        "x.toml", "gyoji show x.toml", words=("x.toml", "show")
    ),
    "a number in words": Mistake(
        "'two'", "is no number that fits here", words=("run", "-j", "two", "x.toml")
    ),
    "too few games at once": Mistake("-j", "1<=x<=1023", words=("run", "-j", "0", "x.toml")),
    "an engine as cutechess-cli has it": Mistake(
        "'-engine'", "COMMAND in quotes", words=("match", "-engine", "cmd=a", "-each", "tc=8+0.08")
    ),
    "all engines as fastchess has them": Mistake(
        "'-each'", "any option without --for", words=("match", "-each", "tc=8+0.08")
    ),
    "a clock as cutechess-cli has it": Mistake(
        "'--tc'", "Here it is --clock", words=("match", "a", "b", "--tc", "8+0.08")
    ),
    "rounds of a match": Mistake(
        "'-rounds'", "Here it is --games", words=("match", "a", "b", "-rounds", "3")
    ),
    "Black as gogui-twogtp has it": Mistake(
        "'-black'", "COMMAND in quotes", words=("match", "-black", "gnugo", "-white", "gnugo")
    ),
    "one engine": Mistake("COMMAND", "two players or more", words=("match", "gyoji-kozo")),
    "a clock that is none": Mistake(
        "clock", "10m + 3x30s", words=("match", "a", "b", "--size", "9", "--clock", "fast")
    ),
    "no results yet": Mistake("x.db", "gyoji run", words=("show", "x.toml")),
    "no control file named": Mistake("FILE", "gyoji run --help", words=("run",)),
    "an option that is another program's": Mistake(
        "--concurrency", "Here it is --parallel", words=("run", "--concurrency", "2", "x.toml")
    ),
}


def prepare(folder: Path, mistake: Mistake, monkeypatch) -> None:
    text = mistake.text
    for good, bad in mistake.instead:
        assert good in text
        text = text.replace(good, bad)
    (folder / mistake.name).write_text(text, errors="surrogateescape")
    for name, content in mistake.files.items():
        if content == "foreign":
            with sqlite3.connect(folder / name) as connection:
                connection.execute("CREATE TABLE mine (a)")
            connection.close()
        elif content == "unreadable":
            monkeypatch.setattr(Path, "read_bytes", refuse)
        elif content == "unwritable":
            monkeypatch.setattr("gyoji.store.files.os.open", refuse)
        else:
            (folder / name).write_text(content)


def refuse(*_args, **_more):
    raise PermissionError(13, "Permission denied")


@pytest.mark.process
@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_told_with_its_place_and_what_to_do(case, tmp_path, monkeypatch, be_impatient):
    be_impatient()
    mistake = MISTAKES[case]
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    prepare(tmp_path, mistake, monkeypatch)
    result = CliRunner().invoke(app, mistake.words)
    assert result.exit_code == mistake.status, result.stderr
    first = result.stderr.partition("gyoji: not run")[0]
    assert first.startswith("gyoji: ")
    assert mistake.place in first
    assert mistake.remedy in first
    assert "bug" not in first
    assert not re.search("^Traceback", result.stderr, re.MULTILINE)
    assert not (tmp_path / "x.games").exists()
