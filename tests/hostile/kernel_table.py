"""Write the tables of docs/reference/kernel.md: `python tests/hostile/kernel_table.py`.

They are `kernel_calls.py` in Markdown, with the answers of the filter. `--prove` takes one name or rule
after the other out of the filter, and lists those that the tables would not miss.
"""

import re
import sys
from pathlib import Path

import filtered
from kernel_calls import NEWER, OBJECTS, SECTIONS

from gyoji.executors import filters

PAGE = Path(__file__).parents[2] / "docs/reference/kernel.md"
_HEADERS = [Path(each, "asm/unistd_64.h") for each in ("/usr/include/x86_64-linux-gnu", "/usr/include")]
_MARKS = {
    name: (f"<!-- {name}: made by tests/hostile/kernel_table.py -->", f"<!-- end of {name} -->")
    for name in ("calls", "objects")
}
_TRIED = (0, 1, 4, 62, -1)
"""Values for all six arguments of a call; each rule about arguments answers one of them differently."""

_WORDS = {"allowed": "allowed", "EPERM": "refused", "ENOSYS": "absent", "by arguments": "in part"}


def numbers():
    """Return the number of each system call, from the kernel's headers here and from newer kernels."""
    found = dict(NEWER)
    for path in filter(Path.exists, _HEADERS):
        for name, number in re.findall(r"#define __NR_(\w+) (\d+)", path.read_text()):
            if int(number) <= filters.NEWEST:
                found[name] = int(number)
    return found


def groups():
    return [group for section in SECTIONS.values() for group in section]


def judged():
    """Return the names of all calls in the tables, with repetitions."""
    return [name for group in groups() for name in group.names.split()]


def programs():
    return {
        level: filters.seccomp_program(strict=level == "strict", alone=True)
        for level in ("guarded", "strict")
    }


def given(program, number):
    """Return the filter's answer to a call, or "by arguments" if it varies."""
    answers = {filtered.answer(program, number, *[value] * 6) for value in _TRIED}
    return answers.pop() if len(answers) == 1 else "by arguments"


def mistakes():
    """Return the calls that the filter does not answer as the tables say."""
    known, made = numbers(), programs()
    return [
        f"{name} at {level}: {answer}, not {said}"
        for group in groups()
        for level, said in (("guarded", group.guarded), ("strict", group.strict))
        for name in group.names.split()
        if name in known and (answer := given(made[level], known[name])) != said
    ]


def unnoticed():
    """Return names and rules that the filter could lose without a mistake in the tables."""
    lost = []
    for kind in ("REFUSED", "REFUSED_TO_STRANGERS", "ABSENT"):
        whole = getattr(filters, kind)
        for name in whole:
            setattr(filters, kind, tuple(each for each in whole if each != name))
            if not mistakes():
                lost.append(name)
            setattr(filters, kind, whole)
    for rules in ("_modes", "_files", "_sockets", "_processes"):
        whole = getattr(filters, rules)
        setattr(filters, rules, lambda **_: ())
        if not mistakes():
            lost.append(rules)
        setattr(filters, rules, whole)
    return lost


def _tests(text):
    return ", ".join(f"`{name}`" for name in text.split()) if text != "-" else "-"


def calls_tables():
    lines = []
    for title, section in SECTIONS.items():
        lines += [
            f"| {title} | could | stopped by | guarded | strict | tests |",
            "|---|---|---|---|---|---|",
        ]
        for group in section:
            names = " ".join(f"`{name}`" for name in group.names.split())
            answers = f"{_WORDS[group.guarded]} | {_WORDS[group.strict]}"
            lines.append(f"| {names} | {group.could} | {group.stops} | {answers} | {_tests(group.tests)} |")
        lines.append("")
    return "\n".join(lines)


def objects_table():
    lines = ["| object | could | stopped by | tests |", "|---|---|---|---|"]
    lines += [f"| {each.what} | {each.could} | {each.stops} | {_tests(each.tests)} |" for each in OBJECTS]
    return "\n".join(lines) + "\n"


def page():
    """Return the page with new tables."""
    text = PAGE.read_text()
    for name, table in (("calls", calls_tables()), ("objects", objects_table())):
        start, end = _MARKS[name]
        before, _, rest = text.partition(start)
        text = f"{before}{start}\n{table}{end}{rest.partition(end)[2]}"
    return text


if __name__ == "__main__":
    if sys.argv[1:] == ["--prove"]:
        sys.exit("\n".join(unnoticed()))
    PAGE.write_text(page())
