"""HTTP that is unusual, malformed, or no HTTP at all; redirects."""

from cases import account, answer, endpoint, fine
from cases_connection import BROKEN, LATE, ODD, all_events, events, whole
from provider import KEY
from server import Close, Reset, Send, Sleep, Stall
from wire import HTML, JSON, LAST_CHUNK, STREAM, chunk, good, gzipped, head, response, stream, stream_head

# ---- HTTP

fine(
    "HTTP/1.0 with a close",
    lambda c: [
        Send(head(200, [("Content-Type", STREAM)], version="HTTP/1.0") + b"".join(events(c))),
        Close(),
    ],
)
fine(
    "no length, body until the close",
    lambda c: [Send(head(200, [("Content-Type", JSON), ("Connection", "close")]) + whole(c)), Close()],
    streamed=False,
)
fine(
    "an empty reason phrase",
    lambda c: [Send(good(c.provider, c.answer, True).replace(b"200 Said So", b"200 ", 1))],
)
for code, reason in ((100, "Continue"), (102, "Processing"), (103, "Early Hints")):
    fine(
        f"{code} before the answer",
        lambda c, code=code, reason=reason: [
            Send(head(code, [("X-Note", "soon")], reason) + good(c.provider, c.answer, True))
        ],
    )
fine(
    "three informational heads",
    lambda c: [Send(head(103) * 3), Sleep(0.05), Send(good(c.provider, c.answer, True))],
)
fine(
    "header names in odd letters",
    lambda c: [
        Send(
            good(c.provider, c.answer, True)
            .replace(b"Content-Type", b"cOnTeNt-TyPe")
            .replace(b"Transfer-Encoding", b"TRANSFER-ENCODING")
        )
    ],
)
fine(
    "a header of 30 KB", lambda c: [Send(stream(events(c), headers=[("X-Long", "y" * 30_000)]))], every=False
)
fine(
    "a charset in the content type",
    lambda c: [Send(stream(events(c), kind="Text/Event-Stream; charset=utf-8"))],
)
fine(
    "no content type, a stream",
    lambda c: [Send(stream(events(c)).replace(b"Content-Type: text/event-stream\r\n", b""))],
)
fine("no content type, whole", lambda c: [Send(response(200, whole(c), kind=None))], streamed=False)
fine("a whole answer where a stream was asked for", lambda c: [Send(response(200, whole(c)))])
fine("a stream where a whole answer was asked for", lambda c: [Send(stream(events(c)))], streamed=False)
fine("status 201", lambda c: [Send(response(201, whole(c)))], streamed=False)
fine(
    "chunk extensions and trailers",
    lambda c: [
        Send(
            stream_head([("Trailer", "X-Sum")])
            + b"".join(f'{len(event):x};note="a;b"\r\n'.encode() + event + b"\r\n" for event in events(c))
            + b"0\r\nX-Sum: 1\r\n\r\n"
        )
    ],
)
fine(
    "chunks of one byte",
    lambda c: [
        Send(stream_head() + b"".join(chunk(bytes([byte])) for byte in b"".join(events(c))) + LAST_CHUNK)
    ],
)
fine(
    "closed between requests",
    lambda c: [Send(good(c.provider, c.answer, True)), Sleep(0.01), Close()],
    slack=4,
    torn=True,
)
fine(
    "reset between requests",
    lambda c: [Send(good(c.provider, c.answer, True)), Sleep(0.1), Reset()],
    slack=4,
    torn=True,
)
fine(
    "Connection: close and a close",
    lambda c: [Send(stream(events(c), headers=[("Connection", "close")])), Close()],
)
fine(
    "garbage after the answer",
    lambda c: [Send(good(c.provider, c.answer, True) + b"\0\xffnobody asked for this\r\n\r\n")],
)
fine(
    "a second answer nobody asked for",
    lambda c: [Send(good(c.provider, c.answer, True) + response(500, b"{}"))],
)
fine("no last chunk, but a close", lambda c: [all_events(c), Close()])
endpoint(
    "no last chunk, whole",
    lambda c: [
        Send(head(200, [("Content-Type", JSON), ("Transfer-Encoding", "chunked")]) + chunk(whole(c))),
        Close(),
    ],
    BROKEN,
    streamed=False,
)
endpoint(
    "length too long, then a close",
    lambda c: [Send(response(200, whole(c), length=len(whole(c)) + 50)), Close()],
    BROKEN,
    streamed=False,
)
endpoint(
    "length too long, then silence",
    lambda c: [Send(response(200, whole(c), length=len(whole(c)) + 50)), Stall()],
    LATE,
    streamed=False,
)
endpoint(
    "length too short",
    lambda c: [Send(response(200, whole(c), length=len(whole(c)) // 2)), Close()],
    ODD,
    streamed=False,
)

NOT_HTTP = {
    "a TLS hello": b"\x16\x03\x03\x00\x7a\x02\x00\x00\x76\x03\x03" + bytes(range(64)),
    "a TLS alert": b"\x15\x03\x01\x00\x02\x02\x46",
    "an SSH banner": b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n",
    "an SMTP greeting": b"220 mail.example ESMTP\r\n",
    "HTTP/2's preface": b"\0\0\x12\x04\0\0\0\0\0\0\x03\0\0\0\x80\0\x04\0\x01\0\0\0\x05\0\xff\xff\xff",
    "a body without a head": b'{"choices": []}',
    "zeros": b"\0" * 300,
}
for what, data in NOT_HTTP.items():
    endpoint(f"not HTTP: {what}", lambda c, data=data: [Send(data), Sleep(0.05), Close()], (ODD, BROKEN))
endpoint(
    "an SSH banner before the request",
    lambda c: [Send(NOT_HTTP["an SSH banner"]), Stall(5)],
    (ODD, BROKEN),
    on_connect=True,
    sent=False,
    slack=3,
)

OK = b"HTTP/1.1 200 OK\r\n"
BAD_HEADS = {
    "a header without a colon": OK + b"Content-Type application/json\r\nContent-Length: 2\r\n\r\n{}",
    "a header name with a space": OK + b"Content Type: application/json\r\nContent-Length: 2\r\n\r\n{}",
    "a NUL in a header": OK + b"X-Bad: a\0b\r\nContent-Length: 2\r\n\r\n{}",
    "a status of letters": b"HTTP/1.1 two OK\r\nContent-Length: 2\r\n\r\n{}",
    "a status of four digits": b"HTTP/1.1 2000 OK\r\nContent-Length: 2\r\n\r\n{}",
    "another protocol's version": b"HTTP/7.7 200 OK\r\nContent-Length: 2\r\n\r\n{}",
    "a length of letters": OK + b"Content-Type: application/json\r\nContent-Length: many\r\n\r\n{}",
    "a negative length": OK + b"Content-Type: application/json\r\nContent-Length: -5\r\n\r\n{}",
    "two lengths that differ": OK + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n{}",
    "a length beyond 64 bits": OK + b"Content-Length: 99999999999999999999999\r\n\r\n{}",
}
for what, data in BAD_HEADS.items():
    endpoint(what, lambda c, data=data: [Send(data), Sleep(0.05), Close()], (ODD, BROKEN))
# Read no further than a limit, and tried again like any other answer that is of no use.
answer(
    "a head of 4 MB",
    lambda c: [Send(b"HTTP/1.1 200 OK\r\nX-Long: " + b"y" * 4_000_000 + b"\r\nContent-Length: 2\r\n\r\n{}")],
    ODD,
)
answer(
    "half a million headers",
    lambda c: [Send(b"HTTP/1.1 200 OK\r\n" + b"".join(b"X-%d: y\r\n" % n for n in range(500_000)) + b"\r\n")],
    ODD,
)

BAD_CHUNKS = {
    "a chunk size of letters": b"wxyz\r\n{}\r\n0\r\n\r\n",
    "a negative chunk size": b"-5\r\n{}\r\n0\r\n\r\n",
    "a chunk size beyond 64 bits": b"fffffffffffffffffff\r\n{}\r\n",
    "a chunk longer than it says": b"2\r\n{}}}}}\r\n0\r\n\r\n",
}
for what, data in BAD_CHUNKS.items():
    endpoint(what, lambda c, data=data: [Send(stream_head() + data), Sleep(0.05), Close()], (ODD, BROKEN))

endpoint("200 without a body", lambda c: [Send(response(200, b""))], ODD, streamed=False)
endpoint("a stream without an event", lambda c: [Send(stream([]))], BROKEN)
endpoint("204 and nothing", lambda c: [Send(head(204))], (ODD, BROKEN))
endpoint(
    "a body said to be gzip",
    lambda c: [Send(response(200, gzipped(whole(c)), headers=[("Content-Encoding", "gzip")]))],
    ODD,
)
endpoint(
    "a stream said to be gzip",
    lambda c: [Send(stream([gzipped(b"".join(events(c)))], headers=[("Content-Encoding", "gzip")]))],
    ODD,
)
endpoint("gzip that is not said", lambda c: [Send(response(200, gzipped(whole(c))))], ODD, streamed=False)
endpoint(
    "200 with HTML",
    lambda c: [Send(response(200, b"<html><body>Sign in to the network</body></html>", HTML))],
    ODD,
)
endpoint(
    "200 with HTML under JSON's name", lambda c: [Send(response(200, b"<html>Sign in</html>", JSON))], ODD
)
endpoint("200 with plain text", lambda c: [Send(response(200, b"upstream ok", "text/plain"))], ODD)

answer(
    "a body of 70 MB",
    lambda c: [Send(head(200, [("Content-Type", JSON), ("Content-Length", 70_000_000)]))]
    + [Send(b" " * 1_000_000)] * 70,
    ODD,
    streamed=False,
)

# ---- redirects: the key goes nowhere else

for code in (301, 302, 303, 307, 308):
    account(
        f"{code} to another host",
        lambda c, code=code: [
            Send(response(code, b"", headers=[("Location", f"http://127.0.0.1:{c.other_port}/v1")]))
        ],
        "not_found",
        says=("127.0.0.1",),
    )
account(
    "307 to the same host",
    lambda c: [Send(response(307, b"", headers=[("Location", "/elsewhere")]))],
    "not_found",
)
account("301 without a location", lambda c: [Send(response(301, b""))], "not_found")
account(
    "302 that carries the key",
    lambda c: [Send(response(302, b"", headers=[("Location", f"http://127.0.0.1:{c.other_port}/?k={KEY}")]))],
    "not_found",
)
