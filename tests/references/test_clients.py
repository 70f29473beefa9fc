"""What OpenBench's client and fishtest's worker made of our output, and whether we still take their words."""

import shlex
from pathlib import Path

import pytest
from bench.references import clients
from bench.references.comparison import NO_TOOLS

from gyoji.fastchess.options import parse


def test_what_they_said_of_our_matches_is_so() -> None:
    rows = list(clients.compare(NO_TOOLS))
    assert len(rows) == len(clients.OPENBENCH) + len(clients.FISHTEST)
    assert [row for row in rows if not row.holds] == []


@pytest.mark.parametrize("client", ["openbench", "fishtest"])
def test_their_command_lines_are_taken(client: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "Books").mkdir()
    (tmp_path / "Books" / "own.epd").touch()
    for name, said in clients.kept()[client].items():
        wishes = parse(shlex.split(said["command"])[1:])
        assert [Path(engine.cmd).name for engine in wishes.engines] == list(clients.OPENBENCH[name][:2])
        assert wishes.rounds == clients.OPENBENCH[name][3]
        assert wishes.penta
        assert wishes.pgn is not None
