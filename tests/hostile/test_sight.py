"""Engines look for files beside the control file: they find their own, and none that are for others."""

import json
import re

import pytest
import trials

pytestmark = [pytest.mark.process, pytest.mark.slow]

EVENT = """
competition = "playoff"
game = "go"
board_size = 5
komi = 0.5
sandbox = "{level}"
openings = "openings.sgf"
[players.ann]
command = ["{python}", "peeking.py", "nets/ann.bin", {paths}]
[players.ben]
command = ["{python}", "peeking.py", "nets/ben.bin", {paths}]
{more}
[[matchups]]
players = ["ann", "ben"]
number_of_games = 2
"""
FILES = {
    "openings.sgf": "(;GM[1]FF[4]SZ[5];B[cc])",
    "nets/ann.bin": "ANN",
    "nets/ben.bin": "BEN",
    "notes.txt": "NOTES",
    "peeking.py": (trials.HERE / "peeking.py").read_text(),
}


def seen(user, level, more=""):
    """Return what the engine of each player has found."""
    trials.check_readable(user)
    looked_for = [
        f"{name[:3]}+{name[3:]}" for name in (*FILES, "event.toml", "event.db", "../other/notes.txt")
    ]
    paths = json.dumps(looked_for)[1:-1]
    text = EVENT.format(level=level, python=trials.interpreter(), paths=paths, more=more)
    with trials.event_folder(user, {**FILES, "event.toml": text}) as folder:
        trials.run_gyoji(user, folder, "run", "-q", "event.toml")
        assert not (folder / "scratch").exists()
        assert (folder / "nets/ann.bin").read_text() == "ANN"
        texts = [path.read_text() for path in (folder / "event.games").glob("*.sgf")]
    told = [re.search(r"SAW\|nets/(\w+).bin\|(.*?)\|END", text, re.DOTALL) for text in texts]
    found = {each[1]: {*each[2].split("|")} - {"", "listed temporary"} for each in told}  # for scratch files
    assert len(found) == 2
    return found


@pytest.mark.parametrize("user", trials.USERS)
@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_an_engine_sees_its_own_files_and_none_that_are_for_others(user, level):
    for name, found in seen(user, level).items():
        expected = {"read peeking.py", f"read nets/{name}.bin", "changed scratch"}
        expected |= {f"listed {each}" for each in ("nets", "peeking.py", "scratch")}
        if level == "guarded":  # which may read what is named for nobody
            expected |= {"read notes.txt", "listed notes.txt"}
            # and write to its files, which are kept nowhere
            expected.add(f"changed nets/{name}.bin")
        assert found == expected


@pytest.mark.parametrize("user", trials.USERS)
def test_a_strict_engine_sees_what_readable_names_beside_the_control_file(user):
    found = seen(user, "strict", 'readable = ["notes.txt"]')
    assert "read notes.txt" in found["ben"]
    assert "read notes.txt" not in found["ann"]


@pytest.mark.parametrize("user", trials.USERS)
@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_in_a_folder_that_is_named_for_another_an_engine_sees_its_own_file(user, level):
    found = seen(user, level, 'readable = ["nets"]')
    assert "read nets/ann.bin" in found["ann"]
    assert "read nets/ben.bin" not in found["ann"]
    assert "read nets/ben.bin" in found["ben"]
