#!/usr/bin/env python3
"""A campaign of fifty trajectories at once, with a fault on every fifth call, for some minutes. Afterwards
every call is answered, and calls, tokens and money in the store are those that the server counted.

    soak.py --program build/bin/ridgeline --minutes 20 [--provider openai_chat] [--seed 1] [--share 0.2]
"""

import argparse
import collections
import shutil
import sys
import tempfile
import threading
import time
from pathlib import Path

import answers
import campaign
import check
from market import PRICES, Market, usd
from provider import dump, sse
from providers import PROVIDERS
from server import Close, HalfClose, Reset, Send, Sleep, Stall
from wire import HTML, chunk, response, stream_head

AT_ONCE = 50
ROUNDS = 8
TASKS = ("relu", "sigmoid", "gelu", "softmax", "layer_norm")
KINDS = (
    "reset at once",
    "reset in the stream",
    "closed in the stream",
    "half-closed in the stream",
    "429",
    "503",
    "503 page",
    "stall",
    "stall in the stream",
    "bad JSON",
    "no text",
    "bad head",
    "error in the stream",
)


class Pace:
    """Spreads the calls that are left over the time that is left."""

    def __init__(self, seconds, calls):
        self.end, self.calls = time.monotonic() + seconds, calls
        self.market = None

    def __call__(self):
        left = self.end - time.monotonic()
        calls = max(1, self.calls - len(self.market.server.billed))
        if left <= 0:
            return 0.0
        return min(4.0, left * AT_ONCE / calls) * (0.5 + self.market.draw()) * 0.8


def fault_of(kind, market, prompt):
    provider = market.provider
    events = provider.events(answers.mixed(prompt))
    begun = Send(stream_head() + b"".join(chunk(one) for one in events[: len(events) // 2]))
    return {
        "reset at once": [Reset()],
        "reset in the stream": [begun, Sleep(0.02), Reset()],
        "closed in the stream": [begun, Close()],
        "half-closed in the stream": [begun, HalfClose()],
        "429": [
            Send(response(429, dump(provider.error(429, "slow down")), headers=[("Retry-After", "0.1")]))
        ],
        "503": [Send(response(503, dump(provider.error(503, "busy"))))],
        "503 page": [Send(response(503, b"<html>busy</html>", HTML)), Close()],
        "stall": [Stall()],
        "stall in the stream": [begun, Stall()],
        "bad JSON": [begun, Send(chunk(sse(b'{"choices": [{"delta"'))), Close()],
        "no text": [Send(response(200, b"{}"))],
        "bad head": [Send(b"HTTP/1.1 200 OK\r\nno colon\r\n\r\n"), Close()],
        "error in the stream": [
            begun,
            Send(chunk(sse(dump(provider.error(503, "overloaded")), "error"))),
            Close(),
        ],
    }[kind]


class Faults:
    """Every call meets one with probability `share`, until time is up."""

    def __init__(self, share, pace):
        self.share, self.pace = share, pace
        self.counts = collections.Counter()

    def __call__(self, market, request, prompt):
        if time.monotonic() > self.pace.end or market.draw() >= self.share:
            return None
        kind = KINDS[int(market.draw() * len(KINDS))]
        with market.lock:
            self.counts[kind] += 1
        return fault_of(kind, market, prompt)


def plan(minutes):
    """Seeds, and calls in all: enough for fifty at once, a second and a half each."""
    calls = max(2 * AT_ONCE * ROUNDS, int(minutes * 60 * AT_ONCE / 1.6))
    trajectories = -(-calls // ROUNDS)
    seeds = -(-trajectories // (2 * len(TASKS)))
    return list(range(seeds)), seeds * 2 * len(TASKS) * ROUNDS


class Watch:
    """The most memory that the program held, in MiB."""

    def __init__(self, process):
        self.process, self.most = process, 0.0
        threading.Thread(target=self.look, daemon=True).start()

    def look(self):
        while self.process.alive():
            try:
                status = Path(f"/proc/{self.process.child.pid}/status").read_text()
                self.most = max(
                    self.most,
                    *(
                        int(line.split()[1]) / 1024
                        for line in status.splitlines()
                        if line.startswith("VmHWM")
                    ),
                    0.0,
                )
            except (OSError, ValueError):
                return
            time.sleep(1)


def compare(store, sold):
    """What differs between the store's count and the register's."""
    asks = store.asks()
    problems = [
        f"{ask.address}: {ask.status}, {ask.llm_status}: {ask.detail[:150]}"
        for ask in asks
        if ask.llm_status != "answered"
    ]
    problems += [f"a trajectory rests as {state}" for state in store.states() if state != "finished"]
    pairs = (
        ("calls", len(asks), len(sold)),
        ("input tokens", sum(ask.input_tokens for ask in asks), sum(sale.tokens_in for sale in sold)),
        ("output tokens", sum(ask.output_tokens for ask in asks), sum(sale.tokens_out for sale in sold)),
    )
    for what, kept, counted in pairs:
        print(f"{what}: {kept} in the store, {counted} at the server")
        if kept != counted:
            problems.append(f"{what} differ: {kept} in the store, {counted} at the server")
    kept, counted = sum(ask.usd for ask in asks), usd(sum(sale.picodollars for sale in sold))
    print(f"money: {kept:.9f} USD in the store, {counted:.9f} at the server")
    if abs(kept - counted) > 1e-9 * max(1.0, counted):
        problems.append(f"money differs: {kept:.9f} in the store, {counted:.9f} at the server")
    if collections.Counter(ask.text for ask in asks) != collections.Counter(sale.text for sale in sold):
        problems.append("the texts in the store are not those that were sold")
    return problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/ridgeline"))
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--provider", choices=list(PROVIDERS), default="openai_chat")
    parser.add_argument("--share", type=float, default=0.2, help="of calls that meet a fault")
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    provider = PROVIDERS[arguments.provider]
    folder = Path(tempfile.mkdtemp(prefix="ridgeline-soak-"))
    seeds, calls = plan(arguments.minutes)
    pace = Pace(arguments.minutes * 60, calls)
    faults = Faults(arguments.share, pace)
    market = Market(provider, arguments.seed, pace, faults)
    pace.market = market
    entry = campaign.model_entry(
        provider,
        market.server.port,
        prices=PRICES,
        patience={"seconds": 120, "longest_pause": 1},
        timeouts={"first_byte": 10, "between_bytes": 2, "total": 60},
        retries={"attempts": 6, "base": 0.05, "cap": 0.5, "longest": 5},
        limits={"concurrency": AT_ONCE},
    )
    path = campaign.write(
        folder,
        {"m": entry},
        [
            {"preset": "iterative_g_e", "settings": {"rounds": ROUNDS}},
            {"preset": "best_of_n", "settings": {"n": ROUNDS}},
        ],
        tasks=TASKS,
        worker=campaign.worker_that_answers_at_once(),
        seeds=seeds,
        concurrency=AT_ONCE,
    )
    process = campaign.Process(arguments.program.resolve(), ["run", str(path)], folder)
    watch = Watch(process)
    run = process.finish(arguments.minutes * 60 * 2 + 120)
    market.stop()
    problems = []
    if run.hung or run.exit != 0:
        problems.append(
            f"the program {'hung' if run.hung else f'ended with status {run.exit}'}:"
            f" {run.stderr.strip()[-400:]}"
        )
    store = check.Store(folder / "faults.db")
    problems += compare(store, [sale for _, sale in market.sold])
    failed = collections.Counter(store.failed_attempts() or [])
    store.close()
    problems += [f"the key lies in {place}" for place in check.leaks(folder, [run])]
    given = sum(faults.counts.values())
    print(
        f"{run.seconds:.0f} s, {len(market.server.requests)} requests, {given} faults "
        f"({100 * given / max(1, len(market.server.requests)):.1f} %), {watch.most:.0f} MiB at most"
    )
    print("faults: " + ", ".join(f"{kind} {count}" for kind, count in sorted(faults.counts.items())))
    print(
        "failed attempts in the store: "
        + (", ".join(f"{kind} {count}" for kind, count in sorted(failed.items())) or "none")
    )
    # A page that is followed by the connection's end may tear the next request too.
    if not given <= sum(failed.values()) <= given + faults.counts["503 page"]:
        problems.append(f"{given} faults were given, {sum(failed.values())} failed attempts are in the store")
    for problem in problems[:30]:
        print(f"    {problem}")
    if not problems:
        shutil.rmtree(folder)
    print(
        f"{1 if not problems else 0} passed, {1 if problems else 0} failed"
        + (f"; see {folder}" if problems else "")
    )
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
