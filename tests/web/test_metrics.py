"""What monitoring is told."""

import re

from served import awaited

from gyoji.web.hub import Hub
from gyoji.web.metrics import MEDIA_TYPE, metrics

LINE = re.compile(
    r'(# (HELP|TYPE) [a-z_]+ .+|[a-z_]+(\{[a-z]+="([^"\\\n]|\\.)*"(,[a-z]+="[^"]*")*\})? [-+0-9.e]+)'
)
CONTROL_FILE = """
competition = "playoff"
game = "go"
board_size = 9
komi = 7.5
[players.a]
command = "gyoji-kozo"
[players.b]
command = "gyoji-kozo"
[[matchups]]
players = ["a", "b"]
number_of_games = 4
"""


async def follow(path):
    hub = Hub([path])
    await hub.begin()
    for followed in hub.competitions.values():
        await followed.count()
    text = metrics(hub)
    await hub.close()
    return text


def figures(text):
    return dict(line.rpartition(" ")[::2] for line in text.splitlines() if not line.startswith("#"))


def test_every_line_is_as_the_format_has_it_whatever_a_competition_is_called(tmp_path):
    path = tmp_path / 'a"b\\c{}.toml'
    path.write_text(CONTROL_FILE)
    text = awaited(follow(path))
    assert [line for line in text.splitlines() if not LINE.fullmatch(line)] == []
    assert text.endswith("\n")
    assert figures(text)['gyoji_games_remaining{competition="a\\"b\\\\c{}"}'] == "4"


def test_it_is_known_how_many_games_there_are_and_who_reads(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CONTROL_FILE)
    told = figures(awaited(follow(path)))
    assert told['gyoji_games_finished{competition="cup"}'] == "0"
    assert told['gyoji_run_up{competition="cup"}'] == "0"
    assert told["gyoji_readers"] == "0"
    assert float(told["process_resident_memory_bytes"]) > 10**6
    assert MEDIA_TYPE.startswith("text/plain; version=0.0.4")
