"""Reports of every form, in the files of `expected`; `pytest tests/report --rewrite` writes these anew."""

from pathlib import Path

import pytest

FOLDER = Path(__file__).parent / "expected"


@pytest.fixture
def expected(request):
    """Return a function that compares a text with the file of that name, or writes it."""

    def compare(name, text):
        path = FOLDER / name
        if request.config.getoption("--rewrite"):
            path.write_text(text, encoding="utf-8")
        assert text == path.read_text(encoding="utf-8"), f"{path}: if this is meant, pytest --rewrite"

    return compare
