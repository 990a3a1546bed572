"""Whole answers (no stream) of odd shapes: what stands in the document, not how it travelled."""

import json
from dataclasses import replace

from cases import answer, endpoint, fine
from provider import dump
from providers import PROVIDERS
from server import Send
from wire import JSON, response

OPENAI = ("openai_chat", "openai_completions")


def whole(c, **answer):
    return c.provider.whole(replace(c.answer, **answer))


def sends(body):
    """`body`: bytes, a document, or a function of the context to either."""

    def steps(c):
        made = body(c) if callable(body) else body
        return [Send(response(200, made if isinstance(made, bytes) else dump(made), JSON))]

    return steps


def only(*names):
    """by_provider that leaves out all others."""
    return {name: None for name in PROVIDERS if name not in names}


# ---- no answer at all

for what, body in (
    ("an empty object", b"{}"),
    ("a list", b"[]"),
    ("a list of numbers", b"[1,2]"),
    ("a string", b'"ok"'),
    ("a number", b"42"),
    ("null", b"null"),
    ("true", b"true"),
    ("half a document", b'{"choices": [{"mess'),
    ("two documents", b"{}{}"),
    ("NULs", b"\0" * 64),
    ("invalid UTF-8", b"\xff\xfe\xfd"),
    ("a BOM alone", b"\xef\xbb\xbf"),
    ("HTML", b"<!doctype html>"),
    ("another API's shape", b'{"output": [{"text": "hello"}]}'),
    ("spaces", b" " * 4000),
):
    endpoint(
        f"whole: {what}",
        sends(body),
        "malformed",
        streamed=False,
        forever=what in ("an empty object", "HTML", "NULs"),
    )

for depth in (1_000, 100_000, 2_000_000):
    endpoint(
        f"whole: {depth} brackets",
        sends(b"[" * depth + b"]" * depth),
        "malformed",
        streamed=False,
        forever=False,
    )
    endpoint(
        f"whole: an error of {depth} brackets",
        sends(b'{"error": ' + b"[" * depth + b"]" * depth + b"}"),
        ("malformed", "server_error"),
        streamed=False,
        forever=False,
    )
    endpoint(
        f"whole: {depth} objects",
        sends(b'{"error":' * depth + b"1" + b"}" * depth),
        ("malformed", "server_error"),
        streamed=False,
        forever=False,
    )

# ---- choices, candidates, content of unusual types


def change(c, path, value):
    """The good document with `value` at `path`."""
    document = json.loads(dump(c.provider.whole(c.answer)))
    holder = document
    for key in path[:-1]:
        holder = holder[key]
    holder[path[-1]] = value
    return document


PLACES = {  # of the list of answers, and of the text
    "openai_chat": (("choices",), ("choices", 0, "message", "content")),
    "openai_completions": (("choices",), ("choices", 0, "text")),
    "anthropic": (("content",), ("content", 0, "text")),
    "gemini": (("candidates",), ("candidates", 0, "content", "parts", 0, "text")),
}


def at_list(value):
    return sends(lambda c: change(c, PLACES[c.provider.name][0], value))


def at_text(value):
    return sends(lambda c: change(c, PLACES[c.provider.name][1], value))


for what, value in (("null", None), ("a string", "no"), ("a number", 7), ("an object", {})):
    endpoint(
        f"whole: answers are {what}",
        at_list(value),
        "malformed",
        streamed=False,
        forever=False,
        by={"anthropic": None} if what == "a string" else {},
    )
for what, value in (
    ("no answers", []),
    ("answers that are null", [None]),
    ("answers that are strings", ["a", "b"]),
    ("answers that are empty", [{}]),
):
    endpoint(f"whole: {what}", at_list(value), ("malformed", "empty"), streamed=False, forever=False)
for what, value in (
    ("null", None),
    ("a number", 5),
    ("an object", {"a": 1}),
    ("true", True),
    ("an empty list", []),
):
    endpoint(f"whole: text is {what}", at_text(value), ("malformed", "empty"), streamed=False, forever=False)
for what, value in (("empty", ""), ("spaces", " \n\t ")):
    answer(f"whole: text is {what}", at_text(value), streamed=False)

fine(
    "whole: content is a list of parts",
    sends(
        lambda c: change(
            c,
            ("choices", 0, "message", "content"),
            [{"type": "text", "text": c.answer.text[:9]}, {"type": "text", "text": c.answer.text[9:]}],
        )
    ),
    streamed=False,
    by=only("openai_chat"),
)
fine(
    "whole: content is a string",
    sends(lambda c: change(c, ("content",), c.answer.text)),
    streamed=False,
    by=only("anthropic"),
)
fine(
    "whole: two blocks of text",
    sends(
        lambda c: change(
            c,
            ("content",),
            [{"type": "text", "text": c.answer.text[:9]}, {"type": "text", "text": c.answer.text[9:]}],
        )
    ),
    streamed=False,
    by=only("anthropic"),
)
fine(
    "whole: thinking before the text",
    sends(
        lambda c: change(
            c,
            ("content",),
            [
                {"type": "thinking", "thinking": "hm", "signature": "x"},
                {"type": "text", "text": c.answer.text},
            ],
        )
    ),
    streamed=False,
    by=only("anthropic"),
)
fine(
    "whole: blocks of unknown types between",
    sends(
        lambda c: change(
            c,
            ("content",),
            [{"type": "server_tool_use", "id": "1"}, 5, None, {"type": "text", "text": c.answer.text}],
        )
    ),
    streamed=False,
    by=only("anthropic"),
)
fine(
    "whole: two parts and a thought",
    sends(
        lambda c: change(
            c,
            ("candidates", 0, "content", "parts"),
            [
                {"text": "hm", "thought": True},
                {"text": c.answer.text[:9]},
                {"inlineData": {}},
                {"text": c.answer.text[9:]},
            ],
        )
    ),
    streamed=False,
    by=only("gemini"),
)
fine(
    "whole: choices out of order",
    sends(
        lambda c: change(
            c,
            ("choices",),
            [
                c.provider.choice("another answer", "stop", False, index=1),
                c.provider.choice(c.answer.text, "stop", False, index=0),
            ],
        )
    ),
    streamed=False,
    by=only(*OPENAI),
)
fine(
    "whole: a second candidate",
    sends(
        lambda c: change(
            c,
            ("candidates",),
            [
                json.loads(dump(c.provider.whole(c.answer)))["candidates"][0],
                {"content": {"parts": [{"text": "another answer"}]}, "index": 1, "finishReason": "STOP"},
            ],
        )
    ),
    streamed=False,
    by=only("gemini"),
)
fine(
    "whole: unknown keys everywhere",
    sends(lambda c: change(c, ("x_unknown",), {"deep": [1, {"a": None}]})),
    streamed=False,
)
fine(
    "whole: a BOM before the document",
    sends(lambda c: b"\xef\xbb\xbf" + dump(c.provider.whole(c.answer))),
    streamed=False,
)
fine(
    "whole: space around the document",
    sends(lambda c: b"\r\n \t" + dump(c.provider.whole(c.answer)) + b"\n\n\n"),
    streamed=False,
)
fine("whole: all escaped", sends(lambda c: json.dumps(c.provider.whole(c.answer)).encode()), streamed=False)
fine(
    "whole: two keys of one name",
    sends(lambda c: dump(c.provider.whole(c.answer))[:-1] + b',"id":"x","id":"y"}'),
    streamed=False,
)
fine(
    "whole: a text of 3 MB",
    sends(lambda c: whole(c, text=c.answer.text * 20_000)),
    text=lambda good: good * 20_000,
    streamed=False,
    every=False,
)
