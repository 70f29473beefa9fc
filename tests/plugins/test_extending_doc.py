"""docs/how-to/extending.md says what is so: groups, names of members, and the object of the example."""

import re
from pathlib import Path

from distributions import REGISTRIES
from gyoji.core import ports
from gyoji.protocols.gtp import dialogues

REPOSITORY = Path(__file__).parents[2]
DOC = (REPOSITORY / "docs/how-to/extending.md").read_text()


def test_the_groups_of_entry_points_are_those_of_the_registries():
    named = re.findall(r"^\|[^|]*\| `(gyoji\.\w+)` \|", DOC, re.MULTILINE)
    assert set(named) == {*REGISTRIES, "gyoji.commands"}


def test_the_object_of_the_example_is_the_example_s():
    source = (REPOSITORY / "examples/plugins/othello/src/gyoji_othello/__init__.py").read_text()
    without_comments = "".join(line for line in source.splitlines(True) if not line.strip().startswith("#"))
    (shown,) = re.findall(r"```python\n(GAME = .*?)```", DOC, re.DOTALL)
    assert shown in without_comments


def test_every_protocol_of_rules_is_named_and_every_member_that_gtp_looks_for():
    own = [name for name, kind in vars(ports).items() if getattr(kind, "__module__", "") == ports.__name__]
    of_rules = own[own.index("HasRoles") : own.index("SettlesDead") + 1]
    assert all(f"`{name}`" in DOC for name in of_rules)
    parts = (dialogues.HasName, dialogues.HasKomi, dialogues.HasOpening, dialogues.HasHandicap)
    for part in (dialogues.GtpRules, *parts, dialogues.HasRulesets):
        assert all(f"`{member}`" in DOC for member in ports._members(part))
