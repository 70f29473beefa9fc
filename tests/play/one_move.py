"""A codec for engines that are only pipes: whatever they say is a move."""

from gyoji.core.messages import Moved


class OneMove:
    def send(self, request):
        return b"move?\n"

    def receive(self, data):
        return (Moved(data),)

    def finish(self):
        return ()
