"""`gyoji doctor`: what this machine has for containing engines, layer by layer, and what mends the rest."""

import platform
from collections.abc import Iterator, Sequence
from typing import Any

from gyoji.cli.exits import say
from gyoji.core.text import legible_json, printable
from gyoji.executors.contained.cells import Launcher
from gyoji.executors.contained.layers import LEVELS, Layer, layers, this_system
from gyoji.executors.contained.machine import Machine, examine
from gyoji.scheduler.status import ExitStatus


def examine_machine(*, as_json: bool) -> ExitStatus:
    """The whole command: COMPLETE if guarded and strict can be had, else HALTED."""
    launcher = Launcher()
    try:
        machine = examine(launcher)
    finally:
        launcher.close()
    found = layers(machine, this_system())
    if as_json:
        say(legible_json(values(machine, found), indent=2))
    else:
        for line in lines(machine, found):
            say(line)
    return ExitStatus.HALTED if any(map(machine.lacks, LEVELS)) else ExitStatus.COMPLETE


def values(machine: Machine, found: Sequence[Layer]) -> dict[str, Any]:
    """All of it as JSON-ready values."""
    return {
        "kernel": platform.release(),
        "root": machine.is_root,
        "layers": [layer._asdict() for layer in found],
        "levels": {
            level: {"available": not machine.lacks(level), "lacks": list(machine.lacks(level))}
            for level in LEVELS
        },
    }


def lines(machine: Machine, found: Sequence[Layer]) -> Iterator[str]:
    """All of it as text: a line for each layer, what mends those that are not there, the levels."""
    yield f"Linux {platform.release()}, {'root' if machine.is_root else 'an ordinary user'}"
    yield ""
    width = max(len(layer.name) for layer in found)
    yield f"{'layer':{width}}  there    what it keeps engines from"
    for layer in found:
        told = f"{layer.stops}{f' ({layer.found})' if layer.found else ''}"
        yield printable(f"{layer.name:{width}}  {layer.state:7}  {told}", 400)
        if layer.remedy:
            yield f"{'':{width}}  {'':7}  remedy: {layer.remedy}"
    yield ""
    for level in LEVELS:
        lacking = machine.lacks(level)
        if not lacking:
            yield f"{level:8} can be had"
        elif level == "strict":
            yield f"{level:8} cannot be had: {'; '.join(lacking)}"
        else:
            yield f"{level:8} in part: {'; '.join(lacking)}"
