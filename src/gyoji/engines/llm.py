"""gyoji-llm: an engine that asks a language model for its moves, by GTP, Gomocup, UCI or an umpire's
protocol.

::

    gyoji-llm --url http://127.0.0.1:8000/v1 --model NAME [options]

The model is asked for a JSON object with the move. After an answer without one it is asked again, at most
`--rethinks` times. An illegal move is sent to the referee, which asks again, as often as `illegal_tries` of
the control file allows, on the same clock. If the service fails, the program exits with status 75; with
`outage_status = 75` in the control file the game is then void.
"""

import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from gyoji.engines.llm_client import Model, Outage, Settings
from gyoji.engines.llm_faces import NAME, SpokenPlayer, face_of
from gyoji.engines.llm_player import Player
from gyoji.engines.session import read_options

OUTAGE = 75
"""The exit status after a failure of the service: EX_TEMPFAIL of sysexits.h."""

_OPTIONS = (
    *("--url ADDRESS", "--model NAME", "--key-from VARIABLE", "--temperature NUMBER", "--effort WORD"),
    *("--max-tokens NUMBER", "--more JSON", "--patience SECONDS", "--rethinks NUMBER", "--about TEXT"),
    *("--cache FOLDER", "--budget FILE", "--tokens NUMBER", "--money NUMBER", "--price-in NUMBER"),
    *("--price-out NUMBER", "--speak json|text"),
)


class Ended(NamedTuple):
    """The end of the program.

    Attributes:
        status: The exit status.
        why: The reason, for standard error; "" for none.
    """

    status: int
    why: str


def settings_of(options: dict[str, str]) -> Settings:
    """Return the settings that the options of the command line give. Raises ValueError with a line for the
    user.
    """
    for name in ("--url", "--model"):
        if not options.get(name):
            raise ValueError(f"{name} is required")
    variable = options.get("--key-from", "")
    if variable and variable not in os.environ:
        raise ValueError(f"--key-from: there is no environment variable {variable}")
    more = json.loads(options.get("--more", "{}"))
    if not isinstance(more, dict):
        raise ValueError("--more: expected an object in JSON")
    numbers = {"--temperature": "temperature", "--max-tokens": "max_tokens"}
    more |= {key: json.loads(options[name]) for name, key in numbers.items() if name in options}
    if "--effort" in options:
        more["reasoning_effort"] = options["--effort"]

    def number(name: str, default: float) -> float:
        try:
            return float(options.get(name, default))
        except ValueError:
            raise ValueError(f"{name}: expected a number, got {options[name]!r}") from None

    return Settings(
        url=options["--url"],
        model=options["--model"],
        key=os.environ.get(variable, ""),
        more=more,
        patience=number("--patience", 60),
        cache=Path(options["--cache"]) if "--cache" in options else None,
        budget=Path(options["--budget"]) if "--budget" in options else None,
        most_tokens=int(number("--tokens", 0)),
        most_money=number("--money", 0),
        prices=(number("--price-in", 0), number("--price-out", 0)),
    )


def talk(options: dict[str, str]) -> Ended:
    """Play until standard input ends. Reading of options and printing of errors are left to `main`."""
    try:
        settings = settings_of(options)
        model = Model(settings)
        rethinks = int(options.get("--rethinks", 2))
    except ValueError as error:
        return Ended(2, str(error))
    player = Player(model, about=options.get("--about", ""), rethinks=rethinks)
    try:
        if speak := options.get("--speak"):
            if speak not in ("json", "text"):
                return Ended(2, f"--speak: expected json or text, got {speak!r}")
            with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
                SpokenPlayer(player, is_json=speak == "json").run(sys.stdin.fileno(), sink)
            return Ended(0, "")
        first = sys.stdin.buffer.readline()
        face = face_of(first, player)
        with open(sys.stdout.fileno(), "wb", buffering=0, closefd=False) as sink:
            sink.write(face.answer(first))
        return Ended(face.run(), "")
    except Outage as outage:
        return Ended(OUTAGE, str(outage))


def main(run: Callable[[dict[str, str]], Ended] = talk) -> int:
    """Run the program and return its exit status."""
    options = read_options(NAME, *_OPTIONS)
    if options is None:
        return 2
    ended = run(options)
    if ended.why:
        sys.stderr.write(f"{NAME}: {ended.why}\n")
    return ended.status


if __name__ == "__main__":
    sys.exit(main())
