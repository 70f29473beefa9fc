"""The files that a control file names, and those that a player is not to see of them."""

import pytest

from gyoji.config.competition import load

EVENT = """
competition = "playoff"
game = "gomoku"
board_size = 15
openings = "openings.txt"
on_end = "hooks/end.sh now"
[players.ann]
command = "python3 bots/ann.py --net=nets/ann.bin"
[players.ben]
command = "python3 bots/ben.py nets/both.bin"
readable = ["books"]
[players.cid]
command = "python3 bots/cid.py nets/both.bin"
cwd = "work"
[[matchups]]
players = ["ann", "ben"]
"""


@pytest.fixture
def folder(tmp_path):
    files = [
        "bots/ann.py",
        "bots/ben.py",
        "bots/cid.py",
        "nets/ann.bin",
        "nets/both.bin",
        "books/a",
        "work/x",
    ]
    for name in [*files, "hooks/end.sh", "notes.txt"]:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("")
    (tmp_path / "openings.txt").write_text("0,0, 1,-2\n")
    return tmp_path


@pytest.mark.parametrize(
    ("player", "others"),
    [
        ("ann", ["books", "bots/ben.py", "bots/cid.py", "nets/both.bin", "work"]),
        ("ben", ["bots/ann.py", "bots/cid.py", "nets/ann.bin", "work"]),
        ("cid", ["books", "bots/ann.py", "bots/ben.py", "nets/ann.bin"]),
    ],
)
def test_what_is_named_for_the_competition_or_another_player_is_not_for_this_one(folder, player, others):
    (folder / "e.toml").write_text(EVENT)
    foreign = load(folder / "e.toml").players[player].containment.foreign
    assert foreign == tuple(sorted(str(folder / each) for each in [*others, "hooks/end.sh", "openings.txt"]))


def test_of_very_many_files_the_folders_beside_the_control_file_are_not_for_a_player(folder):
    elsewhere = folder.parent / "elsewhere.txt"
    elsewhere.write_text("")
    (folder / "e.toml").write_text('competition = "allplayall"\nboard_size = 9\nkomi = 6\n')
    with (folder / "e.toml").open("a") as file:
        for number in range(150):
            (folder / f"bots/{number}.py").write_text("")
            file.write(f'[players.p{number}]\ncommand = "python3 bots/{number}.py"\n')
        file.write(f'[players.last]\ncommand = "python3 {elsewhere}"\n')
    contained = load(folder / "e.toml").players["p7"].containment
    assert contained.foreign == tuple(sorted((str(folder / "bots"), str(elsewhere))))
