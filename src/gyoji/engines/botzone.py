"""An adapter that lets a program written for Botzone play under an umpire's JSON protocol. It starts the
program anew for each request.

::

    python -m gyoji.engines.botzone [--simple] COMMAND [WORD]...

    With --simple the program speaks Botzone's format of lines instead of JSON. WORDs are COMMAND's arguments.
"""

# Botzone (https://wiki.botzone.org.cn, page "Bot") starts a program for each turn. It reads all requests and
# responses so far, writes its response, and ends:
#
#     JSON      -> {"requests": [...], "responses": [...], "data": ...}
#               <- {"response": ..., "debug": ..., "data": ...}            in one line or several
#     simple    -> n, then request 1, response 1, ..., request n, each in its lines, then the data
#               <- the response in a line, then debug and data in a line each
#
# The end of its input follows: programs that read JSON with jsoncpp wait for it. A program that could go
# on running (it prints KEEP_RUNNING in a line of its own) sees that end too, and is started again like the
# others.
#
# The referee sends each request as one line of JSON and reads the response as one. Its clock runs until it
# has the response, and so covers the whole run of the program. The program is a child process of the adapter,
# so its CPU time and memory count as the adapter's.
#
# If the program prints no response, the adapter ends with a line on stderr, which the referee judges as a
# crash.

import json
import sys
from subprocess import PIPE, Popen
from typing import Any

KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"
USAGE = "usage: botzone [--simple] COMMAND [WORD]..."


class Bot:
    """A program for Botzone, which is started anew for each request.

    Each start of the program is sent the whole game: all requests and responses so far, and the program's
    data.
    """

    def __init__(self, command: list[str], *, is_simple: bool) -> None:
        self._command = command
        self._is_simple = is_simple
        self._requests: list[Any] = []
        self._responses: list[Any] = []
        self._data: Any = ""

    def respond(self, request: Any) -> Any:
        """Run the program for one more request, and return its response.

        Raises:
            OSError: The program cannot be started.
            ValueError: It prints no response.
        """
        self._requests.append(request)
        process = Popen(self._command, stdin=PIPE, stdout=PIPE, text=True)
        written, _ = process.communicate(self._everything())
        lines = [line for line in written.splitlines() if line.strip() != KEEP_RUNNING]
        response, self._data = self._read(lines)
        self._responses.append(response)
        return response

    def _everything(self) -> str:
        """Return the program's input: all requests and responses so far, and the data that the program asked
        to keep.
        """
        if not self._is_simple:
            told = {"requests": self._requests, "responses": self._responses, "data": self._data}
            return json.dumps(told) + "\n"
        pairs = zip(self._requests, [*self._responses, None], strict=True)
        turns = [str(each) for pair in pairs for each in pair if each is not None]
        return "\n".join([str(len(self._requests)), *turns, str(self._data), ""])

    def _read(self, lines: list[str]) -> tuple[Any, Any]:
        """Parse the program's output. Return its response, and the data that it asks to keep.

        Raises:
            ValueError: The output has no response.
        """
        if self._is_simple:
            if not lines:
                raise ValueError("it wrote nothing")
            return lines[0], lines[2] if len(lines) > 2 else ""
        try:
            said = json.loads("\n".join(lines))
            return said["response"], said.get("data", "")
        except (ValueError, KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"no response in {lines!r}: {error}") from None


def main() -> None:
    """Answer each line of JSON with the program's response, until the end of input."""
    words = sys.argv[1:]
    is_simple = words[:1] == ["--simple"]
    command = words[is_simple:]
    if not command:
        raise SystemExit(USAGE)
    bot = Bot(command, is_simple=is_simple)
    for line in sys.stdin:
        try:
            response = bot.respond(json.loads(line))
        except OSError as error:
            raise SystemExit(f"botzone: cannot start {command[0]!r}: {error.strerror}") from None
        except ValueError as error:
            raise SystemExit(f"botzone: {command[0]}: {error}") from None
        print(json.dumps(response), flush=True)


if __name__ == "__main__":
    main()
