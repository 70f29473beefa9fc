"""Whole games of people in a browser, from the first question to the banner, by mouse, keyboard and touch."""

import json
import shutil
import signal

import pytest
from hands import WIDE, Keyboard, Mouse, Touch, spot
from served import click, game_of, hear_again, overlay, serving, started, turns, until
from test_accessibility import troubles
from test_browser_seat import GO, fits, is_whole, seated, stones

pytestmark = [pytest.mark.process, pytest.mark.slow]

FIELD = {
    "size": 6,
    "steps": 2,
    "agents": [{"x": x, "y": y} for x, y in ((0, 0), (5, 5), (1, 0), (4, 5))],
    "known": [{"x": 0, "y": 1, "amount": 30}],
    "hidden": [{"x": 2, "y": 1, "amount": 8}],
}
DIG_HERE = f"""
competition = "playoff"
game = "dighere"
clock = "10m"
spectators = "all"
opening = '{json.dumps(FIELD)}'
[players.ann]
human = true
partner = {{ human = true }}
[players.ben]
human = true
partner = "gyoji-horidashi --random"
[[matchups]]
players = ["ann", "ben"]
number_of_games = 1
"""

GNUGO = shutil.which("gnugo") or shutil.which("gnugo", path="/usr/games")


def person(site, open_page, name, hands):
    """Return a person who has reported ready."""
    one = hands(open_page(site.link(name), **hands.screen))
    one.press("#ready")
    return one


def question(page):
    """Return what the next question is about, once it is there: "move" or "count"."""
    page.wait_for_selector("#board.asked, #counting")
    return "count" if page.locator("#counting").count() else "move"


def press_while_told_again(page, button):
    page.wait_for_selector(f"{button} >> :scope:enabled")
    page.hover(button)
    page.mouse.down()
    hear_again(page)
    page.mouse.up()


@pytest.mark.skipif(GNUGO is None, reason="no gnugo: install Debian's package gnugo")
@pytest.mark.parametrize("hands", [Mouse, Keyboard, Touch])
def test_go_against_gnu_go_to_a_count_that_both_agree_on(tmp_path, open_page, hands):
    rules = {"game": '"go"', "board_size": 5, "komi": 0.5, "ruleset": '"japanese"', "clock": '"10m"'}
    path = seated(tmp_path, f'command = "{GNUGO} --mode gtp --level 1 --seed 1"', **rules)
    with started("run", path, "-q"), serving(path) as site:
        ann = person(site, open_page, "ann", hands)
        page = ann.page
        page.wait_for_selector("#board.asked")
        assert fits(page)
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
        if hands is Touch:
            page.touchscreen.tap(*spot(page, "b4"))
            page.wait_for_selector("#choices >> text=play B4")  # a finger is not as sure as a mouse
        ann.move("c3")
        while question(page) == "move":  # until GNU Go passes as well
            ann.passes()
        page.wait_for_selector("#counting tr:has-text('dead for both'):has-text('C3')")
        assert (overlay(page, "agreed"), overlay(page, "dead")) == (1, 0)
        result = page.inner_text("#counted")
        ann.mark("c3")
        page.wait_for_selector("#counting tr:has-text('only for other'):has-text('C3')")
        page.wait_for_selector("#count-now:has-text('although we differ')")
        assert "mark all dead stones first" in page.inner_text("#neutral")
        assert page.inner_text("#counted") != result
        ann.mark("c3")
        page.wait_for_selector(f"#counted:text-is('{result}')")
        assert is_whole(page)
        figures = page.locator("#counting .figures td").all_inner_texts()
        assert {"territory", "prisoners and dead stones", "komi", "sum"} <= set(figures)
        assert result == f"White wins by {float(figures[-1]) - float(figures[-2]):g} points"
        ann.press("#count-now:has-text('agree and count')")
        lead = result.split()[3]
        page.wait_for_selector(f"#banner:has-text('You lost by {lead} points'):has-text('W+{lead}')")
        for words in ("record", "back to the event"):
            page.wait_for_selector(f"#next-steps a:has-text('{words}')")
        assert page.locator("#beside .figures td").all_inner_texts() == figures
        assert is_whole(page)
        assert troubles(page) == []


def test_go_between_two_persons_who_differ_about_dead_stones_play_on_and_agree(tmp_path, open_page):
    rules = {"ruleset": '"chinese"', "dead_stones": '"agreement"', "scorer": '"internal"'}
    path = seated(tmp_path, "human = true", **GO, **rules)
    with started("run", path, "-q"), serving(path) as site:
        ann, other = person(site, open_page, "ann", Mouse), person(site, open_page, "other", Touch)
        ann.move("c3")
        other.move("a1")
        ann.passes()
        other.passes()
        ann.mark("a1")
        ann.page.wait_for_selector("#counting tr:has-text('dead, as you marked'):has-text('A1')")
        until(lambda: overlay(ann.page, "dead") and overlay(ann.page, "owner0"), "the territory")
        press_while_told_again(ann.page, "#count-now")
        ann.state("Your count is sent. Waiting for the count of other")
        other.press("#count-now:has-text('no stone is dead')")
        ann.page.wait_for_selector(
            "#said:has-text('You differ about A1: you call A1 dead, other calls none dead.')"
        )
        ann.state("It is your turn. Play goes on: capture what is dead, then both pass.")
        other.state("Play goes on. ann is to move.")
        watcher = open_page(f"{site.address}/c/event/games/0_0")
        watcher.wait_for_selector("#phase:has-text('playing on to capture dead stones')")
        ann.page.hover("#words >> text=take back")
        ann.page.mouse.down(click_count=2)  # the second click of a double click on another button
        ann.page.mouse.up(click_count=2)
        for move in ("a2", "b1"):
            ann.move(move)
            other.passes()
        ann.passes()
        stones(watcher, 9)
        assert watcher.locator("#movelist .phase").all_inner_texts() == ["playing on to capture dead stones"]
        for one in (ann, other):
            one.press("#count-now:enabled")
        ann.page.wait_for_selector("#banner:has-text('You won by 24.5 points'):has-text('B+24.5')")
        other.page.wait_for_selector("#banner:has-text('You lost by 24.5 points'):has-text('B+24.5')")
        for one in (ann, other):
            assert is_whole(one.page)


def take_back(asker, other):
    """Take a move back with the other side's consent, which it gives when it is asked again."""
    before = turns(asker.page)
    asker.wish("take back a move")
    asker.state("Your wish to take back a move waits for other.")
    other.state("ann (white) asks to take back a move. Do you agree?")
    asker.page.reload()
    asker.state("Your wish to take back a move waits for other.")
    other.say("no, decline")
    asker.page.wait_for_selector("#said:has-text('other declines the take-back')")
    stones(asker.page, before)
    asker.wish("take back a move")
    other.say("yes, agree")
    stones(asker.page, before - 2)


@pytest.mark.parametrize("hands", [Mouse, Touch])
def test_gomoku_by_swap2_with_a_move_taken_back_by_consent_and_one_on_its_way_to_a_killed_server(
    tmp_path, open_page, hands
):
    settings = {"swap2": "true", "take_backs": '"ask"', "show_up": '"1h"'}
    path = seated(tmp_path, "human = true", game='"gomoku"', board_size=9, **settings)
    with started("run", path, "-q"):
        with serving(path) as site:
            port = site.address.rpartition(":")[2]
            waiting = open_page(site.link("ann"), **WIDE)
            waiting.wait_for_selector("#deadline:has-text('until you lose by not coming')")
            waiting.close()
            ann, other = person(site, open_page, "ann", hands), person(site, open_page, "other", Keyboard)
            page = ann.page
            ann.state("Place black, white, black")
            if hands is Mouse:
                page.mouse.move(*spot(page, "e5"))
                page.wait_for_selector("#board .over .ghost")  # the stone that a click puts there
            ann.move("e5", "a1", "c9")
            stones(page, 1)
            assert game_of(page)["turns"][0][0][1] == "e5a1c9"
            other.move("h9", "h1")  # one of each colour, which gives the choice back
            page.wait_for_selector("#choices button:has-text('play as Black')")
            ann.move("b1")
            other.move("c8")
            stones(page, 4)
            take_back(ann, other)
            ann.move("c1")
            other.move("c8")
            ann.move("b1")
            other.move("c7")
            stones(page, 6)
            page.wait_for_selector("#board.asked")
            assert page.title().startswith("● Your turn")
            site.process.send_signal(signal.SIGSTOP)
            ann.move("d1")
            ann.state("Your move d1 is on its way.")
            site.process.kill()
            page.wait_for_selector("#noticed:has-text('There is no connection. Trying again.')")
            ann.state("Your move d1 is not sent yet.")
            assert not page.title().startswith("●")
            assert (turns(page), overlay(page, "ghost")) == (6, 1)  # the server's word is the only state
        with started("serve", "--port", port, path):
            stones(page, 7)
            page.wait_for_selector("#notice:not(:visible)", state="attached")
            other.move("c6")
            ann.move("e1")
            page.wait_for_selector("#banner:has-text('You won by five')")
            other.page.wait_for_selector("#banner:has-text('You lost by five')")
            assert fits(page)


@pytest.mark.parametrize("hands", [Mouse, Touch])
def test_chess_with_a_draw_offer_promotions_and_a_mate_that_was_chosen_in_advance(tmp_path, open_page, hands):
    fen = "6k1/1P3ppp/8/8/8/8/p5PP/4R1K1 w - - 0 1"
    path = seated(
        tmp_path, "human = true", game='"chess"', clock='"10m"', draw_offers="true", opening=f'"{fen}"'
    )
    with started("run", path, "-q"), serving(path) as site:
        ann, other = person(site, open_page, "ann", hands), person(site, open_page, "other", Keyboard)
        ann.wish("offer a draw")
        ann.state("Your offer of a draw waits for other.")
        other.state("ann (white) offers a draw. Do you accept?")
        for one in (ann, other):
            assert one.page.is_visible("#near .time")  # the clock stays where it was
        offer = other.page.locator("#words >> text=offer a draw")
        assert offer.is_disabled()
        assert offer.get_attribute("title") == "First answer the question above."
        other.say("no, decline")
        ann.page.wait_for_selector("#said:has-text('other declines the draw')")
        ann.move("b7", "b8", becomes="knight")
        ann.page.wait_for_selector("#movelist >> text=b8=N")
        ann.premove("e1", "e8")
        until(lambda: overlay(ann.page, "arrow"), "the move in advance")
        assert fits(ann.page)
        other.move("a2", "a1", becomes="knight")
        ann.page.wait_for_selector("#banner:has-text('You won by checkmate')")
        other.page.wait_for_selector("#banner:has-text('You lost by checkmate')")
        assert other.page.locator("#movelist [data-turn]").all_inner_texts() == ["1.b8=N", "a1=N", "2.Re8#"]


def test_dig_here_by_a_samurai_at_a_telephone_a_dog_by_mouse_and_another_by_keyboard(tmp_path, open_page):
    path = tmp_path / "event.toml"
    path.write_text(DIG_HERE)
    with started("run", path, "-q"), serving(path) as site:
        names = {"ann": Touch, "ann (partner)": Mouse, "ben": Keyboard}
        samurai, dog, other = (person(site, open_page, name, hands) for name, hands in names.items())
        pages = [one.page for one in (samurai, dog, other)]
        dog.state("It is your turn for ann (dog).")
        samurai.page.wait_for_selector("#plans button")
        assert fits(samurai.page)
        assert troubles(samurai.page) == []
        boxes = samurai.page.evaluate(  # at one moment: the page may draw them anew between two questions
            "() => [...document.querySelectorAll('#plans button, #resign, #move')]"
            ".map((each) => each.getBoundingClientRect())"
            ".map(({ top, bottom, width }) => [top, bottom, width])"
        )
        assert len(boxes) > 2
        assert all(width > 0 and top >= 0 and bottom <= 844 for top, bottom, width in boxes)
        assert "team 0" not in samurai.page.inner_text("#viewer")
        assert samurai.page.locator("#board .coin").count() == 1
        assert dog.page.locator("#board .coin.buried").count() == 1  # it senses what is beside it
        samurai.page.touchscreen.tap(*click(samurai.page, 0, 1))
        samurai.say("dig (0,1)")
        dog.page.mouse.click(*click(dog.page, 2, 1))  # it can only go there, and barks
        other.page.wait_for_selector("#board.asked")
        other.page.keyboard.press("5")
        for page in pages:
            page.wait_for_selector("#board.asked .hole")
            assert page.locator("#board .hole").count() == 1
            assert page.locator("#board .coin").count() == 1
        samurai.page.wait_for_selector("#tally0:has-text('30')")
        samurai.press("#plans button >> nth=0")
        dog.say("stay")
        other.move("4")
        for page in pages:
            page.wait_for_selector("#outcome:has-text('30 to ')")
            assert fits(page)


def test_a_press_that_has_begun_counts_although_all_is_told_again(tmp_path, open_page):
    path = seated(tmp_path, "human = true", game='"chess"', clock='"10m"', draw_offers="true")
    with started("run", path, "-q"), serving(path) as site:
        ann, other = person(site, open_page, "ann", Mouse), person(site, open_page, "other", Keyboard)
        press_while_told_again(ann.page, "#words >> text=offer a draw")
        ann.state("Your offer of a draw waits for other.")
        other.state("ann (white) offers a draw. Do you accept?")
        press_while_told_again(other.page, "#choices >> text=yes, agree")
        ann.page.wait_for_selector("#banner:has-text('Draw by agreement')")
