"""The command line of fastchess, and what is refused of it."""

import re

import pytest

from gyoji.core.faults import ConfigError
from gyoji.fastchess.command import run
from gyoji.fastchess.options import REFUSED, parse
from gyoji.fastchess.settings import settings

TWO = "-engine cmd=/bin/a tc=8+0.08 -engine cmd=/bin/a name=b tc=8+0.08"


def test_defaults() -> None:
    wishes = parse(TWO.split())
    assert [engine.name for engine in wishes.engines] == ["a", "b"]
    assert (wishes.rounds, wishes.games, wishes.concurrency, wishes.penta) == (2, 2, 1, True)
    assert (wishes.rating_interval, wishes.score_interval, wishes.startup_ms) == (10, 1, 10_000)


def test_equal_names_are_told_apart_and_each_comes_last() -> None:
    wishes = parse(["-each", "tc=40/1:00+0.5", "-engine", "cmd=x/a.bin", "-engine", "cmd=a", "st=2", "tc=1"])
    assert [(engine.name, engine.clock) for engine in wishes.engines] == [
        ("a", "40/60+0.5"),
        ("a_2", "40/60+0.5"),
    ]


def test_more_than_two_games_change_places_with_rounds() -> None:
    wishes = parse([*TWO.split(), "-games", "50"])
    assert (wishes.rounds, wishes.games) == (50, 2)


def test_tablebases_become_a_setting_of_adjudication() -> None:
    words = "-tb /one:/two -tbpieces 5 -tbignore50 -tbadjudicate WIN_LOSS"
    (tables,) = settings(parse([*TWO.split(), *words.split()]))["adjudication"].values()
    assert tables == {"folders": ["/one", "/two"], "pieces": 5, "fifty_moves": False, "results": "wins"}
    assert "adjudication" not in settings(parse([*TWO.split(), "-tbpieces", "5"]))


@pytest.mark.parametrize("option", REFUSED)
def test_refused_by_name(option: str) -> None:
    with pytest.raises(ConfigError, match=f"^{re.escape(option)} is refused"):
        parse([*TWO.split(), option, "1"])


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("-foo", "Unrecognized option: -foo"),
        ("-sprt elo0=0 elo1=5", "alpha must be a decimal number"),
        ("-variant fischerandom", "Chess960 opening book"),
        ("-pgnout file=x notation=pgn", "Unrecognized pgnout notation"),
        ("-pgnout file=x match_line=(", "match_line: '\\(' is no regular expression"),
        ("-engine cmd=c tc=hg3", "Hourglass"),
        ("-engine cmd=c", "no TimeControl"),
        ("-openings file=/no/such.epd", "Opening file does not exist"),
        ("-tb a -tbadjudicate WINS", "Invalid tb adjudication type: WINS"),
        ("-config discard=true", "discard= is refused"),
        ("-log file=x level=loud", 'log level option "level" with value "loud"'),
        ("-log file=x compress=true", "compress=true is refused"),
    ],
)
def test_mistakes(words: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        parse([*TWO.split(), *words.split()])


def test_openbench_accepts_the_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-version"]) == 0
    found = re.search(r"\d+\.\d+(\.\d+)?", capsys.readouterr().out)
    assert found is not None
    assert tuple(map(int, found.group().split("."))) >= (1, 8, 1)


def test_a_mistake_gives_status_1_and_a_line_on_stdout(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["-wait", "5"]) == 1
    assert "-wait is refused" in capsys.readouterr().out
