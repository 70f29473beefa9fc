"""A client for language models whose server has OpenAI's chat completions API.

The client asks for a JSON object, of which one field is the answer. Text outside that field is never searched
for a move.

::

    ask --+-- in the cache --> Said
          +-- budget spent --> Outage
          +-- POST --+-- 200 with an answer, usable or not --> Said
                     +-- 429, 5xx, no connection, a body cut short --> wait, POST again
                     +-- any other status, or no patience left --> Outage
"""

import fcntl
import http.client
import json
import math
import os
import ssl
import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit

MOST_BYTES = 1 << 20
"""Largest number of bytes that are read of a response."""

FIRST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 30.0
PASSING = (408, 409, 425, 429)
"""HTTP statuses below 500 after which the request is sent again."""
UNKNOWN_FORMAT = (400, 422)
"""HTTP statuses of servers that do not know `response_format`. The request is then sent without it."""


# Not an Exception: the loops of engines answer a command with an error after one, but this ends the program.
class Outage(BaseException):
    """The service did not answer, or its budget is spent, so that the game should be void."""


class Said(NamedTuple):
    """An answer of a model.

    Attributes:
        answer: The value of the field that was asked for; None if there is none.
        text: The model's explanation. If the model sent no JSON object, its refusal or all of its text.
        tokens: Numbers of tokens of the question and of the answer, as the service counts them.
        seconds: Time from the question to the answer.
        cached: Whether the answer was in the cache, from an earlier run.
    """

    answer: Any
    text: str
    tokens: tuple[int, int] = (0, 0)
    seconds: float = 0.0
    cached: bool = False


class Settings(NamedTuple):
    """The model, its service, and the limits of its use.

    Attributes:
        url: The address before "/chat/completions".
        model: The name of the model.
        key: The API key of the service; "" for none.
        more: Further fields of a request.
        patience: Largest number of seconds to wait for an answer, including repeated requests.
        cache: Folder with the answers of earlier runs; None for no cache.
        budget: File with the tokens and money spent so far; None if there are no limits.
        most_tokens: Largest number of tokens to spend in all; 0 for no limit.
        most_money: Largest amount of money to spend in all, in the unit of the prices; 0 for no limit.
        prices: Prices of a million tokens of questions and of answers.
    """

    url: str
    model: str
    key: str = ""
    more: Mapping[str, Any] = {}
    patience: float = 60.0
    cache: Path | None = None
    budget: Path | None = None
    most_tokens: int = 0
    most_money: float = 0.0
    prices: tuple[float, float] = (0.0, 0.0)

    def cost(self, tokens: Sequence[int]) -> float:
        """Return the price of a question and its answer.

        Args:
            tokens: Numbers of tokens of the question and of the answer.
        """
        return sum(number * price for number, price in zip(tokens, self.prices, strict=True)) / 1e6


class Model:
    """A model that answers questions. A question does not depend on earlier ones."""

    def __init__(self, settings: Settings, sleep: Callable[[float], None] = time.sleep) -> None:
        """Prepare the client. Nothing is sent yet.

        Args:
            settings: The model, its service, and the limits of its use.
            sleep: Waits for a number of seconds. Tests replace it.

        Raises:
            ValueError: The address of the service is invalid.
        """
        address = urlsplit(settings.url)
        if address.scheme not in ("http", "https") or not address.hostname:
            raise ValueError(f"expected an address such as http://127.0.0.1:8000/v1, got {settings.url!r}")
        self.settings = settings
        self._address = address
        self._sleep = sleep
        self._has_format = True
        self._asked: dict[str, int] = {}

    def ask(self, messages: Sequence[Mapping[str, str]], field: str, sample: str = "") -> Said:
        """Ask the model for a JSON object with the key `field`.

        Args:
            messages: The messages of the request, each with `role` and `content`.
            field: The key whose value is the answer.
            sample: Identifies the game. The cache has separate answers for each game, and for each repetition
                of a question in one game.

        Raises:
            Outage: The service failed, or the budget is spent.
        """
        question = {**self.settings.more, "model": self.settings.model, "messages": list(messages)}
        name = json.dumps([question, field, sample], sort_keys=True)
        number = self._asked[name] = self._asked.get(name, -1) + 1
        place = self._place(f"{name} {number}")
        if place is not None and place.exists():
            return Said(*json.loads(place.read_text()))._replace(cached=True, seconds=0.0)
        self._spend((0, 0))
        began = time.monotonic()
        said = self._read(self._fetch(question, began), field)
        said = said._replace(seconds=time.monotonic() - began)
        self._spend(said.tokens)
        if place is not None:
            place.parent.mkdir(parents=True, exist_ok=True)
            whole = place.with_suffix(f".{os.getpid()}")
            whole.write_text(json.dumps(said))
            whole.replace(place)  # atomically: another game may read it
        return said

    def _place(self, name: str) -> Path | None:
        cache = self.settings.cache
        return None if cache is None else cache / f"{sha256(name.encode()).hexdigest()}.json"

    # The service

    def _fetch(self, question: Mapping[str, Any], began: float) -> dict[str, Any]:
        """Send the request until it succeeds, and return the body of the response. Raises Outage."""
        pause = FIRST_PAUSE_S
        while True:
            left = self.settings.patience - (time.monotonic() - began)
            try:
                status, asked_s, body = self._post(question, max(left, 0.1))
            except (OSError, http.client.HTTPException) as error:
                status, asked_s, body = 0, None, f"{type(error).__name__}: {error}".encode()
            why = f"{f'status {status}: ' if status else ''}{body[:200].decode('utf-8', 'replace')}"
            if status == 200:
                try:
                    found = json.loads(body)
                    if isinstance(found, dict) and found.get("choices"):
                        return found
                except ValueError:
                    pass
                why = f"no answer of the protocol: {why}"
            elif status in UNKNOWN_FORMAT and self._has_format:
                self._has_format = False
                continue
            elif 0 < status < 500 and status not in PASSING:
                raise Outage(why)
            wait = pause if asked_s is None else asked_s
            pause = min(2 * pause, LONGEST_PAUSE_S)
            if time.monotonic() - began + wait >= self.settings.patience:
                raise Outage(why)
            self._sleep(wait)

    def _post(self, question: Mapping[str, Any], patience: float) -> tuple[int, float | None, bytes]:
        """Send the request once.

        Returns:
            The HTTP status, the seconds of the header Retry-After (None without it), and the body.
        """
        address, headers = self._address, {"Content-Type": "application/json"}
        if self.settings.key:
            headers["Authorization"] = f"Bearer {self.settings.key}"
        if self._has_format:
            question = {"response_format": {"type": "json_object"}, **question}
        ends = time.monotonic() + patience
        host, port = address.hostname or "", address.port
        connection = (
            http.client.HTTPSConnection(host, port, timeout=patience, context=ssl.create_default_context())
            if address.scheme == "https"
            else http.client.HTTPConnection(host, port, timeout=patience)
        )
        try:
            path = f"{address.path.rstrip('/')}/chat/completions"
            connection.request("POST", path, json.dumps(question).encode(), headers)
            response = connection.getresponse()
            body = b""
            # The timeout of a socket holds for each read only, and a server may send small pieces for ever.
            while piece := response.read1(1 << 16):
                body += piece
                if len(body) > MOST_BYTES:
                    raise http.client.HTTPException(f"a body of more than {MOST_BYTES} bytes")
                if time.monotonic() > ends:
                    raise TimeoutError("the body takes too long")
            if response.length:
                raise http.client.IncompleteRead(body, response.length)
            return response.status, _seconds(response.getheader("Retry-After")), body
        finally:
            connection.close()

    def _read(self, body: Mapping[str, Any], field: str) -> Said:
        """Return the model's answer from the body of a response. `Said.answer` is None if the model's text is
        not a JSON object with the key `field`.
        """
        choice: Any = body["choices"][0] if isinstance(body["choices"], list) else {}
        message: Any = choice.get("message") if isinstance(choice, dict) else None
        message = message if isinstance(message, dict) else {}
        usage = body.get("usage") if isinstance(body.get("usage"), dict) else {}
        tokens = tuple([_count((usage or {}).get(key)) for key in ("prompt_tokens", "completion_tokens")])
        text = message.get("content")
        text = text if isinstance(text, str) else ""
        answer, words = None, message.get("refusal") or text
        try:
            found = json.loads(text)
        except (ValueError, RecursionError):
            found = None
        if isinstance(found, dict):
            answer = found.pop(field, None)
            words = found.get("why") or found.get("thoughts") or ""
        return Said(answer, str(words)[:2000], (tokens[0], tokens[1]))

    # The budget

    def _spend(self, tokens: tuple[int, int]) -> None:
        """Add tokens and their price to the file of the budget. If both numbers are 0, only check the budget.

        Raises:
            Outage: The file is not a budget, or the check found that the budget is spent.
        """
        settings = self.settings
        if settings.budget is None:
            return
        with settings.budget.open("a+") as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # several games are played at once
            file.seek(0)
            try:
                spent = json.loads(file.read() or "{}")
                known, money = int(spent.get("tokens", 0)), float(spent.get("money", 0))
            except (ValueError, AttributeError, TypeError):
                raise Outage(f"{settings.budget}: it is no budget; remove it to begin anew") from None
            is_over = 0 < settings.most_tokens <= known or 0 < settings.most_money <= money
            if not any(tokens):
                if is_over:
                    raise Outage(f"the budget is spent: {known} tokens, {money:.4f}; see {settings.budget}")
                return
            file.truncate(0)
            json.dump({"tokens": known + sum(tokens), "money": money + settings.cost(tokens)}, file)


def _seconds(text: str | None) -> float | None:
    """Parse the value of a header Retry-After into seconds; None if it is missing or not such a number."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if math.isfinite(seconds) and seconds >= 0 else None


def _count(value: Any) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else 0
