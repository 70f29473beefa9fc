"""Which file its containment kept from an engine, by the engine's words; and the setting that gives it."""

import os
import re
from collections.abc import Iterable
from pathlib import Path

from gyoji.core.spec import Containment
from gyoji.core.text import legible_json, quote

_REFUSED = re.compile(
    "permission denied|operation not permitted|read-only file system|EACCES|EPERM|EROFS", re.IGNORECASE
)
_CHANGES = re.compile("read-only|EROFS|writ|creat|mkdir|sav|truncat|remov|delet|renam", re.IGNORECASE)
_NOT_THERE = re.compile("no such file or directory|ENOENT|FileNotFound", re.IGNORECASE)
_PATH = re.compile(r"""'(/[^']+)'|"(/[^"]+)"|(?<![\w.~])(/[^\s'":;,()]+)""")


def setting_for(lines: Iterable[str], containment: Containment) -> str:
    """A line about the last refusal among the lines that an engine wrote; "" if there is none."""
    if containment.level == "off":
        return ""
    for line in reversed(list(lines)):
        is_refusal = bool(_REFUSED.search(line))
        if not is_refusal and not _NOT_THERE.search(line):
            continue
        paths = [next(filter(None, found.groups())) for found in _PATH.finditer(line)]
        # At strict what is not to be read is not to be seen either, and we see what there is.
        if paths and (is_refusal or (containment.level == "strict" and os.path.lexists(paths[-1]))):
            reads = containment.level == "strict" and not _CHANGES.search(line)
            return _advice(paths[-1], "readable" if reads else "writable")
    return ""


def _advice(path: str, setting: str) -> str:
    there = next(each for each in (Path(path), *Path(path).parents) if os.path.lexists(each))
    given = legible_json([str(there)]) if there.parent != there else '["..."]'
    return f'it may not use {quote(path)}: {setting} = {given}, or sandbox = "off"'
