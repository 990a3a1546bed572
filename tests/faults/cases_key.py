"""The other side says our key back, in every place and shape that we thought of: it must be nowhere."""

import base64
from dataclasses import replace
from urllib.parse import quote

from cases import Case, account, add, endpoint, fine, own
from cases_stream import documents
from cases_stream import sends as sends_stream
from cases_stream import text_event, with_pieces
from outcomes import Fine
from provider import KEY, dump, sse
from server import Close, Send
from wire import HTML, JSON, chunk, response, stream, stream_head

HALF = len(KEY) // 2
ESCAPED = "".join(f"\\u{ord(letter):04x}" for letter in KEY)
BASE64 = base64.b64encode(KEY.encode()).decode()
BASIC = base64.b64encode(b"user:" + KEY.encode()).decode()
URL64 = base64.urlsafe_b64encode(b"x" + KEY.encode()).decode()
SHAPES = {"plain": KEY, "in base64": BASE64, "in base64 after a name": BASIC, "in URL-safe base64": URL64}


def unsaid(good):
    """Any text will do, since nobody says how a key is struck out: only that nothing of it is left."""
    return Anything()


class Anything(list):
    def __contains__(self, text):
        return True


def gone(name, fault, status="answered", **others):
    """An answer whose text may differ from the server's where the key stood."""
    add(Case(name, fault, Fine(status, texts=unsaid), times=None, **others))


for what, said in SHAPES.items():
    account(
        f"key {what} in a 401",
        lambda c, said=said: [Send(response(401, dump(c.provider.error(401, f"the key {said} is unknown"))))],
        "unauthorized",
    )
    own(
        f"key {what} in a 400",
        lambda c, said=said: [Send(response(400, dump(c.provider.error(400, f"you sent {said}"))))],
        "bad_request",
        every=False,
    )
    endpoint(
        f"key {what} in a 503's page",
        lambda c, said=said: [Send(response(503, f"<p>Authorization: Bearer {said}</p>".encode(), HTML))],
        "overloaded",
        forever=what == "plain",
    )
    gone(
        f"key {what} in the text",
        lambda c, said=said: [
            Send(stream(c.provider.events(replace(c.answer, text=f"your key is {said}, I see"))))
        ],
    )
    gone(
        f"key {what} in a whole text",
        lambda c, said=said: [
            Send(response(200, dump(c.provider.whole(replace(c.answer, text=f"key {said}!")))))
        ],
        streamed=False,
    )
    for parts in (2, 3, len(said)):
        size = -(-len(said) // parts)
        gone(
            f"key {what} over {'single letters' if parts > 3 else f'{parts} events'}",
            sends_stream(
                lambda c, said=said, size=size: documents(
                    c,
                    with_pieces(
                        c,
                        ["the key "]
                        + [said[at : at + size] for at in range(0, len(said), size)]
                        + [" is yours"],
                    ),
                )
            ),
        )


def escaped(document):
    """`document`'s bytes with the key in \\uXXXX escapes where it holds a NUL."""
    return dump(document).replace(b"\\u0000", ESCAPED.encode())


gone(
    "key in JSON escapes",
    lambda c: [Send(response(200, escaped(c.provider.whole(replace(c.answer, text="a \0")))))],
    streamed=False,
)
gone(
    "key in JSON escapes, streamed",
    sends_stream(
        lambda c: [
            event.replace(b"\\u0000", ESCAPED.encode())
            for event in c.provider.events(replace(c.answer, text="\0"))
        ]
    ),
)
own(
    "key in JSON escapes in an error",
    lambda c: [Send(response(400, escaped(c.provider.error(400, "\0"))))],
    "bad_request",
    every=False,
)
gone(
    "key with escaped slashes",
    sends_stream(
        lambda c: [
            event.replace(b"\\u0000", KEY.replace("/", "\\/").encode())
            for event in c.provider.events(replace(c.answer, text="\0"))
        ]
    ),
)
gone(
    "key percent-encoded in the text",
    sends_stream(lambda c: c.provider.events(replace(c.answer, text="?k=" + quote(KEY, safe="")))),
)
gone("key as the finish reason", sends_stream(lambda c: c.provider.events(replace(c.answer, finish=KEY))))
gone(
    "key as the model's name",
    sends_stream(
        lambda c: [event.replace(b"fault-model-1", KEY.encode()) for event in c.provider.events(c.answer)]
    ),
)
fine(
    "key in a header",
    lambda c: [
        Send(stream(c.provider.events(c.answer), headers=[("X-Echo", KEY), ("Set-Cookie", f"k={KEY}")]))
    ],
)
fine(
    "key in a comment of the stream",
    sends_stream(lambda c: [f": key {KEY}\n\n".encode()] + c.provider.events(c.answer)),
)
fine(
    "key in an event's name",
    sends_stream(lambda c: [sse(b'{"type":"ping"}', KEY)] + c.provider.events(c.answer)),
)
fine("key after the end", sends_stream(lambda c: c.provider.events(c.answer) + [sse(dump({"k": KEY}))]))
fine(
    "key in an unknown field",
    lambda c: [Send(response(200, dump(c.provider.whole(c.answer) | {"debug": {"auth": KEY}})))],
    streamed=False,
)
endpoint(
    "key in an event that is no JSON",
    sends_stream(lambda c: sse(f"{{broken {KEY}".encode())),
    "malformed",
    forever=False,
)
endpoint(
    "key as the content type",
    lambda c: [Send(response(200, b"x", f"text/{KEY.replace('/', '')}"))],
    "malformed",
    forever=False,
)
endpoint(
    "key instead of HTTP",
    lambda c: [Send(KEY.encode() + b"\r\n\r\n"), Close()],
    ("malformed", "connection_failed"),
    forever=False,
)
endpoint(
    "key in a broken head",
    lambda c: [Send(f"HTTP/1.1 200 {KEY}\r\nX {KEY}\r\n\r\n".encode()), Close()],
    ("malformed", "connection_failed"),
    forever=False,
)
endpoint(
    "key cut by the connection's end",
    lambda c: [Send(stream_head() + chunk(dump(text_event(c, KEY)).split(KEY[HALF:].encode())[0])), Close()],
    "connection_failed",
    forever=False,
)
endpoint(
    "key in a stream that breaks",
    lambda c: [
        Send(
            stream_head()
            + b"".join(chunk(sse(dump(text_event(c, part)))) for part in (KEY[:HALF], KEY[HALF:]))
        ),
        Close(),
    ],
    "connection_failed",
    forever=False,
)
own(
    "key at the edge of an excerpt",
    lambda c: [Send(response(400, dump(c.provider.error(400, "x" * 280 + KEY + "y" * 400))))],
    "bad_request",
    every=False,
)
own(
    "key over 64 KB of an error's body",
    lambda c: [Send(response(400, b"z" * (65_536 - HALF) + KEY.encode() + b"z" * 10_000, JSON))],
    "bad_request",
    every=False,
)
