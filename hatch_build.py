"""The optional compiled build: `GYOJI_MYPYC=3 pip install .` compiles what every move of a game goes through.

The number, 0 to 3, is how much the C compiler optimises; it and the headers of Python must be installed.
Without the variable nothing is compiled, and the wheel is for any machine. The modules are the same ones:
mypyc makes extensions of them, which Python finds before their sources. An installation by `-e` is never
compiled.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

VARIABLE = "GYOJI_MYPYC"

COMPILED = (
    "games/go/board",
    "games/go/rules",
    "games/go/sgf_writer",
    "games/gomoku/rules",
    "play/game",
    "play/link",
    "play/loop",
    "protocols/gomocup/codec",
    "protocols/gtp/codec",
    "protocols/gtp/conversation",
    "referee/game_log",
    "referee/referee",
    "sgf/grammar",
)

_SETUP = """\
import sys
from mypyc.build import mypycify
from setuptools import setup
level, *files = sys.argv[1:]
options = ["--follow-imports=silent", "--disable-error-code=type-abstract"]
sys.argv[1:] = ["-q", "build_ext", "--inplace"]
setup(name="gyoji", packages=[], ext_modules=mypycify([*options, *files], opt_level=level))
"""


class CustomBuildHook(BuildHookInterface):
    """Adds the extensions to a wheel."""

    def dependencies(self) -> list[str]:
        return ["mypy>=2.4", "setuptools", "msgspec>=0.20"] if os.environ.get(VARIABLE) else []

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        level = os.environ.get(VARIABLE)
        if not level or version == "editable":
            return
        self._folder = TemporaryDirectory(prefix="gyoji-mypyc-")
        place = Path(self._folder.name)
        shutil.copytree(Path(self.root, "src/gyoji"), place / "gyoji", ignore=shutil.ignore_patterns("*.so"))
        files = [f"gyoji/{module}.py" for module in COMPILED]
        subprocess.run([sys.executable, "-c", _SETUP, level, *files], cwd=place, check=True)
        extensions = [each for each in place.rglob("*.so") if "build" not in each.relative_to(place).parts]
        build_data["force_include"] |= {str(each): str(each.relative_to(place)) for each in extensions}
        build_data["pure_python"], build_data["infer_tag"] = False, True

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        if hasattr(self, "_folder"):
            self._folder.cleanup()
