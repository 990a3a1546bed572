#!/usr/bin/env python3
"""A campaign of kernel_agent, whose first correct kernel cancels the rest, with kill -9 in between: no resume
walks another way than its journal, and nothing that is on record is bought again.

    first_success.py --program build/bin/ridgeline [--kills 6] [--seed 1] [--provider openai_chat]
"""

import argparse
import collections
import json
import random
import shutil
import signal
import sys
import tempfile
import time
from pathlib import Path

import campaign
import check
from market import PRICES, Market, usd, wait_until
from providers import PROVIDERS

TASKS = ("relu", "sigmoid", "gelu")
SEEDS = list(range(8))


def events_of(store):
    """For each trajectory what its strategy saw and decided, in order."""
    found = collections.defaultdict(list)
    for trajectory, event, step, slot in store.rows(
        "SELECT trajectory, event, step, slot FROM effect_events ORDER BY trajectory, ordinal"
    ):
        found[trajectory].append((event.decode(), step, slot))
    return found


def changed_walks(before, now):
    return [
        f"trajectory {trajectory}: {events} was on record, and {now[trajectory]} is now"
        for trajectory, events in before.items()
        if now[trajectory][: len(events)] != events
    ]


def bodies_of(store):
    """What was sent for each request that has its record, cancelled or answered."""
    return {check.decompressed(body) for (body,) in store.rows("SELECT raw_request FROM asks")} - {b""}


def asked_again(requests, on_record):
    """`on_record`: for each kill its time, and what was on record after it."""
    received = {request.body for request in requests}
    answered = len(on_record[-1][1] & received)
    if answered == 0:  # else a call may be broken off before its request arrives
        return ["what is on record as sent is not what the server received"]
    return [
        f"a request that was on record was sent again {request.arrived - killed:.2f} s after kill {number}"
        for number, (killed, bodies) in enumerate(on_record)
        for request in requests
        if request.arrived > killed and request.body in bodies
    ]


def wrong_ends(store):
    """Each request ends in exactly one way, and after a correct kernel was seen nothing is begun."""
    problems = [
        f"{count.decode()} with {status.decode()}"
        for status, count in store.rows(
            "SELECT status, CAST(count(*) AS TEXT) FROM asks WHERE status NOT IN"
            " ('kernel', 'no_code', 'cancelled') GROUP BY status"
        )
    ]
    unexplained = store.rows(
        "SELECT count(*) FROM asks a WHERE status = 'cancelled' AND NOT EXISTS (SELECT 1 FROM effect_events e"
        " WHERE e.trajectory = a.trajectory AND e.step = a.step AND e.event = 'cancelled')"
    )[0][0]
    if unexplained:
        problems.append(f"{unexplained} asks are cancelled without an event that says why")
    for trajectory, steps in store.rows(
        "SELECT trajectory, max(step) + 1 - count(*) FROM asks GROUP BY trajectory"
    ):
        if steps:
            problems.append(f"trajectory {trajectory}: {steps} requests have no record")
    left = store.rows("SELECT count(*) FROM started_calls")[0][0]
    if left:
        problems.append(f"{left} calls are under way though the campaign has ended")
    return problems


def unpaid(store, market):
    """What the server set to work on must count against caps, whoever stayed for the answer."""
    counted = store.rows(
        "SELECT (SELECT sum(usd + unsettled_usd) FROM asks)"
        " + coalesce((SELECT sum(usd + unsettled_usd) FROM failed_attempts), 0)"
    )[0][0]
    begun = usd(sum(sale.picodollars for sale in market.begun))
    print(f"money: {counted:.6f} USD counted at most, {begun:.6f} begun at the server")
    return [] if counted >= begun - 1e-9 else ["work that the server began is not counted"]


def told_by_commands(program, folder, runs):
    """`show`, `compare` and `export` work on the store, and name every request that was cancelled."""

    def told(*words):
        runs.append(campaign.run(program, [words[0], "faults.db", *words[1:]], folder, 60))
        return runs[-1]

    problems = [
        f"ridgeline {one.stderr.strip()[-300:]} ended with {one.exit}"
        for one in (told("show"), told("compare"), told("export", "--format", "kbx"))
        if one.exit != 0
    ]
    store = check.Store(folder / "faults.db")
    events = events_of(store)
    store.close()
    cancelled = {key: sum(kind == "cancelled" for kind, *_ in one) for key, one in events.items()}
    trajectory = max(cancelled, key=cancelled.get)
    attempts = json.loads(told("show", str(trajectory), "--json").stdout)["attempts"]
    shown = [one["cancelled"] for one in attempts if "cancelled" in one]
    if shown != ["the kernel of another seed is correct"] * cancelled[trajectory]:
        problems.append(f"show tells of {shown}, and {cancelled[trajectory]} were cancelled")
    lines = [json.loads(line) for line in told("export", "--format", "jsonl").stdout.splitlines()]
    exported = sum(line["cancelled"] is not None for line in lines)
    if exported != sum(cancelled.values()):
        problems.append(f"the export has {exported} cancelled, the store {sum(cancelled.values())}")
    return problems


def play(program, folder, market, kills, draw):
    entry = campaign.model_entry(
        market.provider,
        market.server.port,
        prices=PRICES,
        timeouts={"first_byte": 10, "between_bytes": 5, "total": 60},
        limits={"concurrency": 12},
    )
    path = campaign.write(
        folder,
        {"m": entry},
        [{"preset": "kernel_agent", "settings": {"rounds": 6}}],
        tasks=TASKS,
        worker=campaign.worker_that_answers_at_once(),
        seeds=SEEDS,
        concurrency=4,
        budget={"total": {"usd": 1000}},
    )
    problems, runs, on_record = [], [], []
    known = collections.defaultdict(list)
    for number in range(kills + 1):
        process = campaign.Process(program, ["run", str(path)], folder)
        if number < kills:
            sold = len(market.sold)
            wait_until(lambda: len(market.sold) > sold + 1 or not process.alive(), 20)
            time.sleep(draw() * 0.3)
            # Every third is interrupted in order, and lets its calls come to their end.
            process.signal(signal.SIGINT if number % 3 == 2 else signal.SIGKILL)
        runs.append(process.finish(120))
        last = runs[-1]
        expected = (0, 130, -signal.SIGKILL, -signal.SIGINT)  # the last: while it exits
        if last.hung or last.exit not in expected:
            problems.append(f"run {number} ended with {last.exit}: {last.stderr.strip()[-300:]}")
        if not (folder / "faults.db").exists():
            continue
        store = check.Store(folder / "faults.db")
        now = events_of(store)
        on_record.append((time.monotonic(), bodies_of(store)))
        store.close()
        problems += changed_walks(known, now)
        known = now
    if runs[-1].exit != 0:
        problems.append(f"the last run ended with {runs[-1].exit}")
    return path, problems, runs, on_record


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/ridgeline"))
    parser.add_argument("--provider", choices=list(PROVIDERS), default="openai_chat")
    parser.add_argument("--kills", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    folder = Path(tempfile.mkdtemp(prefix="ridgeline-first-success-"))
    draw = random.Random(arguments.seed).random
    market = Market(PROVIDERS[arguments.provider], arguments.seed, lambda: 0.05 + 0.4 * market.draw())
    path, problems, runs, on_record = play(program, folder, market, arguments.kills, draw)
    before = len(market.server.requests)
    runs.append(campaign.run(program, ["run", str(path)], folder, 60))
    if runs[-1].exit != 0 or len(market.server.requests) != before:
        problems.append("a finished campaign asks again")
    market.stop()
    problems += asked_again(market.server.requests, on_record)
    store = check.Store(folder / "faults.db")
    problems += [f"a trajectory rests as {state}" for state in store.states() if state != "finished"]
    problems += wrong_ends(store) + unpaid(store, market)
    counts = dict(store.rows("SELECT status, count(*) FROM asks GROUP BY status"))
    broken_off = store.rows(
        "SELECT count(*) FROM asks WHERE status = 'cancelled' AND llm_status <> ''"
    )[0][0]
    store.close()
    if broken_off == 0:
        problems.append("no call was broken off: the test shows nothing")
    problems += told_by_commands(program, folder, runs)
    problems += [f"the key lies in {place}" for place in check.leaks(folder, runs)]
    print(
        f"{arguments.kills} kills and interruptions, {len(market.sold)} answers sold, "
        f"{broken_off} calls broken off; "
        + ", ".join(f"{count} {status.decode()}" for status, count in sorted(counts.items()))
    )
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
