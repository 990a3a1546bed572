"""Connections that are refused, reset, closed, stalled or slow."""

from cases import Case, add, endpoint, fine
from outcomes import Paused, RefusedInput, Retried
from provider import dump
from server import Close, HalfClose, Reset, Send, Sleep, Stall
from wire import JSON, chunk, good, head, response, stream_head

BROKEN, LATE, ODD = "connection_failed", "timed_out", "malformed"


def events(c):
    return c.provider.events(c.answer)


def whole(c):
    return dump(c.provider.whole(c.answer))


def first_event(c):
    """Head and events up to the first piece of text."""
    count = 3 if c.provider.name == "anthropic" else 1
    return Send(stream_head() + b"".join(chunk(event) for event in events(c)[:count]))


def before_last(c):
    """Everything but the last event and the body's end: no word yet that the text is whole."""
    done = {"openai_chat": 3, "openai_completions": 3, "anthropic": 3, "gemini": 1}[c.provider.name]
    return Send(stream_head() + b"".join(chunk(event) for event in events(c)[:-done]))


def all_events(c):
    return Send(stream_head() + b"".join(chunk(event) for event in events(c)))


def half(data):
    return data[: len(data) // 2]


# ---- connections

add(Case("refused connection/for a while", None, Retried(BROKEN, sent=False), times=1))
add(Case("refused connection/forever", None, Paused(BROKEN, sent=False), times=None))
# Nothing of a request may have been read: how many came whole is not asked.
endpoint("closed on connect", lambda c: [Close()], BROKEN, on_connect=True, sent=False, slack=3, thrice=True)
endpoint("reset on connect", lambda c: [Reset()], BROKEN, on_connect=True, sent=False, slack=3)

for kind, end in (("reset", Reset()), ("closed", Close()), ("half-closed", HalfClose())):
    endpoint(f"{kind} before the head", lambda c, end=end: [end], BROKEN, thrice=True)
    endpoint(
        f"{kind} in the head",
        lambda c, end=end: [Send(b"HTTP/1.1 200 OK\r\nContent-Ty"), Sleep(0.02), end],
        BROKEN,
    )
    endpoint(f"{kind} after the head", lambda c, end=end: [Send(stream_head()), Sleep(0.02), end], BROKEN)
    endpoint(
        f"{kind} after the first text",
        lambda c, end=end: [first_event(c), Sleep(0.02), end],
        BROKEN,
        thrice=True,
    )
    endpoint(f"{kind} before the last event", lambda c, end=end: [before_last(c), Sleep(0.02), end], BROKEN)
    endpoint(
        f"{kind} in the middle of a whole body",
        lambda c, end=end: [Send(half(response(200, whole(c)))), Sleep(0.02), end],
        BROKEN,
        streamed=False,
    )
    # The text is whole and its usage known: what becomes of the connection no longer matters.
    fine(f"{kind} after the last event", lambda c, end=end: [all_events(c), Sleep(0.05), end])

endpoint(
    "closed in an event",
    lambda c: [Send(stream_head() + chunk(events(c)[0][:20])), Sleep(0.02), Close()],
    BROKEN,
)

add(
    Case(
        "no TLS where https is asked for/forever",
        lambda c: [Send(b"HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n"), Close()],
        Paused(BROKEN, sent=False, healed=False),
        times=None,
        on_connect=True,
        model=lambda provider, port: {"base_url": provider.base_url(port).replace("http:", "https:")},
    )
)
for what, address in (
    ("an unknown scheme", "htp://127.0.0.1:9/v1"),
    ("no host", "http://"),
    ("a port out of range", "http://127.0.0.1:99999"),
    ("a word", "localhost"),
    ("a space", "http://127.0.0.1 :9"),
):
    add(Case(f"a base_url with {what}", None, RefusedInput(), model={"base_url": address}))

# ---- slowness

endpoint("stall before the first byte", lambda c: [Stall()], LATE)
endpoint("stall in the head", lambda c: [Send(b"HTTP/1.1 200 OK\r\nContent-Ty"), Stall()], LATE)
endpoint("stall after the head", lambda c: [Send(stream_head()), Stall()], LATE)
endpoint("stall after the first text", lambda c: [first_event(c), Stall()], LATE)
endpoint(
    "stall in the middle of a whole body",
    lambda c: [Send(half(response(200, whole(c)))), Stall()],
    LATE,
    streamed=False,
)
fine("stall after the last event", lambda c: [all_events(c), Stall()])
fine("one byte at a time", lambda c: [Send(good(c.provider, c.answer, True), piece=1)])
fine(
    "one byte at a time, whole", lambda c: [Send(good(c.provider, c.answer, False), piece=1)], streamed=False
)
fine("one byte at a time, slowly", lambda c: [Send(good(c.provider, c.answer, True), piece=1, pause=0.001)])
# Bytes come for longer than an answer may take in all.
endpoint(
    "an answer without end",
    lambda c: [first_event(c), Send(chunk(b": still here\n\n") * 500, piece=18, pause=0.02)],
    LATE,
    model={"timeouts": {"total": 0.8}},
)
endpoint(
    "keep-alive comments for ever",
    lambda c: [Send(stream_head()), Send(chunk(b": ping\n\n") * 500, piece=12, pause=0.02)],
    LATE,
    model={"timeouts": {"total": 0.8}},
)
# The status is known: the body does not cost the total time-out three times.
endpoint(
    "an error's body trickles",
    lambda c: [
        Send(head(503, [("Content-Type", JSON), ("Content-Length", 5000)])),
        Send(b" " * 5000, piece=1, pause=0.02),
    ],
    "overloaded",
    model={"timeouts": {"total": 2}},
    limit=15,
    seconds=5,
)
