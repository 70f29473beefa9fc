"""What engines call themselves: the short name for headings, the description for reports.

>>> short_name("GNU Go", "GNU Go 3.8"), describe("", "3.8", "")
('GNU Go:3.8', 'version 3.8')
"""

LONG = 64
"""A version of more characters than this carries more than a version."""

SHORT = 32
"""A version of at most so many characters goes into the short name."""

_ADVERTISEMENTS = (". Please read http", ": I'm playing", ": If you believe")
"""Where the texts begin that MoGo and Pachi put behind their versions."""


def short_name(name: str, version: str) -> str:
    """The name, with a short version behind it; "" for an engine without a name."""
    name, version = _one_line(name), clean_version(name, version)
    return f"{name}:{version}" if name and 0 < len(version) <= SHORT else name


def describe(name: str, version: str, text: str) -> str:
    """All that is known of an engine: its own text if it has one, else name and version."""
    if text.strip():
        return text.strip()
    name, version = _one_line(name), clean_version(name, version)
    if not version:
        return name
    return f"{name}:{version}" if name else f"version {version}"


def clean_version(name: str, version: str) -> str:
    """The version alone, without the name and without advertising."""
    name, version = _one_line(name), _one_line(version)
    if name and version.lower().startswith(name.lower()):
        version = version[len(name) :].lstrip()
    if len(version) <= LONG:
        return version
    for beginning in _ADVERTISEMENTS:
        kept, found, _ = version.partition(beginning)
        if found:
            return kept
    return version.split()[0]


def _one_line(text: str) -> str:
    return " ".join(text.split())
