"""Conformance kits for the ports: each demands what its port promises."""


def demand(holds: object, what: str, where: str = "") -> None:
    """Raise AssertionError, saying where and what, if a promise is broken."""
    if not holds:
        raise AssertionError(where + what)
