"""Bytes of HTTP/1.1 responses, whole or broken."""

import gzip

from provider import dump
from server import Send

JSON, STREAM, HTML = "application/json", "text/event-stream", "text/html; charset=utf-8"


def head(status=200, headers=(), reason="Said So", version="HTTP/1.1"):
    lines = [f"{version} {status} {reason}"] + [f"{name}: {value}" for name, value in headers]
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def response(status, body, kind=JSON, headers=(), length=None):
    """A response with Content-Length; `length` replaces the true one."""
    given = [("Content-Type", kind)] if kind else []
    given += [("Content-Length", len(body) if length is None else length), *headers]
    return head(status, given) + body


def chunk(data):
    return f"{len(data):x}\r\n".encode() + data + b"\r\n"


LAST_CHUNK = b"0\r\n\r\n"


def stream_head(headers=(), kind=STREAM):
    return head(200, [("Content-Type", kind), ("Transfer-Encoding", "chunked"), *headers])


def stream(events, headers=(), kind=STREAM):
    """A chunked event stream, each event a chunk."""
    return stream_head(headers, kind) + b"".join(chunk(event) for event in events) + LAST_CHUNK


def good(provider, answer, streamed):
    """The bytes of an undisturbed answer."""
    if streamed:
        return stream(provider.events(answer))
    return response(200, dump(provider.whole(answer)))


def good_steps(provider, answer, streamed):
    return [Send(good(provider, answer, streamed))]


def gzipped(data):
    return gzip.compress(data, mtime=0)
