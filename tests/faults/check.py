"""What a run left behind: the answers in its store, and whether the key lies anywhere."""

import ctypes
import ctypes.util
import json
import re
import sqlite3
import urllib.parse
from dataclasses import dataclass

from provider import KEY, base64_cores

ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"


@dataclass(frozen=True)
class Ask:
    address: tuple  # task, strategy, seed, step, slot
    status: str
    llm_status: str
    text: str
    detail: str
    attempts: int
    input_tokens: int
    output_tokens: int
    usd: float
    prompt: str


class Store:
    """A closed store, read as a user would: SQL."""

    def __init__(self, path):
        self.path = path
        self.db = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        self.db.text_factory = bytes

    def close(self):
        self.db.close()

    def rows(self, query):
        return self.db.execute(query).fetchall()

    def tables(self):
        return [name.decode() for (name,) in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]

    def asks(self):
        found = self.rows(
            "SELECT tasks.name, strategy, seed, step, slot, asks.status, llm_status, response_text,"
            " asks.detail, attempts, input_tokens, output_tokens, usd, prompt FROM asks"
            " JOIN trajectories t ON t.id = asks.trajectory JOIN tasks ON tasks.hash = t.task"
            " ORDER BY t.id, step, slot"
        )
        return [
            Ask(
                address=(text_of(row[0]), text_of(row[1]), *row[2:5]),
                status=text_of(row[5]),
                llm_status=text_of(row[6]),
                text=text_of(row[7]),
                detail=text_of(row[8]),
                attempts=row[9],
                input_tokens=row[10],
                output_tokens=row[11],
                usd=row[12],
                prompt=text_of(row[13]),
            )
            for row in found
        ]

    def states(self):
        return [state.decode() for (state,) in self.rows("SELECT state FROM trajectories ORDER BY id")]

    def failed_attempts(self):
        """The names of their statuses; None where the store knows no such table."""
        if "failed_attempts" not in self.tables():
            return None
        return [
            status.decode() for (status,) in self.rows("SELECT llm_status FROM failed_attempts ORDER BY id")
        ]

    def values(self):
        """Every value of every table as (place, bytes), decompressed."""
        for table in self.tables():
            cursor = self.db.execute(f'SELECT * FROM "{table}"')
            names = [column[0] for column in cursor.description]
            for row in cursor:
                for name, value in zip(names, row):
                    if isinstance(value, bytes):
                        yield f"{table}.{name}", decompressed(value)


def text_of(value):
    return decompressed(value).decode("utf-8", "replace") if value is not None else ""


_zstd = None


def zstd():
    global _zstd
    if _zstd is None:
        _zstd = ctypes.CDLL(ctypes.util.find_library("zstd") or "libzstd.so.1")
        _zstd.ZSTD_getFrameContentSize.restype = ctypes.c_ulonglong
        _zstd.ZSTD_decompress.restype = ctypes.c_size_t
    return _zstd


def decompressed(value):
    if not value.startswith(ZSTD_MAGIC):
        return value
    library = zstd()
    size = library.ZSTD_getFrameContentSize(value, ctypes.c_size_t(len(value)))
    if size >= 2**63:  # unknown, or no frame
        raise ValueError("a compressed value that does not say its size")
    out = ctypes.create_string_buffer(size or 1)
    got = library.ZSTD_decompress(out, ctypes.c_size_t(size), value, ctypes.c_size_t(len(value)))
    if library.ZSTD_isError(ctypes.c_size_t(got)):
        raise ValueError("a compressed value that cannot be read")
    return out.raw[:size]


FORMS = {
    "as it is": KEY,
    "percent-encoded": urllib.parse.quote(KEY, safe=""),
    "percent-encoded, slashes kept": urllib.parse.quote(KEY),
}
FORMS |= {f"in base64, alignment {lead}": core for lead, core in enumerate(base64_cores(KEY))}
FORMS |= {
    f"in URL-safe base64, alignment {lead}": core.replace("+", "-").replace("/", "_").rstrip("=")
    for lead, core in enumerate(base64_cores(KEY))
    if "+" in core or "/" in core
}


def gather(document, path, into):
    if isinstance(document, str):
        into[path] = into.get(path, "") + document
    elif isinstance(document, list):
        for one in document:
            gather(one, path, into)
    elif isinstance(document, dict):
        for name, one in document.items():
            gather(one, f"{path}.{name}", into)


def put_together(text):
    """What a client makes of a stream's record: the strings at one place of its events, joined."""
    into = {}
    for event in re.findall(r"^data: ?(.*)$", text, re.MULTILINE) or [text]:
        try:
            gather(json.loads(event), "", into)
        except (ValueError, RecursionError):
            into[""] = into.get("", "") + event
    return list(into.values())


def leaks_in(value, joined=True):
    """Names of the forms in which the key can be read from `value`."""
    text = value.decode("utf-8", "replace")
    unescaped = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text).replace("\\/", "/")
    found = [form for form, shape in FORMS.items() if shape in text or shape in unescaped]
    if joined and not found:
        half = len(KEY) // 2
        if KEY[:half] in unescaped and KEY[half:] in unescaped:
            found.append("in two halves")
        else:
            found += [
                f"in parts, {form}"
                for form, shape in FORMS.items()
                if any(shape in whole for whole in put_together(text))
            ]
    return found


def leaks(folder, runs):
    """Where the key lies, as lines: in output, in files as bytes, in the store's values as they are read."""
    found = {}

    def look(place, value, joined=True):
        for form in leaks_in(value, joined):
            found.setdefault(place, []).append(form)

    for number, run in enumerate(runs):
        look(f"stdout of run {number}", run.stdout.encode())
        look(f"stderr of run {number}", run.stderr.encode())
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            look(f"the file {path.relative_to(folder)}", path.read_bytes(), joined=False)
    for path in sorted(folder.glob("*.db")):
        try:
            store = Store(path)
            for place, value in store.values():
                look(f"{path.name}, {place}", value)
            store.close()
        except (sqlite3.Error, ValueError) as error:
            found[f"{path.name}, which could not be searched"] = [str(error)]
    return [f"{place}: {'; '.join(dict.fromkeys(forms))}" for place, forms in found.items()]
