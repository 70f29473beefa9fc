"""A person's seat in a real browser: by mouse and typing, against engines and another person."""

import sys

import pytest
from hands import PHONE, Touch
from served import click, game_of, hear_again, press, serving, started, turns, until

pytestmark = [pytest.mark.process, pytest.mark.slow]


def seated(folder, opponent, **settings):
    """Return a control file in which ann is a person, and her link as the server says it."""
    lines = ['competition = "playoff"', *(f"{key} = {value}" for key, value in settings.items())]
    lines += ["[players.ann]", "human = true", "[players.other]", opponent]
    lines += ["[[matchups]]", 'players = ["ann", "other"]', "number_of_games = 1"]
    path = folder / "event.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


GO = {"game": '"go"', "board_size": 5, "komi": 0.5, "take_backs": '"always"'}
GOMOKU = {"game": '"gomoku"', "take_backs": '"always"'}
KOZO = 'command = "gyoji-kozo"'
NARABE = 'command = "pbrain-narabe"\nprotocol = "gomocup"'


def stones(page, count):
    until(lambda: turns(page) == count, f"turn {count}")


def take_seat(page):
    page.click("#ready")
    page.wait_for_selector(".asked")
    until(lambda: page.title().startswith("● Your turn"), "the title")


def say(page, move):
    page.wait_for_selector(".asked")
    page.fill("#move", move)
    page.press("#move", "Enter")


def places(page):
    """Return where each button is, by its words, and the board."""
    return page.evaluate(
        "() => Object.fromEntries([...document.querySelectorAll('#viewer button, #board')].map((each) => {"
        " const { x, y, width, height } = each.getBoundingClientRect();"
        " return [each.id + each.textContent, [x, y, width, height].map(Math.round).join()]; })"
        ".filter(([name, box]) => !box.endsWith(',0,0') && !/^[0-9]/.test(name)))"
    )


def is_whole(page):
    """Whether nothing has to be scrolled."""
    return page.evaluate(
        "() => { const { scrollHeight, clientHeight, scrollWidth, clientWidth } = document.documentElement;"
        " return scrollHeight <= clientHeight && scrollWidth <= clientWidth; }"
    )


def fits(page):
    """Whether nothing has to be scrolled, and the board is as wide or as high as the window lets it be."""
    return is_whole(page) and page.evaluate(
        "() => { const { clientHeight, clientWidth } = document.documentElement;"
        " const { width, height } = document.querySelector('#board').getBoundingClientRect();"
        " return height > 0.85 * clientHeight || width > 0.9 * clientWidth; }"
    )


def turn_one(page):
    page.click("#first")
    page.click("#forward")
    page.wait_for_selector("#count:has-text('1 /')")


def test_a_person_plays_by_mouse_and_by_typing_takes_back_and_resigns(tmp_path, open_page):
    path = seated(tmp_path, KOZO, **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        take_seat(page)
        page.mouse.click(*click(page, 2, 2))
        stones(page, 2)
        say(page, "c3")
        page.wait_for_selector("#said:has-text('C3')")  # there is a stone already: she is asked again
        page.click("#words >> text=take back")
        stones(page, 0)
        say(page, "b2")
        stones(page, 2)
        page.wait_for_selector(".asked")
        press(page, "#resign")
        page.wait_for_selector("#banner:has-text('You lost by resignation'):has-text('W+R')")


def test_an_answer_that_cannot_be_read_is_refused_and_one_that_is_lost_is_sent_again(tmp_path, open_page):
    path = seated(tmp_path, KOZO, **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        take_seat(page)
        say(page, "nowhere")
        page.wait_for_selector("#said:has-text('ill-formed vertex')")
        lost = []

        def lose_once(route):
            if "c3" in route.request.post_data and not lost:
                lost.append(route.request)
                route.abort()
            else:
                route.continue_()

        page.route("**/seat/say", lose_once)
        say(page, "c3")
        page.wait_for_selector("#state:has-text('Your move c3 is not sent yet.')")
        hear_again(page)  # that an earlier answer was refused, too
        stones(page, 2)  # the events go on: nothing but the answer itself can tell that it is lost


def test_a_question_is_over_wherever_it_is_shown_once_it_is_answered(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        ann, same, other = [open_page(site.link(name)) for name in ("ann", "ann", "other")]

        echoes = "performance.getEntriesByName(location.origin + '/api/v1/seat/echo').length"
        asked_again = []

        # All events are told once more while an answer is on its way. If that is sent again, it counts once.
        def hear_again_first(route):
            if "answer" in route.request.post_data and not asked_again:
                headers = {"Authorization": route.request.headers["authorization"]}
                heard = ann.evaluate(echoes)  # one after each message
                ann.request.post(route.request.url, data={"again": True}, headers=headers)
                until(lambda: ann.evaluate(echoes) > heard, "the events")
                asked_again.append(ann.locator(".asked").count())
            route.continue_()

        ann.route("**/seat/say", hear_again_first)
        other.click("#ready")
        take_seat(ann)
        same.wait_for_selector(".asked")
        say(ann, "c3")
        for page in (ann, same):
            page.wait_for_selector("#state:has-text('The other side is to move')")
        assert asked_again == [0]
        say(other, "b2")
        for page in (ann, same):
            page.wait_for_selector(".asked")
            stones(page, 2)


def test_a_person_chooses_sides_takes_a_suggestion_and_takes_back_from_a_brain(tmp_path, open_page):
    path = seated(tmp_path, NARABE, **GOMOKU, swap2="true", hints="true", clock='"10m + 3x30s"')
    text = path.read_text().replace('["ann", "other"]', '["other", "ann"]')
    path.write_text(text)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        take_seat(page)
        page.wait_for_selector("#near .time:has-text('+ 3x30s')")
        page.click("#choices >> text=play as Black")  # three stones are there; the brain places the next one
        stones(page, 3)
        page.wait_for_selector(".asked")
        turn_one(page)
        assert page.locator("#moves .said").count() == 0  # what the engine thinks
        page.click("#tab-more")
        page.check("#thoughts")
        page.click("#tab-moves")
        stones(page, 3)
        turn_one(page)
        page.wait_for_selector("#moves .said")
        page.click("#last")
        before = places(page)
        page.click("#words >> text=suggest a move")
        page.wait_for_selector("#board .over .advice")
        page.wait_for_selector("#choices button:has-text('play ')")
        assert places(page).items() >= before.items()  # nothing has moved under the pointer
        assert fits(page)
        page.click("#choices button:has-text('play ')")
        stones(page, 5)
        page.wait_for_selector(".asked")
        page.click("#words >> text=take back")
        stones(page, 3)
        page.wait_for_selector("#said:has-text('taken back: 2 turns')")
        page.click("#tab-more")
        page.check("#confirm")
        page.click("#tab-moves")
        page.mouse.click(*click(page, 0, 0))
        page.wait_for_selector("#choices >> text=play a1")
        stones(page, 3)
        page.mouse.click(*click(page, 0, 0))
        stones(page, 5)
        page.wait_for_selector(".asked")
        page.click("#resign")
        page.wait_for_selector("#outcome:has-text('You lost by resignation')")


SUGGESTING = """
from gyoji.engines.gomocup import Brain, Result
Brain(lambda game: Result(game.empty[0], suggest=True), name="S").run()
"""


def test_a_person_chooses_the_moves_of_a_brain_that_suggests_them(tmp_path, open_page):
    (tmp_path / "brain.py").write_text(SUGGESTING)
    brain = f'command = ["{sys.executable}", "brain.py"]\nsuggestions = "ask"'
    path = seated(tmp_path, brain, game='"gomoku"', board_size=9)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        take_seat(page)
        say(page, "e5")
        page.wait_for_selector("#said:has-text('other suggests a1')")
        stones(page, 1)
        page.click("#choices button:has-text('play a1')")
        stones(page, 2)
        say(page, "e6")
        page.wait_for_selector("#said:has-text('other suggests b1')")
        page.mouse.click(*click(page, 2, 2))
        stones(page, 4)
        page.wait_for_selector(".asked")
        page.click("#resign")
        page.wait_for_selector("#outcome:has-text('You lost by resignation')")


def test_a_move_waits_a_minute_for_the_network_and_can_be_withdrawn(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, clock='"10m"')
    with started("run", path, "-q"), serving(path) as site:
        page, other = open_page("about:blank", **PHONE), open_page(site.link("other"))
        page.clock.install()  # so that the page lives through a minute at once
        page.goto(site.link("ann"))
        ann = Touch(page)
        ann.press("#ready")
        other.click("#ready")
        page.wait_for_selector("#board.asked")
        page.context.set_offline(True)
        page.wait_for_selector("#noticed:has-text('No connection')")
        ann.move("a5")
        page.wait_for_selector("#noticed:has-text('Trying again; your clock goes on running.')")
        assert page.locator("#board .over .ghost").count() == 1
        assert page.is_disabled("#move")
        assert page.is_disabled("#resign")
        ann.state("Your move A5 is not sent yet.")
        ann.press("#withdraw")
        ann.move("c3")
        ann.state("Your move C3 is not sent yet.")
        page.clock.fast_forward("01:00")
        page.wait_for_selector("#near .time.running:has-text('8:')")
        ann.state("Your move C3 is not sent yet.")
        stones(page, 0)
        page.context.set_offline(False)
        other.wait_for_selector(".asked")
        for each in (page, other):
            stones(each, 1)
        assert game_of(other)["turns"][0][0][1] == "C3"
        ann.state("The other side is to move.")
        page.wait_for_selector("#near .time:has-text('9:')")  # as the server has it


def test_a_move_that_waited_too_long_counts_in_no_later_question(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO)
    with started("run", path, "-q"), serving(path) as site:
        ann, other, same = (open_page(site.link(name)) for name in ("ann", "other", "ann"))
        ann.click("#ready")
        other.click("#ready")
        ann.wait_for_selector(".asked")
        ann.context.set_offline(True)
        ann.mouse.click(*click(ann, 0, 0))
        ann.wait_for_selector("#state:has-text('Your move A5 is not sent')")
        say(same, "c3")
        say(other, "b2")
        same.wait_for_selector(".asked")
        ann.context.set_offline(False)
        ann.wait_for_selector("#noticed:has-text('Your move A5 was not played: the game has gone on.')")
        ann.wait_for_selector(".asked")
        stones(ann, 2)
        assert [turn[0][1] for turn in game_of(ann)["turns"]] == ["C3", "B2"]
