"""A scripted service of a language model, with vices. It speaks OpenAI's chat protocol on a loopback port."""

import json
import threading
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def chat(content, *, usage=(90, 10), **message):
    """Return the body of a good answer."""
    body = {
        "choices": [{"message": {"role": "assistant", "content": content, **message}}],
        "usage": {"prompt_tokens": usage[0], "completion_tokens": usage[1]},
    }
    return json.dumps(body).encode()


def move(text, why=""):
    return chat(json.dumps({"move": text, "why": why}))


class Reply:
    """What the service answers: a status, headers, a body, and how much of the body it really sends."""

    def __init__(self, body=b"", status=200, *, sent=None, wait=None, **headers):
        self.body, self.status, self.sent, self.wait = body, status, sent, wait
        self.headers = {name.replace("_", "-"): value for name, value in headers.items()}


class Service:
    """Answers requests from a list, or by a function of the request; and keeps the requests.

    Attributes:
        asked: The requests: (path, headers, body).
        over: Set at the end, so that an answer that never comes does not keep the server.
    """

    def __init__(self, script):
        self.script = script if callable(script) else self._next(list(script))
        self.asked = []
        self.over = threading.Event()
        self.url = ""

    @staticmethod
    def _next(replies):
        return lambda _body: replies.pop(0) if replies else Reply(b"no more answers", 500)

    @property
    def questions(self):
        """The texts of what the model was asked."""
        return [body["messages"][-1]["content"] for _, _, body in self.asked]


@contextmanager
def serving(script):
    service = Service(script)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self):
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            service.asked.append((self.path, dict(self.headers), body))
            reply = service.script(body)
            reply = reply if isinstance(reply, Reply) else Reply(reply)
            if reply.wait is not None:
                service.over.wait(reply.wait)
            self.send_response(reply.status)
            for name, value in {"Content-Length": str(len(reply.body)), **reply.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply.body[: reply.sent])

        def log_message(self, *_words):
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    service.url = f"http://127.0.0.1:{server.server_port}/v1"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield service
    finally:
        service.over.set()
        server.shutdown()
        thread.join()
        server.server_close()
