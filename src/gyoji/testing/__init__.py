"""Conformance kits: each checks an implementation against the promises of its port."""


def demand(holds: object, what: str, where: str = "") -> None:
    """Raise AssertionError with `where` and `what` if `holds` is false."""
    if not holds:
        raise AssertionError(where + what)
