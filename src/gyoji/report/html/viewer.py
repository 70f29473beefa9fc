"""What the scripts fill and listen to: a board, what is said beside it, buttons, the filter of the list."""

from collections.abc import Sequence

from gyoji.core.record import GameResult
from gyoji.report.html.markup import element, inline

_BUTTONS = (
    ("first", "|◀", "the start (Home)"),
    ("back", "◀", "one turn back (left arrow)"),
    ("play", "▶ play", "play by itself (space)"),
    ("forward", "▶", "one turn on (right arrow)"),
    ("last", "▶|", "the end (End)"),
    ("previous", "▲ game", "the game above in the list"),
    ("next", "▼ game", "the game below in the list"),
)


def viewer_markup() -> str:
    """The viewer without a game. It stays hidden where scripts do not run."""
    buttons = "".join(
        element("button", inline(sign), type="button", id=name, title=told, aria_label=told)
        for name, sign, told in _BUTTONS
    )
    return f"""
<noscript><p>To replay games, let this page run its scripts: they are in it, and load nothing.</p></noscript>
<p>Choose a game below. <kbd>←</kbd> <kbd>→</kbd> go through its turns, <kbd>Home</kbd> and <kbd>End</kbd> to
its ends, <kbd>space</kbd> plays; the bars are the time of each turn (by logarithms), and can be clicked.</p>
<div id="viewer" class="viewer" hidden>
<div><div id="board"></div><div id="legend" class="legend"></div></div>
<div class="panel">
<h3 id="title"></h3>
<small id="about"></small>
<p id="missing" class="loss"></p>
<table class="sides"><tbody id="sides"></tbody></table>
<input type="range" id="slider" min="0" value="0" aria-label="turn">
<svg id="clock" class="clock" aria-hidden="true"></svg>
<p><b id="count"></b> <label id="numbered"><input type="checkbox" id="numbers"> turns on stones</label></p>
<div class="buttons">{buttons}</div>
<div id="moves" class="moves" aria-live="polite"></div>
</div>
</div>"""


def filter_markup(results: Sequence[GameResult]) -> str:
    """What the list of these games can be narrowed down by."""
    players = sorted({player for result in results for player in result.players})
    endings = sorted({result.outcome.ending.value for result in results})
    return f"""
<div class="filter">
<input type="search" id="search" placeholder="search" aria-label="search in the list of games">
{_choice("player", "all players", players)}
{_choice("ending", "all endings", endings)}
<span id="matches" class="soft"></span>
</div>"""


def _choice(name: str, everything: str, values: Sequence[str]) -> str:
    options = element("option", everything, value="")
    options += "".join(element("option", inline(value), value=value) for value in values)
    return element("select", options, id=name, aria_label=name)
