"""The pages around the games in a real browser: home, an event, the wall on a screen, the form, the judge."""

import pytest
from hands import PHONE
from served import click, paced, serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]


@pytest.fixture
def event(tmp_path):
    """An event of two games: the first is over, the second stands after one move."""
    path, moves = paced(tmp_path, more='description = "Every Tuesday"\nclock = "10m"')
    path.write_text(path.read_text().replace("number_of_games = 1", "number_of_games = 2"))
    for name, move in (("ann", "C3"), ("ben", "D3"), ("ann", "B2"), ("ben", "resign"), ("ann", "A1")):
        moves.play(name, move)
    yield path, moves
    moves.close()


def test_the_home_page_shows_what_is_on_and_what_needs_the_organiser(event, open_page):
    path, moves = event
    with started("run", path, "-q"), serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["playing"] == ["0_1"], "the second game")
        page = open_page(site.address)
        page.wait_for_selector("#wall li:has-text('1 turn')")
        page.wait_for_selector(".leaders li:has-text('ann')")
        page.wait_for_selector(".last:has-text('ann beat ben B+R') canvas")
        until(lambda: "NaN" not in page.inner_text("#wall"), "the clocks")
        assert page.is_hidden("#needs")
        held = open_page(site.organiser().replace("/#", "/c/event#"))
        held.wait_for_selector("#steering:visible")
        until(lambda: held.input_value("#parallel") == "1", "how many games are played at once")
        assert held.locator("#steering [data-do=reload]").inner_text() == "apply the changed control file"
        assert held.evaluate("getComputedStyle(document.querySelector('#parallel')).borderRadius") == "4px"
        held.close()
        moves.play("ben", "C3")
        page.wait_for_selector("#wall li:has-text('2 turns')")
        moves.play("ann", "resign")
        page.wait_for_selector("#nothing:not([hidden])")
        page.wait_for_selector(".leaders li:has-text('ben'):has-text('1')")


def test_the_organiser_is_led_to_a_game_that_waits_and_rules_on_its_board(tmp_path, open_page):
    path, moves = paced(tmp_path, more='scorer = "judge"')
    for name, move in (("ann", "C3"), ("ben", "D3"), ("ann", "pass"), ("ben", "pass")):
        moves.play(name, move)
    with started("run", path, "-q") as run:
        run.wait()
    with serving(path) as site:
        steer = site.organiser().rpartition("#")[2]
        page = open_page(f"{site.address}/#{steer}")
        page.wait_for_selector(".need a:has-text('judge ann - ben')")
        page.click("#needed >> text=event: ann - ben waits for your ruling")
        page.wait_for_url("**/c/event/judge?game=0_0")
        page.wait_for_selector("#verdict:has-text('Nothing is ruled yet.')")
        assert "beat" not in page.inner_text("#verdict")
        assert page.is_disabled("#accept")
        assert "a decision" in page.inner_text("#lacking")
        assert page.locator("#claims tr").count() == 2
        assert page.inner_text("[data-say].main") == "count area"
        assert "counted by area" in page.inner_text("#rules")
        page.mouse.click(*click(page, 3, 2))
        page.wait_for_selector("#verdict:has-text('If you give this ruling: ann beat ben B+')")
        page.click("#accept")
        page.wait_for_selector("#verdict:has-text('The ruling is stored.')")
    moves.close()


def test_standings_are_copied_for_a_forum_and_the_page_prints_its_tables_alone(event, open_page):
    path, _ = event
    with started("run", path, "-q"), serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the first game")
        page = open_page(f"{site.address}/c/event", permissions=["clipboard-read", "clipboard-write"])
        for form, sign in (("bbcode", "[code]"), ("markdown", "| --: |")):
            page.click(f"[data-post={form}]")
            until(lambda sign=sign: sign in page.evaluate("navigator.clipboard.readText()"), form)
        page.wait_for_selector("#parts table")
        page.emulate_media(media="print")
        assert [page.is_visible(each) for each in (".top", "#post", "#parts table")] == [False, False, True]


def test_a_screen_shows_the_name_of_the_event_its_boards_and_its_table(event, open_page):
    path, _ = event
    with started("run", path, "-q"), serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["playing"] == ["0_1"], "the second game")
        page = open_page(f"{site.address}/c/event/wall?tv", color_scheme="dark")
        for part in ("documentElement", "body"):
            ground = page.evaluate(f"getComputedStyle(document.{part}).backgroundColor")
            assert max(int(each) for each in ground.strip("rgba()").split(",")[:3]) < 60, ground
        page.wait_for_selector("h1:has-text('event')")
        assert page.locator("h1").bounding_box()["height"] > 15
        page.wait_for_selector("#standing tr:has-text('ann')", state="attached")
        page.wait_for_selector("#wall li:has-text('1 turn')", state="attached")


@pytest.mark.parametrize("how", [{}, PHONE], ids=["wide", "phone"])
def test_a_game_is_begun_by_choices_and_a_mistake_is_told_at_its_field(tmp_path, open_page, how):
    with serving("--games", tmp_path / "games", "--open", "4") as site:
        page = open_page(f"{site.address}/new", **how)
        page.click("#fields >> text=13x13")
        assert page.input_value("[name=board_size]") == "13"
        page.fill("#name", "Jürg Müller")
        page.select_option("#clocks", "")
        page.fill("#clock", "1 hour")
        page.select_option("#against", "person")
        page.fill("#other", "林")
        page.click("#begin")
        page.wait_for_selector("#clock[aria-invalid] + #wrong:has-text('clock')")
        wide = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wide <= 0
        page.select_option("#clocks", "10m + 3x30s")
        page.click("#begin")
        page.wait_for_selector("#begun h2:has-text('Send this link to 林')")
        page.click("#begun >> text=QR code")
        page.wait_for_selector("#begun svg.qr")
        page.click("#own")
        page.wait_for_selector("#who:has-text('Jürg Müller - 林')")
        (told,) = site.json("/status.json")["competitions"]
        assert told["title"] == "Jürg Müller - 林"
