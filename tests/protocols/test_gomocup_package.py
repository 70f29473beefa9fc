"""The choice of the program among the files of a package."""

import pytest

from gyoji.config.programs import name_warnings
from gyoji.core.plugins import PROTOCOLS
from gyoji.protocols.gomocup import executable


@pytest.mark.parametrize(
    ("names", "chosen"),
    [
        (["pbrain-swine.exe"], "pbrain-swine.exe"),
        (["readme.txt", "pbrain-swine.exe", "pbrain-swine64.exe"], "pbrain-swine64.exe"),
        (["pbrain-swine.exe", "pbrain-swine"], "pbrain-swine"),
        (["pbrain-swine64.exe", "pbrain-swine"], "pbrain-swine"),
        (["pbrain-swine", "pbrain-swine64", "pbrain-swine.dll"], "pbrain-swine64"),
        (["PBRAIN-Swine.EXE", "swine.exe"], "PBRAIN-Swine.EXE"),
        (["pbrain-swine-1.2", "pbrain-swine.cfg", "pbrain-swine.txt"], "pbrain-swine-1.2"),
        (["swine/pbrain-swine", "swine/data/book", "README"], "swine/pbrain-swine"),
        (["lin64/pbrain-a", "pbrain-a", "win/pbrain-a64.exe"], "pbrain-a"),
        (["pbrain-a.py", "pbrain-a.exe"], "pbrain-a.py"),
    ],
)
def test_native_programs_come_before_those_of_windows_and_64_bits_before_32(names, chosen):
    assert executable(names)[0] == chosen


@pytest.mark.parametrize(
    ("names", "chosen", "warnings"),
    [
        (["pbrain-swine.exe"], "pbrain-swine.exe", []),
        (["swine.exe", "LICENSE"], "swine.exe", ["'swine.exe' does not begin with pbrain-"]),
        (["rapfi", "README", ".DS_Store", "model.bin.lz4"], "rapfi", ["'rapfi' does not begin"]),
        (["pbrain-a b"], "pbrain-a b", ["'pbrain-a b' has characters"]),
        (["pbrain-b", "pbrain-a", "x"], "pbrain-a", ["took 'pbrain-a' and not 'pbrain-b'"]),
    ],
)
def test_a_name_outside_the_rules_is_a_warning(names, chosen, warnings):
    name, got = executable(names)
    assert name == chosen
    assert len(got) == len(warnings)
    assert all(text.startswith(start) for text, start in zip(got, warnings, strict=True)), got


@pytest.mark.parametrize("names", [[], ["readme.txt", "LICENSE"], ["swine/"]])
def test_a_package_without_a_program_is_refused(names):
    with pytest.raises(ValueError, match=f"no program: expected a file pbrain-NAME among {len(names)}"):
        executable(names)


@pytest.mark.parametrize(
    ("words", "warns"),
    [
        (("/usr/bin/python3", "k/pbrain-odd.py"), False),
        (("python", "-u", "first.py"), False),
        (("/x/swine",), True),
        (("/x/pbrain-swine",), False),
        (("/x/pbrain-swine", "--level", "3"), False),
    ],
)
def test_a_program_that_runs_another_is_not_blamed_for_its_name(words, warns):
    assert bool(name_warnings(words, PROTOCOLS.find("gomocup"))) == warns
