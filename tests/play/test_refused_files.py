"""An engine that says which file it may not use: the setting that would give it that file is named."""

import pytest

from gyoji.core.spec import Containment
from gyoji.play.startup_check import setting_for


@pytest.mark.parametrize(
    ("level", "line", "path", "setting"),
    [
        ("guarded", "OSError: [Errno 30] Read-only file system: '{0}/log.txt'", "log.txt", "writable"),
        ("guarded", "cannot open {0}/log.txt: Permission denied", "log.txt", "writable"),
        ("guarded", 'open("{0}/a b"): EACCES', "a b", "writable"),
        ("strict", "cannot open {0}/net.bin: Permission denied", "net.bin", "readable"),
        ("strict", "cannot write {0}/log: Permission denied", "log", "writable"),
        ("strict", "mkdir {0}/x: Read-only file system", "x", "writable"),
    ],
)
def test_the_setting_names_what_there_is_of_a_path_that_was_refused(tmp_path, level, line, path, setting):
    advice = setting_for(["first", line.format(tmp_path), "last"], Containment(level=level))
    assert advice == f'it may not use \'{tmp_path}/{path}\': {setting} = ["{tmp_path}"], or sandbox = "off"'


def test_at_strict_a_file_that_is_there_for_us_is_one_to_be_read(tmp_path):
    (tmp_path / "net.bin").write_text("x")
    line = f"FileNotFoundError: [Errno 2] No such file or directory: '{tmp_path}/net.bin'"
    advice = setting_for([line], Containment(level="strict"))
    assert f'readable = ["{tmp_path}/net.bin"]' in advice
    assert setting_for([line], Containment(level="guarded")) == ""
    assert setting_for([line.replace("net.bin", "gone")], Containment(level="strict")) == ""


@pytest.mark.parametrize("line", ["Permission denied", "it failed", "open /x: Input/output error"])
def test_nothing_is_said_where_no_file_was_refused(line):
    assert setting_for([line], Containment()) == ""
    assert setting_for(["/x: Permission denied"], Containment(level="off")) == ""
