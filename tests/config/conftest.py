"""Plug-ins that exist only here: a game and a format that the config layer has never heard of."""

import sys
from textwrap import dedent

import pytest

import gyoji.competitions
import gyoji.games
import gyoji.protocols
from gyoji.core.plugins import plugin_names

PLUGINS = {
    "games": {
        "pebbles": """
            from dataclasses import dataclass
            from enum import StrEnum

            DEFAULTS = {"protocol": "gtp"}

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
            """,
        "stones": """
            from dataclasses import dataclass

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
            MATCH = {"rule": "match"}

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
            """,
        "plain_stones": """
            from gyoji.games.stones import Options, openings

            DEFAULTS = {"protocol": "gtp"}
            """,
    },
    "protocols": {
        "brain": """
            from dataclasses import dataclass

            PRIVATE_FOLDER = True

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                depth: int = 0

            def executable(names):
                programs = [name for name in names if name.startswith("b-")]
                if not programs:
                    raise ValueError(f"no program b-... among {', '.join(names)}")
                return programs[-1], [f"{name}: not chosen" for name in programs[:-1]]
            """,
        "mute": """
            from dataclasses import dataclass

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Options:
                gestures: tuple[str, ...]
            """,
    },
    "competitions": {
        "circle": """
            from dataclasses import dataclass, field
            from gyoji.core.setup import GameSettings, PlayerCode

            @dataclass(frozen=True, slots=True, kw_only=True)
            class Settings(GameSettings):
                competitors: tuple[PlayerCode, ...]
                rounds: int | None = None

                def __post_init__(self):
                    if len(self.competitors) < 2:
                        raise ValueError("competitors: expected two or more")
            """
    },
}

GTP = """
    from collections.abc import Mapping
    from dataclasses import dataclass, field

    @dataclass(frozen=True, slots=True, kw_only=True)
    class Options:
        startup_gtp_commands: tuple[str, ...] = ()
        gtp_aliases: Mapping[str, str] = field(default_factory=dict)
        is_reliable_scorer: bool = True
        allow_claim: bool = False
        sgf_player_name_from_gtp: bool = True
        command_ids: bool = False
    """


@pytest.fixture(autouse=True, scope="session")
def plugins(tmp_path_factory):
    """The plug-ins above, found like any other while the tests of this folder run."""
    packages = {"games": gyoji.games, "protocols": gyoji.protocols, "competitions": gyoji.competitions}
    folder = tmp_path_factory.mktemp("plugins")
    protocols = dict(PLUGINS["protocols"])
    if "gtp" not in plugin_names("protocols"):
        protocols["gtp"] = GTP
    for kind, sources in (PLUGINS | {"protocols": protocols}).items():
        (folder / kind).mkdir()
        for name, source in sources.items():
            (folder / kind / f"{name}.py").write_text(dedent(source))
        packages[kind].__path__.append(str(folder / kind))
    yield
    for kind, package in packages.items():
        package.__path__.remove(str(folder / kind))
        for name in PLUGINS[kind]:
            sys.modules.pop(f"gyoji.{kind}.{name}", None)
            package.__dict__.pop(name, None)


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
    from gyoji.config import load  # noqa: PLC0415
    from gyoji.core.faults import ConfigError  # noqa: PLC0415

    def complaints(text, name="event.toml"):
        path = write(text, name)
        monkeypatch.chdir(path.parent)
        with pytest.raises(ConfigError) as caught:
            load(path.name)
        return str(caught.value).splitlines()

    return complaints
