"""The site is read by screen readers and by keyboard."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "docs"))
import accessible

PAGE = """<aside class="sidebar-drawer"></aside><aside class="toc-drawer no-toc"></aside>
<table><thead><tr class="row-odd"><th class="head"><p></p></th><th class="head">name</th></tr></thead></table>
<div class="highlight"><pre><span></span>gyoji run</pre></div>"""


def test_landmarks_have_names_headings_have_words_and_code_is_reached_by_keyboard():
    assert accessible.mend(PAGE).splitlines() == [
        '<aside class="sidebar-drawer" aria-label="all pages"></aside>'
        '<aside aria-label="on this page" class="toc-drawer no-toc"></aside>',
        '<table><thead><tr class="row-odd"><td></td><th class="head">name</th></tr></thead></table>',
        '<div class="highlight"><pre tabindex="0"><span></span>gyoji run</pre></div>',
    ]
