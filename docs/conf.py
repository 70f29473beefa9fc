"""How Sphinx makes a site of these pages: `sphinx-build -W docs build/site`."""

import re
import sys
from pathlib import Path

import gyoji

sys.path.insert(0, str(Path(__file__).parent))
import accessible
import from_source

project = "gyoji"
author = "The gyoji team"
release = version = gyoji.__version__
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
html_theme = "furo"
html_title = f"gyoji {release}"
smartquotes = False
html_show_copyright = False
html_theme_options = {"top_of_page_buttons": []}  # they stand outside of all landmarks
myst_heading_anchors = 4
napoleon_use_ivar = True  # autodoc describes each attribute already: a second entry would be a duplicate
autodoc_class_signature = "separated"
autodoc_member_order = "bysource"

# Our docstrings have columns: names, two or more blanks, what they are; a row may have several such pairs
ROW = re.compile(r"(?P<names>[^\W\d]\w*(?:, \w+)*:?) {1,}(?P<text>\S.*)")
IS_TABLE = re.compile(r"[^\W\d]\w*(?:, \w+)* {2,}\S")


def lay_out(_app, _what, _name, _object, _options, lines):
    """Our docstrings as reStructuredText: `code` as ``code``, and columns as a list of definitions."""
    lines[:] = "\n\n".join(map(_laid_out, "\n".join(lines).split("\n\n"))).split("\n")


def _laid_out(paragraph):
    if paragraph.startswith(">>>"):
        return paragraph
    paragraph = re.sub(r"(?<!`)`([^`]+)`(?!`)", r"``\1``", paragraph.replace("*", r"\*"))
    if not IS_TABLE.match(paragraph):
        return paragraph
    rows = []
    for line in re.sub(r"(?<=\S) {3}(?=[^\W\d]\w*(?:, \w+)* {2}\S)", "\n", paragraph).split("\n"):
        if not ROW.match(line):
            rows[-1] += f" {line.strip()}"
        else:
            rows.append(line)
    pairs = [ROW.match(row).group("names", "text") for row in rows]
    return "\n".join(f"``{names}``\n    {text}" for names, text in pairs)


# A line of a page that is replaced by what the source says
FROM_SOURCE = {"<!-- every command -->": from_source.commands, "<!-- every message -->": from_source.messages}


def fill_in(_app, _name, content):
    for line, text in FROM_SOURCE.items():
        if line in content[0]:
            content[0] = content[0].replace(line, text())


def mend_pages(app, error):
    for path in () if error or app.builder.format != "html" else Path(app.outdir).rglob("*.html"):
        path.write_text(accessible.mend(path.read_text(encoding="utf-8")), encoding="utf-8")


def setup(app):
    app.connect("autodoc-process-docstring", lay_out)
    app.connect("source-read", fill_in)
    app.connect("build-finished", mend_pages)
