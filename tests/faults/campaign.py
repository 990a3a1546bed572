"""Writes a campaign and runs the shipped program on it: one command, then the one that it prints."""

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

from provider import KEY, MODEL

KEY_VARIABLE = "RIDGELINE_FAULT_KEY"
HERE = Path(__file__).resolve().parent


@dataclass
class Run:
    exit: int  # negative: the signal that ended it
    stdout: str
    stderr: str
    seconds: float
    hung: bool = False

    @property
    def crashed(self):
        return self.exit < 0 or self.exit in (134, 139)


def model_entry(provider, port, **changes):
    """A model of `provider` at the server on `port`. Everything that would take long is short."""
    entry = {
        "provider": provider.name,
        "id": MODEL,
        "base_url": provider.base_url(port),
        "api_key_env": KEY_VARIABLE,
        "stream": True,
        "max_output_tokens": 500,
        "timeouts": {"connect": 2, "first_byte": 0.5, "between_bytes": 0.5, "total": 10},
        "retries": {"attempts": 2, "base": 0.02, "cap": 0.05, "longest": 5},
        "limits": {"concurrency": 1},
        "prices": {"input": 1000, "output": 2000},
    }
    for key, value in changes.items():
        if value is None:
            entry.pop(key, None)
        elif isinstance(value, dict) and isinstance(entry.get(key), dict):
            entry[key] = entry[key] | value
        else:
            entry[key] = value
    return entry


def write(folder, models, strategies, tasks=("relu",), worker=None, **others):
    """The campaign file in `folder`. JSON is YAML, and the standard library writes it."""
    document = {
        "name": "faults",
        "suite": {"tasks": list(tasks)},
        "language": "cpp",
        "strategies": strategies,
        "models": models,
        "worker": worker or {"mailbox": str(folder / "mailbox")},
        "store": str(folder / "faults.db"),
    } | others
    path = folder / "campaign.yaml"
    path.write_text(json.dumps(document, indent=1))
    return path


def worker_that_answers_at_once():
    return {"launcher": shlex.join([sys.executable, "-S", str(HERE / "fake_worker.py")]), "isolation": "none"}


def environment():
    keep = {name: value for name, value in os.environ.items() if not name.lower().endswith("_proxy")}
    return keep | {KEY_VARIABLE: KEY, "NO_COLOR": "1"}


class Process:
    """The program while it runs. `finish` waits for its end."""

    def __init__(self, program, arguments, folder):
        self.began = time.monotonic()
        self.out, self.err = folder / "stdout.txt", folder / "stderr.txt"
        with open(self.out, "wb") as out, open(self.err, "wb") as err:
            self.child = subprocess.Popen(
                [str(program), *arguments],
                cwd=folder,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=err,
                env=environment(),
                start_new_session=True,
            )

    def alive(self):
        return self.child.poll() is None

    def signal(self, number):
        if self.alive():
            self.child.send_signal(number)

    def finish(self, limit):
        hung = False
        try:
            self.child.wait(limit)
        except subprocess.TimeoutExpired:
            hung = True
            self.signal(signal.SIGKILL)
            self.child.wait()
        return Run(
            self.child.returncode,
            self.out.read_text("utf-8", "replace"),
            self.err.read_text("utf-8", "replace"),
            time.monotonic() - self.began,
            hung,
        )


def run(program, arguments, folder, limit):
    return Process(program, arguments, folder).finish(limit)


def printed_command(run):
    """The words after `Go on with:`; [] where no such line was printed."""
    found = re.findall(r"Go on with: (.+)", run.stderr)
    if not found:
        return []
    words = shlex.split(found[-1])
    return words[1:] if words and words[0].split("/")[-1] == "ridgeline" else []
