"""People at a page by mouse, by keyboard and by touch: the same actions, each by one means of input alone."""

import json

from playwright.sync_api import TimeoutError as Late
from served import click, game_of, press, type_move

WIDE = {"viewport": {"width": 1280, "height": 800}}
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}


def spot(page, point):
    """Return where a point such as "c3" is on the screen, from whose side ever the board is shown."""
    game = game_of(page)
    columns, rows = [name.lower() for name in game["columns"]], game["rows"]
    column, row = columns.index(point[0]), rows.index(point[1:])
    if page.get_attribute("#viewer", "data-flipped") == "true":
        column, row = len(columns) - 1 - column, len(rows) - 1 - row
    return click(page, column, row)


class Hands:
    """A person with one means of input.

    Attributes:
        screen: The window that goes with it.
    """

    screen = WIDE

    def __init__(self, page):
        self.page = page

    def state(self, text):
        """Wait until the question, or what is awaited, has this text. A failure shows what the page says."""
        try:
            self.page.wait_for_selector(f"#state:has-text({json.dumps(text)})")
        except Late as late:
            raise AssertionError(f"expected {text!r}; the page: {self.page.inner_text('body')}") from late

    def move(self, *points, becomes=""):
        """Answer the open question by a move of one or several points; a pawn becomes a piece."""
        self.page.wait_for_selector("#board.asked")
        self._point(*points)
        if becomes:
            self.press(f"#pieces >> text={becomes}")
        else:
            self._confirm(points)

    def passes(self):
        """Pass, once there is a question."""
        self.page.wait_for_selector("#board.asked")
        self.say("pass")

    def premove(self, *points):
        """Choose the next move while the other side is to move."""
        self.state("The other side is to move.")
        self._point(*points)

    def say(self, words):
        """Press one of the answers that stand beside the board."""
        self.press(f"#choices button:has-text({json.dumps(words)}):enabled")

    def wish(self, words):
        """Press one of the requests, once it is possible."""
        self.press(f"#words button:has-text({json.dumps(words)}):enabled")

    def mark(self, point):
        """Mark the group of a point as dead, or as alive again."""
        self.page.wait_for_selector("#counting")
        self._point(point)

    def _point(self, *points):
        raise NotImplementedError

    def _confirm(self, points):
        pass

    def press(self, selector):
        raise NotImplementedError


class Mouse(Hands):
    """A mouse at a wide window."""

    def press(self, selector):
        self.page.click(selector)

    def _point(self, *points):
        for point in points:
            self.page.mouse.click(*spot(self.page, point))


class Touch(Hands):
    """A finger on a telephone: what it points at is confirmed by another touch."""

    screen = PHONE

    def press(self, selector):
        self.page.tap(selector)

    def _point(self, *points):
        for point in points:
            self.page.touchscreen.tap(*spot(self.page, point))

    def _confirm(self, points):
        if len(points) < 3:  # the stones of an opening are sure
            self._point(points[-1])


PIECES = {"queen": "q", "rook": "r", "bishop": "b", "knight": "n"}


class Keyboard(Hands):
    """Somebody without a pointer: moves are typed, and buttons are reached with the Tab key."""

    def press(self, selector):
        press(self.page, selector)

    def move(self, *points, becomes=""):
        self.page.wait_for_selector("#board.asked")
        self._point("".join(points) + PIECES.get(becomes, ""))

    def _point(self, *points):
        type_move(self.page, "".join(points))
