"""Bundles JavaScript modules into one script, for a page in one file.

Such a page cannot import modules. So the HTML report has one script: the texts of its entry module and all
modules that this one needs, without `import` and `export`. A module stands behind the modules that it
imports. This is possible because modules export by name only, and all their names are different, which a test
checks.
"""

import re
from collections.abc import Mapping

_IMPORT = re.compile(r"""^import (?:[^"';]* from )?"\./([\w.]+)";\n""", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function |class |const |let )", re.MULTILINE)


def modules(entry: str, texts: Mapping[str, str]) -> list[str]:
    """Return the names of a module and of all modules that it needs. Imported modules come first.

    Args:
        entry: Name of the module.
        texts: The text of each module, by name.
    """
    found: dict[str, None] = {}
    entered = set()

    def visit(name: str) -> None:
        if name not in entered:
            entered.add(name)
            for needed in _IMPORT.findall(texts[name]):
                visit(needed)
            found[name] = None

    visit(entry)
    return list(found)


def bundle(entry: str, texts: Mapping[str, str]) -> str:
    """Return a module and all modules that it needs as one script.

    Args:
        entry: Name of the module.
        texts: The text of each module, by name.
    """
    parts = (_EXPORT.sub("", _IMPORT.sub("", texts[name])) for name in modules(entry, texts))
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"
