"""A model's server with a cash register: it answers after a while, sells each whole answer, and has outages.

What it sold is counted twice. `sold`: answers that went out whole. `begun`: the full price of everything that
it set to work on, as a provider counts that does not care whether the caller was still there.
"""

import random
import threading
import time
from dataclasses import dataclass

import answers
from provider import dump
from server import Bill, Reset, Send, Server, Sleep, Stall
from wire import LAST_CHUNK, chunk, response, stream_head

PRICES = {"input": 3.0, "output": 15.0}  # USD a million tokens


@dataclass(frozen=True)
class Sale:
    identity: str  # of the prompt
    text: str
    tokens_in: int
    tokens_out: int
    arrived: float  # time.monotonic() of the request

    @property
    def picodollars(self):
        """Whole numbers: sums have no rounding."""
        return int(self.tokens_in * PRICES["input"] * 1e6) + int(self.tokens_out * PRICES["output"] * 1e6)


def usd(picodollars):
    return picodollars / 1e12


class Market:
    """`latency()` seconds to an answer; `fault(request)`: steps in its place, or None."""

    def __init__(self, provider, seed, latency, fault=None):
        self.provider, self.latency, self.fault = provider, latency, fault
        self.random = random.Random(seed)
        self.lock = threading.Lock()
        self.begun = []
        self.outage = None  # "refuse", "503", "stall"
        self.problems = []
        self.server = Server(self.asked)

    @property
    def sold(self):
        """(when, Sale) of each whole answer."""
        return list(self.server.billed)

    def draw(self):
        with self.lock:
            return self.random.random()

    def asked(self, request):
        prompt = self.provider.read(request)
        outage = self.outage
        if outage == "503":
            return [Send(response(503, dump(self.provider.error(503, "an outage"))))]
        if outage:  # refused at its beginning: this connection was open before
            return [Stall(3.0), Reset()]
        steps = self.fault(self, request, prompt) if self.fault else None
        return steps if steps is not None else self.answer(request, prompt)

    def answer(self, request, prompt):
        """An undisturbed answer."""
        answer = answers.mixed(prompt)
        sale = Sale(prompt.identity, answer.text, answer.input_tokens, answer.output_tokens, request.arrived)
        with self.lock:
            self.begun.append(sale)
        events = self.provider.events(answer)
        middle = len(events) // 2
        wait = self.latency()
        return [
            Sleep(wait / 2),
            Send(stream_head() + b"".join(chunk(one) for one in events[:middle])),
            Sleep(wait / 2),
            Send(b"".join(chunk(one) for one in events[middle:]) + LAST_CHUNK),
            Bill(sale),
        ]

    def begin_outage(self, kind):
        self.outage = kind
        if kind == "refuse":
            self.server.refuse()
        if kind in ("refuse", "cut"):
            self.server.cut_all()  # with what was under way
        if kind == "cut":
            self.outage = None

    def end_outage(self):
        if self.outage == "stall":
            self.server.cut_all()
        self.outage = None
        self.server.heal()

    def stop(self):
        self.server.stop()


def wait_until(true, seconds, step=0.02):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(step)
    return bool(true())
