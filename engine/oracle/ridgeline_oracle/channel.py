"""JSON lines over a socket, with the descriptors of memory files beside a request."""

import json
import os
import select
import socket
import threading

MAX_DESCRIPTORS = 253  # what Linux passes with one message


class Channel:
    def __init__(self, link):
        self._link = link
        self._rest = b""
        self._descriptors = []
        threading.Thread(target=self._end_with_peer, daemon=True).start()

    def _end_with_peer(self):
        """A long computation for nobody would hold cores and memory."""
        watch = select.poll()
        watch.register(self._link.fileno(), 0)  # hang-ups alone
        watch.poll()
        os._exit(0)

    def receive(self):
        """The next request and the descriptors that came with it, which the caller closes."""
        while b"\n" not in self._rest:
            piece, descriptors, _, _ = socket.recv_fds(self._link, 1 << 16, MAX_DESCRIPTORS)
            if not piece:
                os._exit(0)
            self._rest += piece
            self._descriptors += descriptors
        line, self._rest = self._rest.split(b"\n", 1)
        descriptors, self._descriptors = self._descriptors, []
        return json.loads(line), descriptors

    def send(self, message):
        self._link.sendall(json.dumps(message).encode() + b"\n")
