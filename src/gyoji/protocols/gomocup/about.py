"""What brains say of themselves in answer to ABOUT.

Pairs, by the protocol: name="SomeBrain", version="1.0", author="Nymand". Some leave out the commas or put
blanks around the equals sign, some have commas in a text, some have no name, and old ones write free text.
"""

import re

SHORT = 32
"""A version of at most so many characters goes into the short name."""

_PAIR = re.compile(r'([A-Za-z_]+)\s*=\s*"([^"]*)"')


def has_pairs(text: str) -> bool:
    """Whether it is what the protocol expects of ABOUT.

    >>> has_pairs('name = "Wine"'), has_pairs("A brain by me, 2004")
    (True, False)
    """
    return _PAIR.search(text) is not None


def introduce(text: str) -> tuple[str, str]:
    """(short name, description) of a brain; what it does not say is empty.

    >>> introduce('name="Pela" version="2017", country="Czech, Republic"')
    ('Pela:2017', 'Pela:2017, country Czech, Republic')
    >>> introduce("A brain by me, 2004")
    ('', 'A brain by me, 2004')
    """
    pairs = {key.lower(): " ".join(value.split()) for key, value in _PAIR.findall(text)}
    if not pairs:
        return "", text
    name, version = pairs.pop("name", ""), pairs.pop("version", "")
    if name and 0 < len(version) <= SHORT:
        name = f"{name}:{version}"
    elif version:
        pairs = {"version": version} | pairs
    others = [f"{key} {value}" for key, value in pairs.items() if value]
    return name, ", ".join(filter(None, (name, *others)))
