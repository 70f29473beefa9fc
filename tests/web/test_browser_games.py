"""Whole games of a person against programs in a browser, and what a screen reader has of them."""

import pytest
from served import click, serving, started, turns, until
from test_accessibility import troubles
from test_browser_dighere import EVENT
from test_browser_seat import NARABE, PHONE, fits, seated

pytestmark = [pytest.mark.process, pytest.mark.slow]

WIDE = {"viewport": {"width": 1280, "height": 800}}


def test_a_whole_game_of_go_against_gnu_go_to_an_agreed_count(tmp_path, open_page):
    gnugo = 'command = "gnugo --mode gtp --level 1"'
    path = seated(tmp_path, gnugo, game='"go"', board_size=5, komi=0.5, clock='"10m"', hints="true")
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **WIDE)
        page.click("#ready")
        page.wait_for_selector("#board.asked")
        page.mouse.move(*click(page, 2, 2))
        page.wait_for_selector("#board .over .ghost")  # the stone that a click puts there
        told = page.locator("#viewer").aria_snapshot()
        for words in (
            'timer "clock of ann"',
            'timer "clock of other"',
            "It is your turn",
            "Position after",
            "textbox",
        ):
            assert words in told, told
        page.mouse.click(*click(page, 2, 2))
        assert fits(page)
        for _ in range(60):
            until(lambda: page.locator("#board.asked, #banner:visible, #extra button").count(), "a question")
            if page.is_visible("#banner"):
                break
            if page.locator("#extra button").count():
                page.get_by_text("agree and count").click()
                page.wait_for_selector("#extra:empty", state="attached")
                continue
            before = turns(page)
            page.click("#choices >> text=pass")
            until(lambda: turns(page) > before or page.is_visible("#banner"), "the pass")  # noqa: B023
        page.wait_for_selector("#outcome:has-text(' by ')")
        assert page.locator("#board .owner0, #board .owner1").count() > 5
        assert troubles(page) == []


def test_gomoku_begins_with_three_stones_by_mouse(tmp_path, open_page):
    path = seated(tmp_path, NARABE, game='"gomoku"', swap2="true", clock='"10m"')
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **WIDE)
        page.click("#ready")
        page.wait_for_selector("#board.asked")
        for column, row in ((7, 7), (8, 8)):
            page.mouse.click(*click(page, column, row))
        shown = page.locator("#board .over .ghost circle:not(.shade)")
        assert [each.get_attribute("class") for each in shown.all()] == ["black", "white"]
        page.mouse.click(*click(page, 9, 5))
        until(lambda: turns(page) >= 2, "the choice of the other side")
        page.wait_for_selector("#board.asked")
        assert page.locator("#movelist li").count() == turns(page)


def test_dig_here_on_a_telephone_shows_every_plan_without_scrolling(tmp_path, open_page):
    path = tmp_path / "event.toml"
    path.write_text(EVENT.replace("partner = { human = true }", 'partner = "gyoji-horidashi --random"'))
    with started("run", path, "-q"), serving(path) as site:
        page, ben = open_page(site.link("ann"), **PHONE), open_page(site.link("ben"), **PHONE)
        for each in (page, ben):
            each.click("#ready")
        page.wait_for_selector("#board.asked")
        page.wait_for_selector("#plans button")
        assert fits(page)
        # All at one moment: the page may draw them anew between two questions.
        boxes = page.evaluate(
            "() => [...document.querySelectorAll('#plans button, #resign, #move')]"
            ".map((each) => each.getBoundingClientRect())"
            ".map(({ top, bottom, width }) => [top, bottom, width])"
        )
        assert len(boxes) > 2
        for top, bottom, width in boxes:
            assert width > 0
            assert top >= 0
            assert bottom <= 844
        assert troubles(page) == []
        page.locator("#plans button").first.tap()
        page.wait_for_selector("#board:not(.asked)")
