"""The form for one game of Dig Here on a page. Fields are drawn at random or come as files."""

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
