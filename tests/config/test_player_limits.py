"""Limits, reuse and folders of players: at the top level for all of them, at a player for itself."""

from zipfile import ZipFile

import pytest

from gyoji.config.competition import load
from gyoji.core.faults import ConfigError
from gyoji.core.spec import Signature

HEAD = 'competition = "playoff"\nboard_size = 9\nkomi = 7\n'
PLAYER = "[players.p]\ncommand = './b-x'\n"
MATCHUP = "[[matchups]]\nplayers = ['p', 'p']\n"


@pytest.fixture
def player(write):
    """The player whose table has these lines, under these of the top level."""

    def player(lines="", top=""):
        return load(write(f"{HEAD}{top}\n{PLAYER}{lines}\n{MATCHUP}")).players["p"]

    return player


def test_without_a_word_there_are_no_limits_and_a_process_for_each_game(player, tmp_path):
    got = player()
    assert (got.budgets.memory, got.budgets.disk, got.ponders, got.restart) == (0, 0, True, "on")
    assert (got.cwd, got.folder) == (str(tmp_path), None)


def test_files_are_counted_in_a_folder_of_the_player_s_own_unless_it_names_another(player, tmp_path):
    assert player("max_disk = '70MB'").cwd == ""
    assert player("max_disk = '70MB'\ncwd = 'x'").cwd == str(tmp_path / "x")


@pytest.mark.parametrize(
    ("top", "lines", "memory", "disk"),
    [
        ("max_memory = '350MB'", "", 367_001_600, 0),
        ("max_memory = '350MB'\nmax_disk = 1000", "max_memory = '1.5GiB'", 3 << 29, 1000),
        ("max_memory = '350MB'", "max_memory = 'none'", 0, 0),
        ("", "max_disk = '70 mb'", 0, 70 << 20),
    ],
)
def test_memory_and_disk_are_sizes_and_a_player_s_own_count(player, top, lines, memory, disk):
    budgets = player(lines, top).budgets
    assert (budgets.memory, budgets.disk) == (memory, disk)


@pytest.mark.parametrize(
    ("top", "lines", "ponders", "restart"),
    [
        ("ponder = false\nrestart = 'auto'", "", False, "auto"),
        ("ponder = false\nrestart = 'off'", "ponder = true\nrestart = 'on'", True, "on"),
    ],
)
def test_pondering_and_restarting_have_their_default_at_the_top(player, top, lines, ponders, restart):
    got = player(lines, top)
    assert (got.ponders, got.restart) == (ponders, restart)


def test_the_protocol_has_its_default_at_the_top_too(player):
    assert player("depth = 3", "protocol = 'brain'").options == {"depth": 3}
    assert player("protocol = 'gtp'", "protocol = 'brain'").protocol == "gtp"


def test_a_player_of_a_protocol_with_private_folders_has_a_lasting_one_that_nothing_makes(player, tmp_path):
    got = player("protocol = 'brain'")
    assert (got.cwd, got.folder) == ("", str(tmp_path / "event.folders" / "p"))
    assert {path.name for path in tmp_path.iterdir()} == {"event.toml"}


@pytest.mark.parametrize(
    ("lines", "cwd"),
    [
        ("cwd = 'private'", ""),
        ("cwd = './private'", "{dir}/private"),
        ("protocol = 'brain'\ncwd = 'private'", ""),
        ("protocol = 'brain'\ncwd = '.'", "{dir}"),
    ],
)
def test_a_private_working_directory_is_asked_for_by_its_name(player, tmp_path, lines, cwd):
    assert player(lines).cwd == cwd.format(dir=tmp_path)


MISTAKES = r"""
max_memory = '350QB'
    4: max_memory: expected a size such as "350MB", or a number of bytes, got '350QB'
max_memory = true
    4: max_memory: expected a size such as "350MB", got true
max_memory = 1.5
    4: max_memory: expected a size such as "350MB", got 1.5
max_disk = -1
    4: max_disk: expected a size such as "350MB", or a number of bytes, got -1
max_disk = 'GB'
    4: max_disk: expected a size such as "350MB", or a number of bytes, got 'GB'
ponder = 'yes'
    4: ponder: expected true or false, got 'yes'
restart = 'never'
    4: restart: expected "on" or "off" or "auto", got 'never'
budgets = 3
    4: budgets: expected a table, got 3
budgets = {memory = 3}
    4: budgets.memory: there is no such setting; there are: close, line, move, rate, remarks,
protocol = 'gpt'
    4: protocol: no protocol 'gpt'; there are:
protocol = 3
    4: protocol: expected a string, got 3
asking = 'both'
    4: asking: expected "together" or "in turn", got 'both'
[players.q] // command = './q' // ponder = 1
    6: players.q.ponder: expected true or false, got 1
[players.q] // executor = 'function' // command = './q f' // ponder = false
    7: players.q.ponder: executor 'function' starts no process that it could be about
[players.q] // command = './q' // max_memory = {}
    6: players.q.max_memory: expected a size such as "350MB", got {}
"""
"""Lines after the head; under them, how the only complaint begins."""


def mistakes():
    lines = MISTAKES.strip().splitlines()
    for lines_, complaint in zip(lines[::2], lines[1::2], strict=True):
        yield pytest.param(lines_.replace(" // ", "\n"), complaint.strip(), id=lines_)


@pytest.mark.parametrize(("lines", "complaint"), list(mistakes()))
def test_a_mistake_is_told_where_it_stands_once(complaints, lines, complaint):
    (got,) = complaints(f"{HEAD}{lines}\n{PLAYER}{MATCHUP}{MATCHUP}")
    assert got.startswith(f"event.toml:{complaint}")


def test_all_mistakes_of_a_table_of_budgets_are_told(complaints):
    got = complaints(f"{HEAD}budgets = {{mov = 1, close = 0, line = 'x'}}\n{PLAYER}{MATCHUP}")
    assert [line.split(": ")[1] for line in got] == ["budgets.mov", "budgets.close", "budgets.line"]


def test_a_wrong_default_is_told_once_whatever_players_say_themselves(complaints):
    text = f"{HEAD}budgets = 3\nprotocol = 4\n{PLAYER}budgets = {{ move = 1 }}\nprotocol = 'gtp'\n{MATCHUP}"
    assert complaints(text) == [
        "event.toml:4: budgets: expected a table, got 3",
        "event.toml:5: protocol: expected a string, got 4",
    ]


def test_a_size_that_is_far_too_large_is_no_size(complaints):
    (got,) = complaints(f"{HEAD}max_disk = '{'9' * 400}'\n{PLAYER}{MATCHUP}")
    assert "expected a size" in got


def test_a_name_that_is_no_folder_s_is_refused_where_a_folder_is_needed(complaints, write):
    text = f"{HEAD}[players.'..']\ncommand = 'b-x'\n[[matchups]]\nplayers = ['..', '..']\n"
    assert load(write(text)).players[".."].folder is None
    assert complaints(f"protocol = 'brain'\n{text}") == [
        "event.toml:5: players.\"..\": its folder cannot be called '..': choose another name"
    ]


def test_seats_that_move_at_once_may_be_asked_in_turn(write):
    text = f"{HEAD}asking = 'in turn'\n{PLAYER}{MATCHUP}{MATCHUP}asking = 'together'\n"
    assert [matchup.asking for matchup in load(write(text)).settings.matchups] == ["in turn", "together"]


# Programs and packages


def test_a_program_that_its_protocol_does_not_like_gives_a_warning(write, tmp_path):
    text = f"{HEAD}{PLAYER}protocol = 'brain'\n[players.q]\ncommand = {{}}\nprotocol = 'brain'\n{MATCHUP}"
    assert load(write(text.replace("{}", "'/bin/x'"))).warnings == (
        f"{tmp_path}/event.toml:8: players.q.command: no program b-... among x",
    )
    assert load(write(text.replace("{}", "['/bin/x', 'b-y']"))).warnings == ()


def test_a_package_is_found_beside_the_control_file_and_left_packed(write, tmp_path):
    with ZipFile(tmp_path / "Brains.zip", "w") as archive:
        archive.writestr("b-one", "")
        archive.writestr("b-two", "")
    setup = load(write(f"{HEAD}[players.p]\ncommand = 'Brains.zip --fast'\nprotocol = 'brain'\n{MATCHUP}"))
    assert setup.players["p"].command == (str(tmp_path / "Brains.zip"), "--fast")
    assert setup.warnings == ()


@pytest.mark.parametrize("content", [None, b"", b"no package"])
def test_a_package_that_cannot_be_read_waits_for_the_check_before_the_first_game(write, tmp_path, content):
    if content is not None:
        (tmp_path / "x.zip").write_bytes(content)
    setup = load(write(f"{HEAD}[players.p]\ncommand = './x.zip'\nprotocol = 'brain'\n{MATCHUP}"))
    assert setup.warnings == ()


def test_a_signature_is_what_is_sent_and_what_is_to_be_answered(player):
    assert player().signature is None
    got = player("signature = { send = ' bench', expect = '4711 ' }").signature
    assert got == Signature(send="bench", expect="4711")


@pytest.mark.parametrize(
    "given",
    [
        "{}",
        "{ send = 'bench' }",
        "{ send = '', expect = 'x' }",
        '{ send = "a", expect = "b\\nc" }',
        "{ send = 'a', expect = 'b', to = 'c' }",
    ],
)
def test_half_a_signature_is_refused_with_its_form(player, given):
    with pytest.raises(ConfigError, match=r"players\.p\.signature: expected \{ send = "):
        player(f"signature = {given}")
