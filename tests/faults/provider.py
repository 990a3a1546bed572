"""What a provider is to the cases: it reads requests and builds what a case then breaks."""

import base64
import hashlib
import json
from dataclasses import dataclass, replace

# Slashes, plus and equal signs have other forms in JSON and in URLs: all of them must be redacted.
KEY = "sk-R1dge/7Qm+xWc0vT9uLz/4bNf+K2hYpa8JsD=="
MODEL = "fault-model-1"


def base64_cores(secret):
    """What base64 of any text with `secret` in it must contain, for each of the three alignments."""
    cores = []
    for lead in range(3):
        encoded = base64.b64encode(b"\0" * lead + secret.encode()).decode()
        # Letters at either end also depend on what stands beside the secret.
        first = 0 if lead == 0 else 4
        cores.append(encoded[first : len(encoded) // 4 * 4 - 4])
    return cores


@dataclass(frozen=True)
class Prompt:
    text: str  # all messages, as the model sees them
    seed: object = None  # as the request names it
    max_tokens: object = None
    stream: bool = False
    model: str = ""

    @property
    def identity(self):
        return hashlib.sha256(f"{self.text}\0{self.seed}".encode()).hexdigest()[:24]


@dataclass(frozen=True)
class Answer:
    text: str
    input_tokens: int = 11
    output_tokens: int = 7
    reasoning: str = ""
    finish: str = ""  # the provider's own word; empty: its word for a natural end
    refusal: str = ""

    def with_text(self, text):
        return replace(self, text=text)


def dump(value):
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def pieces(text, count=3):
    """`text` in `count` parts, none empty where it is long enough."""
    if not text:
        return [""]
    size = max(1, -(-len(text) // count))
    return [text[at : at + size] for at in range(0, len(text), size)]


def sse(data, event=None, end=b"\n"):
    lines = ([b"event: " + event.encode()] if event else []) + [b"data: " + data]
    return end.join(lines) + end + end


class Provider:
    name = ""
    content_filter = ""  # finish reason of a content filter
    length = ""  # of an answer cut by length
    natural = ""  # of a whole answer

    def base_url(self, port):
        raise NotImplementedError

    def target_ok(self, target):
        raise NotImplementedError

    def key_of(self, request):
        raise NotImplementedError

    def marks_problem(self, request):
        """What is wrong with the marks of what may be cached, or "": only Anthropic knows such marks."""
        return "a mark for a cache that this provider does not have" if b"cache_control" in request.body else ""

    def read(self, request):
        raise NotImplementedError

    def whole(self, answer):
        """The body of an answer without a stream, as a document."""
        raise NotImplementedError

    def events(self, answer):
        """A stream's events as bytes, the last one included."""
        raise NotImplementedError

    def error(self, status, message, code=None, kind=None):
        """The error document that this provider sends with `status`."""
        raise NotImplementedError

    def set_usage(self, document, usage):
        """`document` (a whole answer) with other usage."""
        raise NotImplementedError
