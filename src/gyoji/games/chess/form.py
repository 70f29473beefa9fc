"""The page's form for a new game of chess: its fields, and known programs."""

from types import MappingProxyType

from gyoji.core.forms import Field, Form, Program, Strength

FIELDS = (
    Field(
        "variant",
        "variant",
        "choice",
        "standard",
        (("standard", "standard chess"), ("chess960", "Chess960"), ("dfrc", "double Fischer random")),
    ),
    Field(
        "openings",
        "begins with",
        "choice",
        None,
        ((None, "one of gyoji's openings"), ("none", "the ordinary position")),
    ),
)

PROGRAMS = (
    Program(
        "koma",
        ("gyoji-koma",),
        strengths=(
            Strength("small player"),
            Strength("weak", ("--depth", "1")),
            Strength("random moves", ("--random",)),
        ),
    ),
    Program("stockfish", ("stockfish",)),
    Program("gnuchess", ("gnuchess", "--uci")),
    Program("fairy-stockfish", ("fairy-stockfish",)),
    Program("ethereal", ("ethereal-chess",)),
)

FORM = Form(title="Chess", fields=FIELDS, settings=MappingProxyType({}), programs=PROGRAMS)
