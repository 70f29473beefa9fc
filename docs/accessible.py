"""What the pages of the site need for screen readers and keyboards, and the theme does not give."""

import re

MENDS = (
    # Two landmarks of one kind need names of their own.
    (re.compile(r'<aside class="sidebar-drawer">'), '<aside class="sidebar-drawer" aria-label="all pages">'),
    (re.compile(r'<aside class="toc-drawer'), '<aside aria-label="on this page" class="toc-drawer'),
    # A heading without words heads nothing.
    (re.compile(r'<th class="head">(?:<p>\s*</p>)?</th>'), "<td></td>"),
    # What scrolls sideways must be within reach of the keyboard.
    (re.compile(r'(<div class="highlight">)<pre>'), r'\1<pre tabindex="0">'),
)


def mend(page: str) -> str:
    """Return the HTML of a page with names for its landmarks, and with blocks of code in the Tab order."""
    for pattern, better in MENDS:
        page = pattern.sub(better, page)
    return page
