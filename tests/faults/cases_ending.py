"""Whole answers: how they say that they ended, and what they cost."""

from cases import account, answer, endpoint, fine, own
from cases_answer import OPENAI, change, only, sends, whole

# ---- how it ended

NATURAL = {"unknown word": "because", "upper case": "STOP"}
for what, word in NATURAL.items():
    fine(
        f"whole: finish reason of {what}",
        sends(lambda c, word=word: whole(c, finish=word)),
        streamed=False,
        every=False,
    )
fine(
    "whole: cut by length",
    sends(lambda c: whole(c, finish=c.provider.length)),
    status="truncated",
    streamed=False,
)
own(
    "whole: stopped by a filter",
    sends(lambda c: whole(c, finish=c.provider.content_filter)),
    "refused",
    streamed=False,
)
FILTERS = {
    "openai_chat": ("content_filter",),
    "openai_completions": ("content_filter",),
    "anthropic": ("refusal",),
    "gemini": ("SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII"),
}
for word in FILTERS["gemini"][1:]:
    own(
        f"whole: finish reason {word}",
        sends(lambda c, word=word: whole(c, finish=word)),
        "refused",
        streamed=False,
        every=False,
        by=only("gemini"),
    )
own(
    "whole: the prompt was blocked",
    sends({"promptFeedback": {"blockReason": "SAFETY"}, "usageMetadata": {"promptTokenCount": 9}}),
    "refused",
    streamed=False,
    by=only("gemini"),
)
own(
    "whole: a refusal instead of content",
    sends(
        lambda c: change(
            c, ("choices", 0, "message"), {"role": "assistant", "content": None, "refusal": "I cannot."}
        )
    ),
    "refused",
    streamed=False,
    by=only("openai_chat"),
)
BROKEN_FINISH = {
    "error": OPENAI,
    "OTHER": ("gemini",),
    "MALFORMED_FUNCTION_CALL": ("gemini",),
    "pause_turn": ("anthropic",),
}
for word, names in BROKEN_FINISH.items():
    answer(
        f"whole: finish reason {word}",
        sends(lambda c, word=word: whole(c, finish=word)),
        streamed=False,
        by=only(*names),
    )
    answer(
        f"whole: finish reason {word} without text",
        sends(lambda c, word=word: whole(c, finish=word, text="")),
        streamed=False,
        by=only(*names),
    )
endpoint(
    "whole: an error beside 200",
    sends(lambda c: c.provider.error(503, "try later")),
    ("overloaded", "server_error"),
    streamed=False,
)
endpoint(
    "whole: an error in a list beside 200",
    sends(lambda c: [c.provider.error(503, "try later")]),
    ("overloaded", "server_error", "malformed"),
    streamed=False,
    forever=False,
)
account(
    "whole: an unknown key beside 200",
    sends(lambda c: c.provider.error(401, "no such key", code="invalid_api_key")),
    "unauthorized",
    streamed=False,
)

# ---- usage: money is counted from it, so what makes no sense is said and never credited

USAGE_KEY = {
    "openai_chat": ("usage", "prompt_tokens", "completion_tokens"),
    "openai_completions": ("usage", "prompt_tokens", "completion_tokens"),
    "anthropic": ("usage", "input_tokens", "output_tokens"),
    "gemini": ("usageMetadata", "promptTokenCount", "candidatesTokenCount"),
}


def with_usage(c, tokens_in, tokens_out):
    _, first, second = USAGE_KEY[c.provider.name]
    return c.provider.set_usage(c.provider.whole(c.answer), {first: tokens_in, second: tokens_out})


def without_usage(c):
    document = c.provider.whole(c.answer)
    del document[USAGE_KEY[c.provider.name][0]]
    return document


fine("whole: no usage", sends(without_usage), streamed=False)
for what, value in (("null", None), ("a string", "many"), ("a list", [1])):
    fine(
        f"whole: usage is {what}",
        sends(lambda c, value=value: c.provider.set_usage(c.provider.whole(c.answer), value)),
        streamed=False,
        every=False,
    )
ODD_USAGE = {
    "negative": (-5, -7),
    "a negative output": (10, -10_000),
    "fractional": (10.5, 3.25),
    "beyond 64 bits": (10**25, 10**25),
    "1e300": (1e300, 1e300),
    "2^63": (2**63, 2**63 - 1),
    "strings": ("11", "7"),
    "objects": ({}, {}),
    "nulls": (None, None),
}
for what, (tokens_in, tokens_out) in ODD_USAGE.items():
    fine(
        f"whole: usage {what}",
        sends(lambda c, i=tokens_in, o=tokens_out: with_usage(c, i, o)),
        streamed=False,
        every=False,
    )
