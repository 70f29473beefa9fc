"""The scripts of pages: which modules one needs, and all of them as one script for a page that is one file.

A page in a file cannot import modules. So a report has all that `list.js` needs in one script: the modules
one after the other, each after those that it imports, without their `import` and `export`. That works because
modules export by name only and no two have a name in common, which a test checks.
"""

import re
from collections.abc import Mapping

_IMPORT = re.compile(r"""^import (?:[^"';]* from )?"\./([\w.]+)";\n""", re.MULTILINE)
_EXPORT = re.compile(r"^export (?=async |function |class |const |let )", re.MULTILINE)


def modules(entry: str, texts: Mapping[str, str]) -> list[str]:
    """Return the names of a module and of all that it imports, each after those that it imports.

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
    """Return a module and all that it imports as one script. texts: The text of each module, by name."""
    parts = (_EXPORT.sub("", _IMPORT.sub("", texts[name])) for name in modules(entry, texts))
    return '(() => {\n"use strict";\n' + "\n".join(parts) + "})();\n"
