"""Whole games of a person against programs in a browser, and what a screen reader has of them."""

import pytest
from served import click, game_of, press, serving, started, turns, type_move, until
from test_accessibility import troubles
from test_browser_dighere import EVENT
from test_browser_seat import NARABE, PHONE, fits, seated

pytestmark = [pytest.mark.process, pytest.mark.slow]

WIDE = {"viewport": {"width": 1280, "height": 800}}


def test_a_whole_game_of_go_against_gnu_go_to_an_agreed_count_by_keyboard_alone(tmp_path, open_page):
    gnugo = 'command = "gnugo --mode gtp --level 1"'
    path = seated(tmp_path, gnugo, game='"go"', board_size=5, komi=0.5, clock='"10m"', hints="true")
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **WIDE)
        press(page, "#ready")
        page.wait_for_selector("#board.asked")
        told = page.locator("#viewer").aria_snapshot()
        for words in (
            'timer "clock of ann"',
            'timer "clock of other"',
            "It is your turn",
            "Position after",
            "textbox",
        ):
            assert words in told, told
        assert page.locator("#viewer .time:visible").count() == 2  # one clock for each side
        type_move(page, "c3")
        assert fits(page)
        for _ in range(60):
            until(lambda: page.locator("#board.asked, #banner:visible, #extra button").count(), "a question")
            if page.is_visible("#banner"):
                break
            if page.locator("#extra button").count():
                press(page, "#count-now")
                page.wait_for_selector("#extra:empty", state="attached")
                continue
            before = turns(page)
            type_move(page, "pass")
            until(lambda: turns(page) > before or page.is_visible("#banner"), "the pass")  # noqa: B023
        page.wait_for_selector("#outcome:has-text(' by ')")
        assert page.locator("#board .owner0, #board .owner1").count() > 5
        assert page.locator("#next-steps a:has-text('record')").count() == 1
        page.wait_for_selector("#next-steps a:has-text('back to the event')")
        assert troubles(page) == []


@pytest.mark.parametrize("how", ["mouse", "keyboard"])
def test_gomoku_begins_with_three_stones(tmp_path, open_page, how):
    path = seated(tmp_path, NARABE, game='"gomoku"', swap2="true", clock='"10m"')
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **WIDE)
        press(page, "#ready")
        page.wait_for_selector("#state:has-text('Place black, white, black')")
        if how == "keyboard":
            type_move(page, "h8i9j6")
        else:
            page.mouse.move(*click(page, 7, 7))
            page.wait_for_selector("#board .over .ghost")  # the stone that a click puts there
            for column, row in ((7, 7), (8, 8)):
                page.mouse.click(*click(page, column, row))
            shown = page.locator("#board .over .ghost circle:not(.shade)")
            assert [each.get_attribute("class") for each in shown.all()] == ["black", "white"]
            page.mouse.click(*click(page, 9, 5))
        until(lambda: turns(page) >= 2, "the choice of the other side")
        page.wait_for_selector("#board.asked")
        assert page.locator("#movelist li[data-turn]").count() == turns(page)
        assert game_of(page)["turns"][0][0][1] == "h8i9j6"
        if how == "keyboard":
            press(page, "#resign")
            page.wait_for_selector("#outcome:has-text('You lost by resignation')")


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
        assert "team 0" not in page.inner_text("#viewer")
        page.locator("#plans button").first.tap()
        page.wait_for_selector("#board:not(.asked)")
