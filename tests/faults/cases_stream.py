"""Event streams of odd shapes, in bytes and in meaning."""

import json
from dataclasses import replace

from cases import fine
from cases_answer import OPENAI, only
from provider import dump, sse
from server import Send, Stall
from wire import LAST_CHUNK, chunk, stream, stream_head


def events(c, **answer):
    return c.provider.events(replace(c.answer, **answer))


def chunks(c, **answer):
    return c.provider.chunks(replace(c.answer, **answer))


def joined(c):
    return b"".join(events(c))


def sends(body):
    """`body`: the stream's bytes or its events, from the context; each event becomes a chunk."""

    def steps(c):
        made = body(c)
        return [Send(stream([made] if isinstance(made, bytes) else made))]

    return steps


def documents(c, made):
    """Documents as this provider's events, with its end."""
    named = c.provider.name == "anthropic"
    out = [
        sse(
            dump(one) if not isinstance(one, bytes) else one,
            one["type"] if named and isinstance(one, dict) else None,
        )
        for one in made
    ]
    return out + ([sse(b"[DONE]")] if c.provider.name in OPENAI else [])


def text_event(c, text):
    """One event with a piece of text."""
    return {
        "openai_chat": lambda: c.provider.frame([c.provider.choice(text, None, True)]),
        "openai_completions": lambda: c.provider.frame([c.provider.choice(text, None, True)]),
        "anthropic": lambda: {
            "type": "content_block_delta",
            "index": 0,
            "delta": {"type": "text_delta", "text": text},
        },
        "gemini": lambda: c.provider.chunk(text),
    }[c.provider.name]()


def with_pieces(c, texts):
    """The good stream with these pieces of text in place of its own."""
    made = chunks(c, text="\0")
    at = next(index for index, one in enumerate(made) if "\\u0000" in json.dumps(one))
    if c.provider.name == "gemini":  # its last piece carries the end
        last = json.loads(json.dumps(made[at]).replace("\\u0000", ""))
        return [text_event(c, text) for text in texts] + [last]
    return made[:at] + [text_event(c, text) for text in texts] + made[at + 1 :]


# ---- bytes of the event stream

fine("stream: every byte a packet", lambda c: [Send(stream(events(c)), piece=1, pause=0)])
fine("stream: CRLF", sends(lambda c: joined(c).replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")))
fine("stream: CR alone", sends(lambda c: joined(c).replace(b"\r\n", b"\n").replace(b"\n", b"\r")))
fine(
    "stream: CR and LF in two packets",
    lambda c: [Send(stream_head())]
    + [
        step
        for line in joined(c).replace(b"\r\n", b"\n").split(b"\n")
        for step in (Send(chunk(line + b"\r")), Send(chunk(b"\n")))
    ]
    + [Send(LAST_CHUNK)],
    every=False,
)
fine("stream: comments between", sends(lambda c: b": OPENROUTER PROCESSING\n\n".join(events(c))))
fine("stream: a BOM first", sends(lambda c: b"\xef\xbb\xbf" + joined(c)))
fine("stream: retry and id lines", sends(lambda c: [b"retry: 3000\nid: 7\n" + event for event in events(c)]))
fine(
    "stream: unknown fields",
    sends(lambda c: [b"colour: red\nno colon here\n" + event for event in events(c)]),
)
fine("stream: no space after data:", sends(lambda c: joined(c).replace(b"data: ", b"data:")))
fine(
    "stream: data over several lines",
    sends(
        lambda c: [
            event.replace(b',"', b',\ndata: "') if b"[DONE]" not in event else event for event in events(c)
        ]
    ),
)
fine("stream: events without data", sends(lambda c: b"event: ping\n\n" + joined(c)))
fine("stream: ten empty lines between", sends(lambda c: (b"\n" * 10).join(events(c))))
fine("stream: no empty line at its end", sends(lambda c: joined(c).rstrip(b"\r\n")), every=False)
fine("stream: unknown events", sends(lambda c: sse(b'{"type":"x_new","a":1}', "x_new") + joined(c)))
fine("stream: pings", sends(lambda c: (sse(b'{"type": "ping"}', "ping")).join(events(c))))
fine(
    "stream: data after its end",
    sends(lambda c: events(c) + [sse(dump(text_event(c, "too late")))]),
    by={"gemini": None},
)  # whose streams have no last event
fine(
    "stream: an error after its end",
    sends(lambda c: events(c) + [sse(dump(c.provider.error(500, "too late")))]),
)
fine("stream: its end twice", sends(lambda c: events(c) + [events(c)[-1]]), by={"gemini": None})
fine("stream: no [DONE]", sends(lambda c: events(c)[:-1]), by=only(*OPENAI))
fine(
    "stream: no [DONE], silence",
    lambda c: [Send(stream_head() + b"".join(chunk(event) for event in events(c)[:-1])), Stall()],
    by=only(*OPENAI),
)
fine(
    "stream: [DONE] with spaces",
    sends(lambda c: joined(c).replace(b"data: [DONE]", b"data: [DONE] ")),
    by=only(*OPENAI),
)
fine("stream: a comment of 4 MB", sends(lambda c: b":" + b"x" * 4_000_000 + b"\n\n" + joined(c)), every=False)
fine("stream: ten thousand comments", sends(lambda c: b":x\n\n" * 10_000 + joined(c)), every=False)

# ---- text in pieces

fine(
    "stream: a character in two packets",
    lambda c: [
        Send(
            stream_head() + chunk(joined(c)),
            piece=len(stream_head()) + joined(c).index("火".encode()) + 5,
            pause=0.02,
        ),
        Send(LAST_CHUNK),
    ],
)
fine("stream: one character an event", sends(lambda c: documents(c, with_pieces(c, list(c.answer.text)))))


def halves_of_surrogates(c):
    """Every character outside the basic plane as two events, each with half of its pair."""
    made = []
    for character in c.answer.text:
        if ord(character) > 0xFFFF:
            pair = json.dumps(character)[1:-1]
            made += [
                json.dumps(text_event(c, "\0")).replace("\\u0000", half).encode()
                for half in (pair[:6], pair[6:])
            ]
        else:
            made.append(dump(text_event(c, character)))
    whole = with_pieces(c, ["\0"])
    at = next(index for index, one in enumerate(whole) if "\\u0000" in json.dumps(one))
    return documents(c, [dump(one) for one in whole[:at]] + made + [dump(one) for one in whole[at + 1 :]])


fine("stream: surrogate pairs over two events", sends(halves_of_surrogates))


def replaced(c, old, new):
    return joined(c).replace(old, new)


fine(
    "stream: a lone surrogate",
    sends(lambda c: replaced(c, "𝄞".encode(), b"\\ud834")),
    text=lambda good: good.replace("𝄞", "\ufffd"),
    every=False,
)
fine(
    "stream: invalid UTF-8 in the text",
    sends(lambda c: replaced(c, "火".encode(), b"\xff\xfe")),
    texts=lambda good: [good.replace("火", "\ufffd"), good.replace("火", "\ufffd\ufffd")],
    every=False,
)
fine(
    "stream: an escaped NUL in the text",
    sends(lambda c: replaced(c, "火".encode(), b"\\u0000")),
    text=lambda good: good.replace("火", "\0"),
    every=False,
)
fine(
    "stream: empty pieces",
    sends(lambda c: documents(c, with_pieces(c, ["", c.answer.text[:5], "", "", c.answer.text[5:], ""]))),
)
fine(
    "stream: a line of 10 MB",
    sends(lambda c: documents(c, with_pieces(c, [c.answer.text + "x" * 10_000_000]))),
    text=lambda good: good + "x" * 10_000_000,
    every=False,
    model={"timeouts": {"first_byte": 5, "between_bytes": 5}},
)
fine(
    "stream: twenty thousand events",
    sends(lambda c: documents(c, with_pieces(c, [c.answer.text] + ["y"] * 20_000))),
    text=lambda good: good + "y" * 20_000,
    every=False,
    model={"timeouts": {"first_byte": 5, "between_bytes": 5}},
)
