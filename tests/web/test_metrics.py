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


HOST = {
    "name": "lab1",
    "slots": 4,
    "playing": ["0_1", "0_2"],
    "played": 7,
    "speed": 1.25,
    "silent": 0.5,
    "trouble": "",
}


async def follow_hosts(path, hosts):
    hub = Hub([path])
    await hub.begin()
    (followed,) = hub.competitions.values()
    changes = [followed.hosts.take(each) for each in hosts]
    text = metrics(hub)
    await hub.close()
    return changes, figures(text)


def test_each_host_of_a_cluster_has_its_figures(tmp_path):
    path = tmp_path / "cup.toml"
    path.write_text(CONTROL_FILE)
    bad = {**HOST, "name": "bad", "slots": 0, "speed": None, "trouble": "computes wrongly"}
    changes, told = awaited(follow_hosts(path, [[HOST], [{**HOST, "silent": 3.0}], [HOST, bad]]))
    assert changes == [True, False, True]  # that one is silent is no news
    names = ("slots", "games_in_progress", "games_finished_total", "speed", "trouble")
    values = [told[f'gyoji_host_{name}{{competition="cup",host="lab1"}}'] for name in names]
    assert values == ["4", "2", "7", "1.25", "0"]
    assert float(told['gyoji_host_silent_seconds{competition="cup",host="lab1"}']) >= 0.5
    assert told['gyoji_host_trouble{competition="cup",host="bad"}'] == "1"
    assert 'gyoji_host_speed{competition="cup",host="bad"}' not in told
