"""What fastchess itself printed, compared with what we print after the same games."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from gyoji.core.outcome import Ending, Outcome
from gyoji.core.record import EngineReport, GameRecord, GameResult
from gyoji.core.spec import GameSpec
from gyoji.fastchess.options import parse
from gyoji.fastchess.output import Output

REFERENCES = Path(__file__).parents[1] / "data" / "references" / "fastchess"
FINISHED = re.compile(r"Finished game (\d+) \((\S+) vs (\S+)\): (\S+) ")
POINTS = {"1-0": (1.0, 0.0), "0-1": (0.0, 1.0), "1/2-1/2": (0.5, 0.5)}


def results(text: str) -> Iterator[GameResult]:
    for number, white, black, score in FINISHED.findall(text):
        yield GameResult(
            id=f"0_{int(number) - 1}",
            pairing="0",
            players=(white, black),
            outcome=Outcome(points=POINTS[score], ending=Ending.SCORE),
            turns=1,
            engines=(EngineReport(), EngineReport()),
            started="",
            wall_ns=0,
        )


def figures(text: str) -> list[str]:
    """Return the lines that are computed from results."""
    words = ("Results", "Elo", "LOS", "Games:", "Ptnml", "LLR", "Score", "SPRT")
    return [line for line in text.splitlines() if line.startswith(words)]


@pytest.mark.parametrize("name", sorted(path.stem for path in REFERENCES.glob("*.args")))
def test_figures_are_those_of_fastchess(
    name: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(REFERENCES)
    wishes = parse((REFERENCES / f"{name}.args").read_text().split())
    output = Output(
        wishes,
        lambda _: (
            GameSpec(id="0_0", pairing="0", game="chess", players=()),
            GameRecord(result=result, turns=()),
        ),
    )
    theirs = (REFERENCES / f"{name}.out").read_text()
    for result in results(theirs):
        output.finished(result)
    if line := output.decided():
        output.block("A", "B")
        print(line)
    expected = figures(theirs)
    assert expected
    assert figures(capsys.readouterr().out) == expected
