"""The page's form for a new game of Dig Here: its settings, and known programs."""

from types import MappingProxyType

from gyoji.core.forms import Form, Program, Strength

FORM = Form(
    title="Dig Here",
    settings=MappingProxyType({"asking": "in turn"}),
    programs=(
        Program(
            "horidashi",
            ("gyoji-horidashi",),
            strengths=(Strength("small player"), Strength("random plans", ("--random",))),
        ),
    ),
)
