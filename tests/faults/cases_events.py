"""Event streams: what their events mean, and what they leave out."""

from cases import account, answer, endpoint, fine, own
from cases_answer import OPENAI, only
from cases_stream import chunks, documents, events, sends
from provider import dump, pieces, sse
from server import Send
from wire import response

# ---- what events mean

endpoint(
    "stream: an event that is no JSON",
    sends(lambda c: events(c)[:1] + [sse(b"{not json")] + events(c)[1:]),
    "malformed",
)
endpoint(
    "stream: half an event, then its end",
    sends(lambda c: events(c)[0][:-20] + b"\n\n"),
    ("malformed", "connection_failed"),
    forever=False,
)
endpoint(
    "stream: a NUL in an event",
    sends(lambda c: events(c)[0].replace(b"{", b"{\0", 1)),
    "malformed",
    forever=False,
)
endpoint(
    "stream: HTML as an event", sends(lambda c: sse(b"<html>Bad gateway</html>")), "malformed", forever=False
)
for what, document in (
    ("numbers", b"5"),
    ("nulls", b"null"),
    ("lists", b"[[]]"),
    ("strings", b'"x"'),
    ("empty objects", b"{}"),
):
    endpoint(
        f"stream: events that are {what}",
        sends(lambda c, d=document: [sse(d)] * 3),
        ("connection_failed", "malformed", "empty"),
        forever=False,
    )
for depth in (1_000, 200_000):
    endpoint(
        f"stream: an event of {depth} brackets",
        sends(lambda c, d=depth: sse(b"[" * d + b"]" * d)),
        ("malformed", "connection_failed"),
        forever=False,
    )
    endpoint(
        f"stream: an error of {depth} brackets",
        sends(lambda c, d=depth: sse(b'{"type":"error","error":' + b"[" * d + b"]" * d + b"}")),
        ("malformed", "server_error"),
        forever=False,
    )
answer("stream: [DONE] alone", sends(lambda c: sse(b"[DONE]")), by=only(*OPENAI))
answer("stream: no text", sends(lambda c: events(c, text="")))
endpoint("stream: comments alone", sends(lambda c: b": nothing\n\n" * 5), "connection_failed", forever=False)

for number, where in ((0, "first"), (2, "in the middle")):

    def broken(c, status, n=number, **words):
        return events(c)[:n] + [sse(dump(c.provider.error(status, "said in the stream", **words)), "error")]

    endpoint(
        f"stream: 503 {where}",
        sends(lambda c, b=broken: b(c, 503)),
        ("overloaded", "server_error"),
        thrice=number > 0,
        by={"anthropic": "server_error"},
    )
    endpoint(
        f"stream: 429 {where}",
        sends(lambda c, b=broken: b(c, 429, code="rate_limit_exceeded")),
        "rate_limited",
        forever=number > 0,
    )
    endpoint(
        f"stream: an error of unknown kind {where}",
        sends(
            lambda c, n=number: events(c)[:n] + [sse(b'{"type":"error","error":{"message":"?"}}', "error")]
        ),
        "server_error",
        forever=False,
    )
    account(
        f"stream: 401 {where}", sends(lambda c, b=broken: b(c, 401, code="invalid_api_key")), "unauthorized"
    )
endpoint(
    "stream: overloaded in the middle",
    sends(
        lambda c: events(c)[:3]
        + [sse(b'{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}', "error")]
    ),
    "overloaded",
    by=only("anthropic"),
)
endpoint(
    "stream: a router's error beside a choice",
    sends(
        lambda c: events(c)[:1]
        + [
            sse(
                dump(
                    {
                        "choices": [c.provider.choice("", "error", True)],
                        "error": {"code": 502, "message": "upstream"},
                    }
                )
            )
        ]
    ),
    ("server_error", "empty"),
    by=only(*OPENAI),
)
own(
    "stream: context exceeded",
    sends(
        lambda c: [
            sse(
                dump(
                    c.provider.error(
                        400,
                        "This model's maximum context length is 10 tokens",
                        code="context_length_exceeded",
                    )
                )
            )
        ]
    ),
    "context_exceeded",
    by=only(*OPENAI),
    every=False,
)

fine("stream: cut by length", sends(lambda c: events(c, finish=c.provider.length)), status="truncated")
own("stream: stopped by a filter", sends(lambda c: events(c, finish=c.provider.content_filter)), "refused")
for word, names in (
    ("error", OPENAI),
    ("OTHER", ("gemini",)),
    ("MALFORMED_FUNCTION_CALL", ("gemini",)),
    ("pause_turn", ("anthropic",)),
):
    answer(
        f"stream: finish reason {word}", sends(lambda c, word=word: events(c, finish=word)), by=only(*names)
    )


def other_choice(c):
    """Two choices whose pieces come in turn; the first is the answer."""
    made = []
    for piece in pieces(c.answer.text, 5):
        made.append(c.provider.frame([c.provider.choice("another ", None, True, index=1)]))
        made.append(c.provider.frame([c.provider.choice(piece, None, True, index=0)]))
    made += [
        c.provider.frame([c.provider.choice("", "stop", True, index=1)]),
        c.provider.frame([c.provider.choice("", "stop", True, index=0)]),
        c.provider.frame([], c.provider.usage(c.answer)),
    ]
    return documents(c, made)


fine("stream: two choices in turn", sends(other_choice), by=only(*OPENAI))
fine(
    "stream: content as a list of parts",
    sends(
        lambda c: documents(
            c,
            [
                c.provider.frame(
                    [
                        {
                            "index": 0,
                            "delta": {"content": [{"type": "text", "text": piece}]},
                            "finish_reason": None,
                        }
                    ]
                )
                for piece in pieces(c.answer.text)
            ]
            + chunks(c, text="")[-2:],
        )
    ),
    by=only("openai_chat"),
)
fine(
    "stream: content null in the first chunk",
    sends(
        lambda c: documents(
            c,
            [
                c.provider.frame(
                    [{"index": 0, "delta": {"role": "assistant", "content": None}, "finish_reason": None}]
                )
            ]
            + chunks(c),
        )
    ),
    by=only("openai_chat"),
)
fine(
    "stream: usage with every chunk",
    sends(lambda c: documents(c, [one | {"usage": c.provider.usage(c.answer)} for one in chunks(c)])),
    by=only(*OPENAI),
)
fine(
    "stream: usage null until the end",
    sends(lambda c: documents(c, [{"usage": None} | one for one in chunks(c)])),
    by=only(*OPENAI),
)
fine("stream: no usage", sends(lambda c: documents(c, chunks(c)[:-1])), by=only(*OPENAI))
fine("stream: an array of documents", lambda c: [Send(response(200, dump(chunks(c))))], by=only("gemini"))
fine(
    "stream: thoughts",
    sends(
        lambda c: [sse(dump({"candidates": [{"content": {"parts": [{"text": "hm", "thought": True}]}}]}))]
        + events(c)
    ),
    by=only("gemini"),
)
fine(
    "stream: a signature and thinking",
    sends(
        lambda c: events(c)[:1]
        + [
            sse(
                b'{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"hm"}}'
            ),
            sse(
                b'{"type":"content_block_delta","index":0,'
                b'"delta":{"type":"signature_delta","signature":"xyz"}}'
            ),
        ]
        + events(c)[1:]
    ),
    by=only("anthropic"),
)
