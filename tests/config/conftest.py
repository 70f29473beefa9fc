"""Plug-ins that exist only here: a game and a format that the config layer has never heard of."""

import sys
from textwrap import dedent

import pytest

from distributions import lay_out, look_again

PLUGINS = {
    "games": {
        "pebbles": """
            from dataclasses import dataclass
            from enum import StrEnum

            from gyoji.core.game import Game

            class Colour(StrEnum):
                RED = "red"
                BLUE = "blue"

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                pebbles: int
                colour: Colour = Colour.RED
                weights: tuple[float, ...] = (1.0,)
                prize: float | None = None

                def __post_init__(self):
                    if self.pebbles < 1:
                        raise ValueError(f"expected some pebbles, got {self.pebbles}")

            GAME = Game(name="pebbles", options=Options, rules=None, defaults={"protocol": "gtp"})
            """,
        "stones": """
            from dataclasses import dataclass

            from gyoji.core.game import Game

            DEFAULTS = {"protocol": "brain", "move_limit": 400, "budgets": {"startup": "5s"}}
            PRESETS = {
                "club": {
                    "board_size": 19,
                    "rule": "strict",
                    "clock": {"main": "3m", "move": "30s", "margin": "1s", "from_start": True},
                    "max_memory": "350MB",
                    "ponder": False,
                    "alternating": True,
                    "competitors_only": 1,
                    "budgets": {"startup": "7s", "close": "2s"},
                },
                "huge": {"board_size": 99, "move_limit": 0, "budgets": {"move": -1}},
            }
            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                board_size: int = 15
                rule: str = "free"
                opening: str = ""
                gap: int = 0

                def __post_init__(self):
                    if self.board_size > 20:
                        raise ValueError(f"board_size: got {self.board_size}, expected 20 at most")
                    if self.gap >= self.board_size:
                        raise ValueError(f"gap: got {self.gap}, expected less than {self.board_size}")

            def openings(data, name, options):
                wrong = [
                    f"line {number}: {line!r} is not on {options['board_size']} points"
                    for number, line in enumerate(data.decode().splitlines(), 1)
                    if int(line) > options["board_size"]
                ]
                if wrong:
                    raise ValueError("\\n".join(wrong))
                return data.decode().splitlines()

            def vary(opening, options, symmetry=0, shift=0):
                return f"{opening} {symmetry} {shift}"

            GAME = Game(
                name="stones",
                options=Options,
                rules=None,
                defaults=DEFAULTS,
                presets=PRESETS,
                match_defaults={"rule": "match"},
                openings=openings,
                vary=vary,
                shifts=True,
            )
            """,
        "plain_stones": """
            from msgspec.structs import replace

            import stones_of_tests

            GAME = replace(stones_of_tests.GAME, name="plain_stones", defaults={"protocol": "gtp"}, vary=None)
            """,
    },
    "protocols": {
        "brain": """
            from dataclasses import dataclass

            from gyoji.core.plugins import Protocol

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                depth: int = 0

            def executable(names):
                programs = [name for name in names if name.startswith("b-")]
                if not programs:
                    raise ValueError(f"no program b-... among {', '.join(names)}")
                return programs[-1], [f"{name}: not chosen" for name in programs[:-1]]

            PROTOCOL = Protocol(
                name="brain", options=Options, codec=None, private_folder=True, executable=executable
            )
            """,
        "mute": """
            from dataclasses import dataclass

            from gyoji.core.plugins import Protocol

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                gestures: tuple[str, ...]

            PROTOCOL = Protocol(name="mute", options=Options, codec=None)
            """,
    },
    "formats": {
        "circle": """
            from dataclasses import dataclass

            from gyoji.core.plugins import Format
            from gyoji.core.setup import GameSettings, PlayerCode

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Settings(GameSettings):
                competitors: tuple[PlayerCode, ...]
                rounds: int | None = None

                def __post_init__(self):
                    if len(self.competitors) < 2:
                        raise ValueError("competitors: expected two or more")

            FORMAT = Format(name="circle", settings=Settings, competition=None)
            """
    },
}


@pytest.fixture(autouse=True, scope="module")
def plugins(tmp_path_factory):
    """The plug-ins above, found like any other while the tests of this folder run."""
    modules = {f"{name}_of_tests": source for kind in PLUGINS.values() for name, source in kind.items()}
    entries = [
        (f"gyoji.{kind}", name, f"{name}_of_tests:{kind.removesuffix('s').upper()}")
        for kind, sources in PLUGINS.items()
        for name in sources
    ]
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(lay_out(tmp_path_factory.mktemp("plugins"), modules, entries))
        look_again(patch)
        yield
    for module in modules:
        sys.modules.pop(module, None)


@pytest.fixture
def write(tmp_path):
    """Writes a control file and gives its path; the text's indentation is taken off."""

    def write(text, name="event.toml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text if isinstance(text, bytes) else dedent(text).lstrip("\n").encode())
        return path

    return write


@pytest.fixture
def complaints(write, monkeypatch, tmp_path):
    """The lines of the error that a control file gives, with its name as the user would have typed it."""
    from gyoji.config.competition import load  # noqa: PLC0415
    from gyoji.core.faults import ConfigError  # noqa: PLC0415

    def complaints(text, name="event.toml"):
        path = write(text, name)
        monkeypatch.chdir(path.parent)
        with pytest.raises(ConfigError) as caught:
            load(path.name)
        return str(caught.value).splitlines()

    return complaints
