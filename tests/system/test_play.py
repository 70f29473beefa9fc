"""A person at a terminal plays engines: `gyoji play` under a pseudo-terminal."""

import os
import pty
import select
import shlex
import sys

import pytest

from gyoji.scheduler.status import ExitStatus

pytestmark = pytest.mark.process
SECONDS = 30

KOZO = f"{shlex.quote(sys.executable)} -m gyoji.engines.kozo"
NARABE = f"{shlex.quote(sys.executable)} -m gyoji.engines.narabe"


class Sitting:
    """A person who waits for a prompt, and then types."""

    def __init__(self, gyoji, *words):
        command = gyoji.command(
            "play", *words, "--name", "me", "--transcripts", "--keep", gyoji.folder / "kept"
        )
        self._folder = gyoji.folder / "kept"
        self.screen = b""
        self.pid, self._terminal = pty.fork()
        if not self.pid:
            os.execve(command[0], command, gyoji.environ)

    def type(self, *lines):
        for line in lines:
            self.await_prompt()
            seen = len(self.screen)
            self.press(f"{line}\n".encode())
            self._read_until(lambda seen=seen: b"\n" in self.screen[seen:])

    def await_prompt(self):
        self._read_until(lambda: self.screen.endswith(b"> "))

    def press(self, keys):
        os.write(self._terminal, keys)

    def end(self):
        """Return the exit status."""
        while self._read():
            pass
        os.close(self._terminal)
        _, status = os.waitpid(self.pid, 0)
        self.lines = self.screen.decode().replace("\r\n", "\n")
        self.files = {path.suffix: path for path in self._folder.glob("*")}
        return os.waitstatus_to_exitcode(status)

    def told(self, player):
        """Return the lines that an engine was told."""
        lines = self.files[".log"].read_text().splitlines()
        return [line.partition(f">> {player}: ")[2] for line in lines if f">> {player}: " in line]

    def _read_until(self, is_there):
        while not is_there():
            assert self._read(), f"the terminal was closed after {self.screen[-500:]!r}"

    def _read(self):
        assert select.select([self._terminal], [], [], SECONDS)[0], (
            f"nothing more after {self.screen[-500:]!r}"
        )
        try:
            data = os.read(self._terminal, 1 << 16)
        except OSError:  # nobody has it open any more
            return False
        self.screen += data
        return bool(data)


def test_an_illegal_move_is_asked_for_again_and_a_take_back_is_told_by_undo(gyoji):
    person = Sitting(gyoji, KOZO, "--size", "5")
    person.type("C3", "C3", "hint", "undo", "B2", "resign")
    assert person.end() == ExitStatus.COMPLETE
    assert "black> C3\noccupied point C3\nblack> hint\nhint: " in person.lines
    assert "taken back: 2 turns" in person.lines
    told = [line for line in person.told("gyoji.engines.kozo") if not line.startswith("gomill-")]
    start = told.index("play b C3")
    assert told[start:] == [
        *("play b C3", "genmove w", "reg_genmove b"),
        *("undo", "undo", "play b B2", "genmove w", "quit"),
    ]
    status, replayed, _ = gyoji("replay", person.files[".sgf"])
    assert (status, "every move is legal" in replayed, "B[cc]" in person.files[".sgf"].read_text()) == (
        0,
        True,
        False,
    )
    assert not gyoji.left()


def test_a_brain_goes_on_from_the_position_that_a_take_back_leaves(gyoji):
    person = Sitting(gyoji, NARABE, "--game", "gomoku", "--size", "7")
    person.type("d4", "d5", "undo", "a1", "resign")
    assert person.end() == ExitStatus.COMPLETE
    told = person.told("gyoji.engines.narabe")
    after = told[told.index("TURN 3,4") + 1 :]
    assert after[0].startswith("TAKEBACK ")  # its own answer
    assert after[1:3] == ["TAKEBACK 3,4", "TURN 0,0"]
    status, replayed, _ = gyoji("replay", person.files[".psq"])
    assert (status, "every move is legal" in replayed) == (0, True)


@pytest.mark.parametrize(("keys", "reason"), [(b"\x03", "interrupted"), (b"\x04", "left by the person")])
def test_a_key_leaves_the_game_and_its_moves_are_kept(gyoji, keys, reason):
    person = Sitting(gyoji, KOZO, "--size", "5")
    person.type("C3")
    person.await_prompt()
    person.press(keys)
    assert person.end() == ExitStatus.STOPPED
    assert f"the game has no result: {reason}\n" in person.lines
    assert "B[cc]" in person.files[".sgf"].read_text()
    assert not gyoji.left()


def test_a_terminal_that_is_closed_ends_the_game(gyoji):
    person = Sitting(gyoji, KOZO, "--size", "5")
    person.type("C3")
    os.close(person._terminal)
    _, status = os.waitpid(person.pid, 0)
    assert os.waitstatus_to_exitcode(status) == ExitStatus.STOPPED
    assert not gyoji.left()
