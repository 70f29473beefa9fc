"""Write the tables of security.md by running the hostile engines: `python tests/hostile/table.py`.

It takes some minutes. It plays every attempt as root and as an ordinary user, in both languages and all
protocols, so it needs root.
"""

import sys
from pathlib import Path

import trials
from attempts import ATTEMPTS, SECTIONS

PAGE = Path(__file__).parents[2] / "docs/explanation/security.md"
_MARKS = {
    name: (f"<!-- {name}: made by tests/hostile/table.py -->", f"<!-- end of {name} -->")
    for name in ("attempts", "layers")
}
LAYERS = {
    "users": "user namespaces (and so all others, for an ordinary user)",
    "processes": "process namespaces",
    "mounts": "mount namespaces",
    "memory": "namespaces of shared memory",
    "networks": "network namespaces",
    "landlock": "Landlock",
    "filter": "the filter of system calls",
    "uids": "a uid of its own, which root's engines have",
}
REFUSES = "refuses to run"


def measured(user, level, language="", without=""):
    """Return the result of each attempt over all languages, or None if the level refuses to run."""
    found = {}
    for each in (language,) if language else ("C", "Python"):
        said = trials.run_trial(
            user=user, level=level, language=each, attempts=trials.all_attempts(), without=without
        )
        if "lost" in said:
            raise AssertionError(f"{user}, {level}, {each}, without {without or 'nothing'}: {said['lost']}")
        if said["lacks"]:
            return None
        for name, results in said["tried"].items():
            found.setdefault(name, []).extend(results)
    return {name: trials.worst(results) for name, results in found.items()}


def _cell(results):
    """Return a cell of the table from the results for root and for the user."""
    root, user = results
    return root if root == user else f"{user}; root: {root}"


def attempts_table():
    found = {(user, level): measured(user, level) for user in trials.USERS for level in trials.LEVELS}
    lines = []
    for title, section in SECTIONS.items():
        lines += [f"| {title} | off | guarded | strict |", "|---|---|---|---|"]
        for name, attempt in section.items():
            cells = [
                _cell([found[user, level].get(name, "not tried") for user in ("root", "user")])
                for level in trials.LEVELS
            ]
            lines.append(f"| {attempt.what} | {' | '.join(cells)} |")
        lines.append("")
    return "\n".join(lines), found


def layers_table(whole):
    lines = ["| without | guarded | strict |", "|---|---|---|"]
    for layer in trials.LAYERS:
        cells = []
        for level in ("guarded", "strict"):
            without = {user: measured(user, level, "Python", layer) for user in trials.users_with(layer)}
            if None in without.values():
                assert set(without.values()) == {None}, (layer, level)
                cells.append(REFUSES)
                continue
            done = [
                name
                for name in ATTEMPTS
                if any(
                    now.get(name) == "done" and whole[user, level].get(name) != "done"
                    for user, now in without.items()
                )
            ]
            cells.append(", ".join(f"`{name}`" for name in done) or "the same")
        lines.append(f"| {LAYERS[layer]} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def _put(text, name, table):
    start, end = _MARKS[name]
    before, _, rest = text.partition(start)
    _, _, after = rest.partition(end)
    return f"{before}{start}\n{table}{end}{after}"


def _taken(name):
    start, end = _MARKS[name]
    rows = PAGE.read_text().partition(start)[2].partition(end)[0].splitlines()
    return [[cell.strip() for cell in row.strip("|").split(" | ")] for row in rows if row.startswith("| ")]


def told(user, level):
    """Return the page's result of each attempt for a user at a level."""
    column = 1 + trials.LEVELS.index(level)
    rows = {row[0]: row[column] for row in _taken("attempts")}
    found = {}
    for name, attempt in ATTEMPTS.items():
        common, _, root = rows[attempt.what].partition("; root: ")
        found[name] = root if root and user == "root" else common
    return found


def told_without(layer, level):
    """Return the attempts that work without a layer, according to the page; None if the level refuses to
    run.
    """
    cells = {row[0]: row[1:] for row in _taken("layers")}[LAYERS[layer]]
    cell = cells[("guarded", "strict").index(level)]
    if cell == REFUSES:
        return None
    return set() if cell == "the same" else {name.strip("` ") for name in cell.split(",")}


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).parent))
    attempts, whole = attempts_table()
    layers = layers_table(whole)
    PAGE.write_text(_put(_put(PAGE.read_text(), "attempts", attempts), "layers", layers))
