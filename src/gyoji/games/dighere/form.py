"""The part of the new-game form for Dig Here. Fields are random or come from files."""

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
