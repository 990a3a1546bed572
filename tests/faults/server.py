"""A server of raw sockets on 127.0.0.1: what it sends, in which pieces, and how the connection ends are data.

A behaviour is a function from a request to a list of steps (`Send`, `Sleep`, `Stall`, `HalfClose`, `Close`,
`Reset`, `Bill`). After the last step the connection waits for the next request, as HTTP/1.1 has it. Every
request and connection is kept, so that a test can say how often it was asked.

One thread accepts, one thread serves each connection; `lock` guards what they share.
"""

import socket
import struct
import threading
import time
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Send:
    data: bytes
    piece: int = 0  # bytes a piece; 0: all at once
    pause: float = 0.0  # seconds between two pieces


@dataclass(frozen=True)
class Sleep:
    seconds: float


@dataclass(frozen=True)
class Stall:
    """Says nothing more until the peer gives up."""

    seconds: float = 600.0


@dataclass(frozen=True)
class HalfClose:
    """Ends our half in an orderly way and waits for the peer to end its own."""


@dataclass(frozen=True)
class Close:
    pass


@dataclass(frozen=True)
class Reset:
    """Ends the connection by RST instead of FIN."""


@dataclass(frozen=True)
class Bill:
    """Reached once everything before it was handed to the kernel: the answer counts as sold."""

    entry: object


@dataclass
class Request:
    number: int  # among the server's requests, from 0
    connection: int  # among its connections, from 0
    method: str
    target: str
    headers: list  # of (name, value) as they came
    body: bytes
    arrived: float  # time.monotonic()
    extra: dict = field(default_factory=dict)

    def header(self, name):
        for key, value in self.headers:
            if key.lower() == name.lower():
                return value
        return ""


class Gone(Exception):
    """The peer closed or the server stops."""


class Connection:
    def __init__(self, server, sock, number):
        self.server, self.sock, self.number = server, sock, number
        self.buffer = b""
        self.open = True

    def serve(self):
        try:
            self.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self.perform(self.server.on_connect(self.number))
            while self.open:
                request = self.read_request()
                if request is None:
                    break
                self.perform(self.server.take(request))
        except (OSError, Gone):
            pass  # the client's end of it is what the campaign's outcome tells
        finally:
            self.close()

    def perform(self, steps):
        for step in steps or ():
            if not self.open:
                return
            if isinstance(step, Send):
                self.send(step)
            elif isinstance(step, Sleep):
                self.wait(step.seconds, until_peer_closes=False)
            elif isinstance(step, Stall):
                self.wait(step.seconds, until_peer_closes=True)
                self.close()
            elif isinstance(step, HalfClose):
                self.sock.shutdown(socket.SHUT_WR)
                self.wait(30.0, until_peer_closes=True)
                self.close()
            elif isinstance(step, Close):
                self.close()
            elif isinstance(step, Reset):
                self.reset()
            elif isinstance(step, Bill):
                self.server.bill(step.entry)
            else:
                raise TypeError(f"no step: {step!r}")

    def send(self, step):
        size = step.piece or len(step.data) or 1
        for at in range(0, len(step.data), size):
            if at and step.pause:
                time.sleep(step.pause)
            self.sock.sendall(step.data[at : at + size])

    def wait(self, seconds, until_peer_closes):
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self.server.stopping:
            if not until_peer_closes:
                time.sleep(min(0.02, max(0.0, end - time.monotonic())))
                continue
            self.sock.settimeout(0.05)
            try:
                if not self.sock.recv(65536):
                    return
            except socket.timeout:
                pass
            finally:
                if self.open:
                    self.sock.settimeout(None)
        if self.server.stopping:
            raise Gone

    def close(self):
        if self.open:
            self.open = False
            self.sock.close()

    def reset(self):
        if self.open:
            self.sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.close()

    def read_request(self):
        while b"\r\n\r\n" not in self.buffer:
            if not self.receive():
                return None
        head, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        lines = head.decode("latin-1").split("\r\n")
        method, target, _ = lines[0].split(" ", 2)
        headers = [
            (name.strip(), value.strip()) for name, _, value in (line.partition(":") for line in lines[1:])
        ]
        length = int(dict((name.lower(), value) for name, value in headers).get("content-length", "0"))
        while len(self.buffer) < length:
            if not self.receive():
                return None
        body, self.buffer = self.buffer[:length], self.buffer[length:]
        return Request(-1, self.number, method, target, headers, body, time.monotonic())

    def receive(self):
        got = self.sock.recv(65536)
        self.buffer += got
        return bool(got)


class Server:
    """`asked(request)` and `connected(number)` give the steps; both may be replaced while it runs."""

    def __init__(self, asked, connected=None, refusing=False):
        self.asked = asked
        self.connected = connected or (lambda number: [])
        self.lock = threading.Lock()
        self.requests, self.billed = [], []
        self.connections = 0
        self.stopping = False
        self.live = set()
        self.listener = None
        probe = self.bind(0)
        self.port = probe.getsockname()[1]
        if refusing:
            # Bound without listening: the port stays ours, and who connects is refused.
            self.listener, self.accepting = probe, False
        else:
            self.start(probe)

    @staticmethod
    def bind(port):
        sock = socket.socket()
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        sock.bind(("127.0.0.1", port))
        return sock

    def start(self, sock):
        sock.listen(256)
        self.listener, self.accepting = sock, True
        threading.Thread(target=self.accept, args=(sock,), daemon=True).start()

    def accept(self, sock):
        while True:
            try:
                peer, _ = sock.accept()
            except OSError:
                return
            with self.lock:
                if self.stopping or sock is not self.listener:
                    peer.close()
                    continue
                number = self.connections
                self.connections += 1
                connection = Connection(self, peer, number)
                self.live.add(connection)
            threading.Thread(target=self.run, args=(connection,), daemon=True).start()

    def run(self, connection):
        connection.serve()
        with self.lock:
            self.live.discard(connection)

    def refuse(self):
        """From now on a connection is refused; those that are open stay."""
        if self.accepting:
            self.accepting = False
            self.listener.shutdown(
                socket.SHUT_RDWR
            )  # wakes accept; a bound socket that does not listen refuses
            self.listener.close()
            self.listener = self.bind(self.port)

    def heal(self):
        """Connections are taken again."""
        if not self.accepting and not self.stopping:
            self.start(self.listener)

    def on_connect(self, number):
        return self.connected(number)

    def take(self, request):
        with self.lock:
            request.number = len(self.requests)
            self.requests.append(request)
        return self.asked(request)

    def bill(self, entry):
        with self.lock:
            self.billed.append((time.monotonic(), entry))

    def cut_all(self):
        """Breaks every open connection."""
        with self.lock:
            live = list(self.live)
        for connection in live:
            try:
                connection.sock.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def stop(self):
        self.stopping = True
        try:
            self.listener.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass
        self.listener.close()
        self.cut_all()
