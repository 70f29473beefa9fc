"""Pages in a real browser: games are watched live, and played by mouse, finger and keyboard."""

from contextlib import closing

import pytest
from served import paced, serving, started, until

pytestmark = [pytest.mark.process, pytest.mark.slow]

PHONE = {"viewport": {"width": 390, "height": 800}, "has_touch": True, "is_mobile": True}


@pytest.fixture
def event(tmp_path):
    path, moves = paced(tmp_path)
    yield path, moves
    moves.close()


def game_address(site):
    game = until(lambda: site.json("/api/v1/competitions/event")["playing"], "a game")[0]
    return f"{site.address}/c/event/games/{game}"


def test_the_wall_shows_each_game_while_it_is_played(event, open_page):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game_address(site)
        page = open_page(f"{site.address}/c/event/wall")
        page.wait_for_selector("#wall svg")
        moves.play("ann", "C3")
        page.wait_for_selector("#wall .black")
        moves.play("ben", "resign")
        page.wait_for_selector("#nothing:not([hidden])")
        page.goto(f"{site.address}/c/event/games")
        page.wait_for_selector("text=ann beat ben B+R")


def test_a_screen_on_a_wall_shows_one_board_large_and_nothing_else(event, open_page):
    path, moves = event
    with serving(path) as site, started("run", path, "-q"):
        game_address(site)
        page = open_page(f"{site.address}/c/event/wall?tv", viewport={"width": 1280, "height": 720})
        page.wait_for_selector("#wall li.on svg")
        assert page.locator("#wall svg").bounding_box()["height"] > 500
        assert not page.is_visible("header")
        moves.play("ann", "resign")


def test_a_page_goes_on_when_its_server_is_killed_and_started_again(event, open_page):
    path, moves = event
    with started("run", path, "-q"):
        with serving(path) as site:
            page = open_page(game_address(site))
            moves.play("ann", "C3")
            page.wait_for_selector("#board .black")
            port = site.address.rpartition(":")[2]
        page.wait_for_selector("text=not connected")
        moves.play("ben", "D3")
        with started("serve", "--port", port, path):
            page.wait_for_selector("#board .white")


def seated(folder, opponent, **settings):
    """A control file in which ann is a person, and her link as the server says it."""
    lines = ['competition = "playoff"', *(f"{key} = {value}" for key, value in settings.items())]
    lines += ["[players.ann]", "human = true", "[players.other]", opponent]
    lines += ["[[matchups]]", 'players = ["ann", "other"]', "number_of_games = 1"]
    path = folder / "event.toml"
    path.write_text("\n".join(lines) + "\n")
    return path


GO = {"game": '"go"', "board_size": 5, "komi": 0.5, "take_backs": '"always"'}
GOMOKU = {"game": '"gomoku"', "take_backs": '"always"'}
KOZO = 'command = "gyoji-kozo"'
NARABE = 'command = "pbrain-narabe --chance"\nprotocol = "gomocup"'


def click(page, column, row):
    """A point of the board, both from 0 and the top left."""
    return page.evaluate(
        "([column, row]) => {"
        " const [x, y] = middle(viewer.game, row * viewer.game.columns.length + column);"
        " const at = new DOMPoint(x, y).matrixTransform(viewer.board.board.getScreenCTM());"
        " return [at.x, at.y]; }",
        [column, row],
    )


def stones(page, count):
    until(lambda: page.evaluate("viewer.game?.turns.length") == count, f"turn {count}")


def take_seat(page):
    page.click("#ready")
    page.wait_for_selector(".asked")
    until(lambda: page.title().startswith("● Your turn"), "the title")


def test_a_person_plays_by_mouse_and_by_typing_takes_back_and_resigns(tmp_path, open_page):
    path = seated(tmp_path, KOZO, **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"))
        take_seat(page)
        page.mouse.click(*click(page, 2, 2))
        stones(page, 2)
        page.wait_for_selector(".asked")
        page.fill("#move", "c3")
        page.press("#move", "Enter")
        page.wait_for_selector("#said:has-text('C3')")  # there is a stone already: she is asked again
        page.click("#words >> text=take back")
        stones(page, 0)
        page.wait_for_selector(".asked")
        page.fill("#move", "b2")
        page.press("#move", "Enter")
        stones(page, 2)
        page.wait_for_selector(".asked")
        page.click("#words >> text=resign")
        page.wait_for_selector("text=other beat ann W+R")


def test_a_person_plays_by_touch(tmp_path, open_page):
    path = seated(tmp_path, KOZO, **GO)
    with started("run", path, "-q"), serving(path) as site:
        page = open_page(site.link("ann"), **PHONE)
        take_seat(page)
        page.locator("#board").scroll_into_view_if_needed()
        page.touchscreen.tap(*click(page, 1, 1))
        page.wait_for_selector("#choices >> text=play B4")  # a finger is not as sure as a mouse
        page.touchscreen.tap(*click(page, 2, 2))
        page.wait_for_selector("#choices >> text=play C3")
        stones(page, 0)
        page.touchscreen.tap(*click(page, 2, 2))
        stones(page, 2)


def test_two_persons_play_each_other_and_agree_to_a_draw(tmp_path, open_page):
    path = seated(tmp_path, "human = true", **GO, draw_offers="true")
    with started("run", path, "-q"), serving(path) as site:
        ann, other = open_page(site.link("ann")), open_page(site.link("other"))
        ann.click("#ready")
        other.click("#ready")
        ann.wait_for_selector(".asked")
        ann.mouse.click(*click(ann, 0, 0))
        other.wait_for_selector(".asked")
        other.click("#words >> text=offer a draw")
        ann.click("#words >> text=yes")
        until(lambda: site.json("/api/v1/competitions/event")["finished"], "the end")


def test_what_engines_say_is_text_and_nothing_else(event, open_page):
    path, moves = event
    evil = "<img src=x onerror=alert(1)><script>document.title=1</script>"
    with serving(path) as site, started("run", path, "-q"):
        page = open_page(game_address(site))
        page.wait_for_selector("#board svg")
        moves.play("ann", "C3", evil)
        page.wait_for_selector(f"text={evil}")
        assert page.locator("img").count() == 0
        moves.play("ben", "resign")


def test_a_judge_marks_a_dead_group_and_rules(tmp_path, open_page):
    path, moves = paced(tmp_path, more='scorer = "judge"')
    for black, white in zip(
        ["B1", "B2", "B3", "B4", "B5", "E3"], ["D1", "D2", "D3", "D4", "D5", "C5"], strict=True
    ):
        moves.play("ann", black)
        moves.play("ben", white)
    moves.play("ann", "pass")
    moves.play("ben", "pass")
    with started("run", path, "-q", ends=False) as run:
        run.wait()
    with closing(moves), serving(path) as site:
        until(lambda: site.json("/api/v1/competitions/event")["needs_ruling"], "the game")
        page = open_page(site.organiser().replace("/#", "/c/event/judge#"))
        page.click("#cases button")
        page.wait_for_selector("#verdict:has-text('ann beat ben B+4.5')")
        assert page.locator("#rows tr").all_inner_texts() == ["Black\t11\t0\t0\t11", "White\t6\t0\t0.5\t6.5"]
        page.mouse.click(*click(page, 4, 2))
        page.wait_for_selector("#board .faded")
        page.wait_for_selector("#verdict:has-text('ben beat ann W+1.5')")
        page.click("[data-say='count territory']")
        page.wait_for_selector("#columns:has-text('points of territory')")
        page.click("#claims button")
        page.wait_for_selector("#claims:has-text('says')")
        page.fill("#command", "nonsense")
        page.press("#command", "Enter")
        page.wait_for_selector("#connection:has-text('no command')")
        page.fill("#because", "it was told so")
        page.select_option("#loser", "ben")
        page.click("#forfeit")
        page.wait_for_selector("#verdict:has-text('B+F')")
        page.click("#back-one")
        page.fill("#reasons", "E3 cannot make two eyes")
        page.fill("#who", "carl")
        page.click("#accept")
        page.wait_for_selector("#cases button:has-text('ruled')")
        until(lambda: not site.json("/api/v1/competitions/event")["needs_ruling"], "the ruling")
        (game,) = site.json("/api/v1/competitions/event/games")["games"]
        assert "ruled by carl" in game["detail"]
        page = open_page(f"{site.address}/c/event/games/{game['id']}")
        page.wait_for_selector("text=Reasons: E3 cannot make two eyes")
