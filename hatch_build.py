"""What a wheel has besides: man pages, completions for shells, and compiled modules where they are asked for.

The description of the package is README.md, in which the text of a link replaces each link to a file: such
links lead nowhere on the page of a package index.

Pages and completions are made of the commands (`gyoji.cli.manual`); an installation by `-e` has none.

`GYOJI_MYPYC=3 pip install .` compiles what every move of a game goes through. The number, 0 to 3, is how much
the C compiler optimises; it and the headers of Python must be installed. Without the variable nothing is
compiled, and the wheel is for any machine. The modules are the same ones: mypyc makes extensions of them,
which Python finds before their sources. An installation by `-e` is never compiled.
"""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

VARIABLE = "GYOJI_MYPYC"

# Not those with structs that are read: of their fields mypyc does not keep the types.
COMPILED = (
    "core/boards",
    "games/chess/pgn",
    "games/chess/position",
    "games/chess/rules",
    "games/chess/san",
    "games/chess/variations",
    "games/dighere/codec",
    "games/dighere/plans",
    "games/dighere/rules",
    "games/go/board",
    "games/go/rules",
    "games/go/score",
    "games/go/sgf_writer",
    "games/gomoku/rules",
    "play/game",
    "play/game_files",
    "play/link",
    "play/loop",
    "play/monitor",
    "protocols/gomocup/codec",
    "protocols/gomocup/commands",
    "protocols/gtp/codec",
    "protocols/gtp/conversation",
    "protocols/gtp/dialogues",
    "protocols/gtp/wording",
    "protocols/uci/codec",
    "protocols/uci/info",
    "protocols/uci/searches",
    "referee/closing",
    "referee/counting",
    "referee/game_log",
    "referee/referee",
    "referee/seat_state",
    "referee/variation_check",
    "sgf/grammar",
    "sgf/records",
)

_LINK_TO_A_FILE = re.compile(r"\[([^\[\]]*)\]\((?![a-z]+:)[^()]*\)")

_SETUP = """\
import sys
from mypyc.build import mypycify
from setuptools import setup
level, *files = sys.argv[1:]
options = ["--follow-imports=silent", "--disable-error-code=type-abstract"]
sys.argv[1:] = ["-q", "build_ext", "--inplace"]
setup(name="gyoji", packages=[], ext_modules=mypycify([*options, *files], opt_level=level))
"""


_MANUAL = """\
import json, sys
from pathlib import Path
from gyoji.cli.manual import write
write(Path(sys.argv[1]), json.loads(sys.argv[2]))
"""


class DescriptionHook(MetadataHookInterface):
    """Makes the description of the package from README.md, for wheels and sdists."""

    def update(self, metadata: dict[str, Any]) -> None:
        text = _LINK_TO_A_FILE.sub(r"\1", Path(self.root, "README.md").read_text(encoding="utf-8"))
        metadata["readme"] = {"content-type": "text/markdown", "text": text}


class CustomBuildHook(BuildHookInterface):
    """Adds the pages, the completions and the extensions to a wheel."""

    def dependencies(self) -> list[str]:
        compilers = ["mypy>=2.4", "setuptools"] if os.environ.get(VARIABLE) else []
        return ["click>=8.2", "click-man>=0.6", "msgspec>=0.20", *compilers]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        if version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="gyoji-build-")
        self._write_manual(Path(self._folder.name, "manual"), build_data)
        if level := os.environ.get(VARIABLE):
            self._compile(Path(self._folder.name, "compiled"), level, build_data)

    def _write_manual(self, place: Path, build_data: dict[str, Any]) -> None:
        brought = self.metadata.core.entry_points.get("gyoji.commands", {})
        words = [sys.executable, "-c", _MANUAL, str(place), json.dumps(brought)]
        # pip keeps what it has fetched for a build on PYTHONPATH too
        paths = filter(None, (str(Path(self.root, "src")), os.environ.get("PYTHONPATH")))
        subprocess.run(words, env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)}, check=True)
        files = [each for each in place.rglob("*") if each.is_file()]
        build_data["shared_data"] |= {str(each): str(each.relative_to(place)) for each in files}

    def _compile(self, place: Path, level: str, build_data: dict[str, Any]) -> None:
        shutil.copytree(Path(self.root, "src/gyoji"), place / "gyoji", ignore=shutil.ignore_patterns("*.so"))
        files = [f"gyoji/{module}.py" for module in COMPILED]
        subprocess.run([sys.executable, "-c", _SETUP, level, *files], cwd=place, check=True)
        extensions = [each for each in place.rglob("*.so") if "build" not in each.relative_to(place).parts]
        build_data["force_include"] |= {str(each): str(each.relative_to(place)) for each in extensions}
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
