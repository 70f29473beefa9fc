"""Numbers of any length, wherever users, files and programs may write one: refused in words.

Python reads no number of more than 4,300 digits, a float none above 1e308; both raise errors of their own.
"""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import gyoji

from gyoji.cli.display import Every
from gyoji.cli.matching import _player
from gyoji.cluster.ssh_cluster import read_hosts
from gyoji.config.competition import load
from gyoji.core.clocks import TimeControl
from gyoji.core.faults import ConfigError
from gyoji.core.text import parse_duration, parse_size, parse_whole
from gyoji.games.dighere.files import read_text
from gyoji.games.go import judging
from gyoji.games.gomoku.record_parts import parse_terms
from gyoji.pairing.shards import Shard
from gyoji.pairing.trf_reader import read_trf
from gyoji.protocols.gtp.analysis import read_estimate
from gyoji.sgf import property_values as values
from gyoji.web.broadcast import Broadcast

LENGTHS = [25, 400, 5000]
DIGITS = ["9", "٣"]

TEXTS: dict[str, tuple[Callable[[str], object], str]] = {
    "a size": (parse_size, "N"),
    "a size with a unit": (parse_size, "NMB"),
    "a duration": (parse_duration, "N"),
    "minutes": (parse_duration, "Nm"),
    "a clock": (TimeControl.parse, "Nm"),
    "a clock with a colon": (TimeControl.parse, "N:30"),
    "a clock with two colons": (TimeControl.parse, "N:30:00"),
    "periods": (TimeControl.parse, "10m + Nx"),
    "stones": (TimeControl.parse, "N/10"),
    "a shard": (Shard.parse, "N/3"),
    "shards": (Shard.parse, "1/N"),
    "a time or a number of games": (Every.parse, "Nx"),
    "terms of gomoku": (parse_terms, "freestyle+max_moves=N"),
    "the rule of gomoku": (parse_terms, "N"),
    "a player of a match": (lambda text: _player(text, ["a", "b"]), "N"),
    "a host": (read_hosts, "lab:N"),
    "a field": (read_text, '{"field": N}'),
    "a whole number of SGF": (values.number, "N"),
    "a number of SGF": (values.real, "N"),
    "a margin": (judging._margin, "1eN"),
    "rounds of a tournament": (lambda text: read_trf(text, "a.trf"), "142 N"),
    "a player who is away": (lambda text: read_trf(text, "a.trf"), "XXZ N"),
    "an opinion": (lambda text: read_estimate(text, "b"), "B+N"),
}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("digit", DIGITS)
@pytest.mark.parametrize("what", TEXTS)
def test_a_long_number_is_taken_or_refused_in_our_words(what, digit, length):
    read, text = TEXTS[what]
    said = ""
    try:
        read(text.replace("N", digit * length))
    except (ValueError, ConfigError, judging.Refusal) as error:
        said = str(error)
    assert "Exceeds the limit" not in said
    assert len(said) < 400


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("cup.toml", 'competition = "playoff"\nkomi = N\n'),
        ("cup.toml", 'competition = "playoff"\nmax_memory = "NMB"\n'),
        ("cup.toml", 'competition = "playoff"\nclock = "N:30"\n'),
        ("cup.ctl", 'competition_type = "playoff"\nboard_size = N\n'),
    ],
)
def test_a_long_number_in_a_control_file_is_a_mistake_in_it(tmp_path, name, text, length):
    path = tmp_path / name
    path.write_text(text.replace("N", "9" * length))
    with pytest.raises(ConfigError) as caught:
        load(path)
    assert "Exceeds the limit" not in str(caught.value)


FILES = {
    "a.trf": ("pair", "142 N\n"),
    "a.csv": ("ratings", "winner,loser,draw,weight\na,b,0,N\n"),
    "a.psq": ("replay", "Piskvorky 15x15, 11:11, 0\nN,8,0\n"),
    "b.psq": ("replay", "Piskvorky Nx15, 11:11, 0\n8,8,0\n"),
    "a.sgf": ("replay", "(;GM[1]SZ[N];B[aa])"),
    "b.sgf": ("replay", "(;GM[1]SZ[9]KM[N];B[aa])"),
}


@pytest.mark.parametrize("length", LENGTHS)
@pytest.mark.parametrize("name", FILES)
def test_a_long_number_in_a_file_is_no_bug_of_ours(tmp_path, name, length):
    command, text = FILES[name]
    path = tmp_path / name
    path.write_text(text.replace("N", "9" * length))
    told = gyoji(command, path)
    assert told.exit_code < 4
    assert "Exceeds the limit" not in told.stderr


def test_a_long_number_of_games_in_full_is_refused():
    told = gyoji("report", "--format", "json", "--games", "9" * 5000, Path("nowhere.toml"))
    assert told.exit_code == 2
    assert "--games: expected a number such as 200, or all" in told.stderr


def test_a_reader_that_says_a_long_number_begins_anew():
    (message,) = Broadcast("now")._missed(f"now-{'9' * 5000}")
    assert b"event: anew" in message


@pytest.mark.parametrize(
    ("text", "number"),
    [("0", 0), ("007", 7), ("0" * 5000 + "7", 7), (str(10**18 - 1), 10**18 - 1), (str(10**18), None)],
)
def test_a_whole_number_is_read_up_to_the_largest(text, number):
    assert parse_whole(text) == number


@pytest.mark.parametrize("text", ["", "-1", "+1", "1.0", " 1", "1_0", "²", "٣", "9" * 5000])
def test_what_is_no_whole_number_is_none(text):
    assert parse_whole(text) is None
