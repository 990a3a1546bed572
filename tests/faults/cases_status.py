"""Error statuses, as a provider's document, a proxy's page or nothing; waits that the server asks for."""

import json
import time
from email.utils import formatdate

from cases import Case, account, add, endpoint, own
from outcomes import Paused, Retried
from provider import KEY, dump
from server import Send
from wire import HTML, JSON, head, response

PAGE = b"<html><head><title>Error</title></head><body><h1>nginx</h1></body></html>"

STATUS = {
    408: "timed_out",
    409: "server_error",
    425: "server_error",
    429: "rate_limited",
    500: "server_error",
    502: "server_error",
    503: "overloaded",
    504: "timed_out",
    529: "overloaded",
    520: "server_error",
}
REQUEST = {400: "bad_request", 413: ("bad_request", "context_exceeded"), 422: "bad_request"}
ACCOUNT = {
    401: "unauthorized",
    402: "unauthorized",
    403: "unauthorized",
    404: "not_found",
    405: "not_found",
    410: "not_found",
}


def document(c, status, message="this is said to fail"):
    return dump(c.provider.error(status, message))


def sends(status, body, kind=JSON, headers=()):
    """`body` may be a function of the context."""
    return lambda c: [Send(response(status, body(c) if callable(body) else body, kind, headers))]


def variants(status):
    yield "JSON", sends(status, lambda c: document(c, status))
    yield "HTML", sends(status, PAGE, HTML)
    yield "empty", sends(status, b"", None)
    yield "JSON called text", sends(status, lambda c: document(c, status), "text/plain")
    yield "an event stream's error", sends(
        status, lambda c: b"event: error\ndata: " + document(c, status) + b"\n\n", "text/event-stream"
    )
    yield "trickled", lambda c: [
        Send(head(status, [("Content-Type", JSON), ("Content-Length", len(document(c, status)))])),
        Send(document(c, status), piece=1, pause=0.002),
    ]


for status, name in STATUS.items():
    for what, fault in variants(status):
        if what == "JSON":
            endpoint(f"{status} {what}", fault, name, thrice=status in (429, 503))
        else:
            add(Case(f"{status} {what}/once", fault, Retried(name)))
for status, name in REQUEST.items():
    for what, fault in variants(status):
        own(f"{status} {what}", fault, name, every=what == "JSON")
for status, name in ACCOUNT.items():
    for what, fault in variants(status):
        account(f"{status} {what}", fault, name)
# Once the endpoint has answered, a single refusal is one prompt's moderation, a single 404 a router's lapse.
for status in (403, 404):
    own(
        f"{status} after an answer",
        sends(status, lambda c, status=status: document(c, status)),
        ACCOUNT[status],
        every=False,
    )
# Named by the provider, a bad key stays one, whatever was answered before.
account("401 after answers", sends(401, lambda c: document(c, 401)), ACCOUNT[401], at=2)

# ---- what the server says of waiting


def waiting(status, *headers):
    return sends(status, lambda c: document(c, status), headers=headers)


def http_date(seconds):
    return formatdate(time.time() + seconds, usegmt=True)


SOON = (0.0, 0.9)
for what, headers, status, gap in (
    ("Retry-After of a second", [("Retry-After", "1")], 429, (1.0, 3.0)),
    ("Retry-After of a fraction", [("Retry-After", "0.2")], 429, (0.2, 1.5)),
    ("Retry-After of zero", [("Retry-After", "0")], 429, SOON),
    ("retry-after-ms", [("retry-after-ms", "150")], 429, (0.15, 1.5)),
    ("a negative Retry-After", [("Retry-After", "-30")], 429, SOON),
    ("a Retry-After of words", [("Retry-After", "soon, please")], 429, SOON),
    ("a Retry-After in the past", [("Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT")], 429, SOON),
    ("an empty Retry-After", [("Retry-After", "")], 503, SOON),
    ("Retry-After with 503", [("Retry-After", "1")], 503, (1.0, 3.0)),
    ("Retry-After of NaN", [("Retry-After", "nan")], 503, SOON),
    ("Retry-After of infinity", [("Retry-After", "inf")], 503, SOON),
):
    add(Case(f"{what}/once", waiting(status, *headers), Retried(STATUS[status], gap=gap)))
add(
    Case(
        "Retry-After as a date/once",
        lambda c: [Send(response(429, document(c, 429), headers=[("Retry-After", http_date(2))]))],
        Retried("rate_limited", gap=(0.9, 4.0)),
    )
)
add(
    Case(
        "x-ratelimit-reset/once",
        waiting(429, ("x-ratelimit-remaining-requests", "0"), ("x-ratelimit-reset-requests", "300ms")),
        Retried("rate_limited", gap=(0.3, 2.0)),
    )
)
add(
    Case(
        "anthropic-ratelimit-reset/once",
        lambda c: [
            Send(
                response(
                    429,
                    document(c, 429),
                    headers=[
                        ("anthropic-ratelimit-requests-remaining", "0"),
                        (
                            "anthropic-ratelimit-requests-reset",
                            time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(time.time() + 1)),
                        ),
                    ],
                )
            )
        ],
        Retried("rate_limited"),
    )
)
add(
    Case(
        "retryDelay in the body/once",
        lambda c: [
            Send(
                response(
                    429,
                    dump(
                        {
                            "error": {
                                "code": 429,
                                "status": "RESOURCE_EXHAUSTED",
                                "message": "slow down",
                                "details": [
                                    {
                                        "@type": "type.googleapis.com/google.rpc.RetryInfo",
                                        "retryDelay": "0.4s",
                                    }
                                ],
                            }
                        }
                    ),
                )
            )
        ],
        Retried("rate_limited"),
        by_provider={"openai_chat": None, "openai_completions": None, "anthropic": None},
    )
)
for what, value in (
    ("a year", "31536000"),
    ("1e300", "1e300"),
    ("a date in 9999", "Fri, 31 Dec 9999 23:59:59 GMT"),
    ("twenty digits", "99999999999999999999"),
):
    # Longer than anybody waits: the campaign pauses and says so instead of sleeping.
    add(
        Case(
            f"a Retry-After of {what}/forever",
            waiting(429, ("Retry-After", value)),
            Paused("rate_limited", least=1),
            times=None,
        )
    )

# ---- errors in the providers' own words

LONG = {
    "openai_chat": lambda c: c.provider.error(
        400,
        "This model's maximum context length is 8192 tokens. However, your messages "
        "resulted in 9000 tokens.",
        code="context_length_exceeded",
    ),
    "openai_completions": lambda c: {
        "object": "error",
        "type": "BadRequestError",
        "param": None,
        "code": 400,
        "message": "This model's maximum context length is 4096 tokens. However, you requested 5000 tokens "
        "(4500 in the messages, 500 in the completion).",
    },
    "anthropic": lambda c: c.provider.error(400, "prompt is too long: 210000 tokens > 200000 maximum"),
    "gemini": lambda c: c.provider.error(
        400, "The input token count (1200000) exceeds the maximum number of tokens allowed " "(1048576)."
    ),
}
own("context exceeded", sends(400, lambda c: dump(LONG[c.provider.name](c))), "context_exceeded")
own(
    "context exceeded with 413",
    sends(413, lambda c: dump(LONG[c.provider.name](c))),
    ("context_exceeded", "bad_request"),
)

NO_MONEY = {
    "openai_chat": (
        429,
        lambda c: c.provider.error(
            429,
            "You exceeded your current quota, please check your plan and billing " "details.",
            code="insufficient_quota",
            kind="insufficient_quota",
        ),
    ),
    "anthropic": (
        400,
        lambda c: c.provider.error(400, "Your credit balance is too low to access the Anthropic API."),
    ),
    "gemini": (403, lambda c: c.provider.error(403, "Billing is disabled for this project.")),
}
NO_MONEY["openai_completions"] = NO_MONEY["openai_chat"]
account(
    "an empty account",
    lambda c: [Send(response(NO_MONEY[c.provider.name][0], dump(NO_MONEY[c.provider.name][1](c))))],
    ("rate_limited", "unauthorized"),
)

NO_KEY = {
    "openai_chat": (
        401,
        lambda c: c.provider.error(401, f"Incorrect API key provided: {KEY}.", code="invalid_api_key"),
    ),
    "anthropic": (401, lambda c: c.provider.error(401, "invalid x-api-key")),
    "gemini": (
        400,
        lambda c: {
            "error": {
                "code": 400,
                "message": "API key not valid. Please pass a valid API key.",
                "status": "INVALID_ARGUMENT",
                "details": [
                    {
                        "@type": "type.googleapis.com/google.rpc.ErrorInfo",
                        "reason": "API_KEY_INVALID",
                        "domain": "googleapis.com",
                    }
                ],
            }
        },
    ),
}
NO_KEY["openai_completions"] = NO_KEY["openai_chat"]
account(
    "an invalid key",
    lambda c: [Send(response(NO_KEY[c.provider.name][0], dump(NO_KEY[c.provider.name][1](c))))],
    "unauthorized",
)

NO_MODEL = {
    "openai_chat": lambda c: c.provider.error(
        404, "The model `fault-model-1` does not exist.", code="model_not_found"
    ),
    "anthropic": lambda c: c.provider.error(404, "model: fault-model-1"),
    "gemini": lambda c: c.provider.error(404, "models/fault-model-1 is not found for API version v1beta."),
}
NO_MODEL["openai_completions"] = NO_MODEL["openai_chat"]
account("an unknown model", sends(404, lambda c: dump(NO_MODEL[c.provider.name](c))), "not_found")

# ---- error documents that nobody documented

ODD_ERRORS = {
    "a string": b'"no"',
    "a list": b"[1, 2]",
    "null": b"null",
    "a number": b"503",
    "an error that is a string": b'{"error": "no"}',
    "an error that is null": b'{"error": null}',
    "a message that is a list": b'{"error": {"message": ["a", "b"]}}',
    "a code that is a float": b'{"error": {"code": 5.5}}',
    "invalid UTF-8": b'{"error": {"message": "\xff\xfe \xff\xfe"}}',
    "NULs": b"\0" * 40,
    "a message of 1 MB": json.dumps({"error": {"message": "x" * 1_000_000}}).encode(),
    "thirty thousand brackets": b'{"error": ' + b"[" * 30_000 + b"]" * 30_000 + b"}",
    "half a document": b'{"error": {"mess',
    "terminal escapes": b'{"error": {"message": "\u001b[2J\u001b]0;x\u0007"}}',
}
for what, body in ODD_ERRORS.items():
    endpoint(
        f"503 with {what}",
        sends(503, body),
        "overloaded",
        forever=what in ("NULs", "thirty thousand brackets"),
    )
    own(f"400 with {what}", sends(400, body), "bad_request", every=False)
