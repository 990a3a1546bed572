#!/usr/bin/env python3
"""Campaigns with `batch: true` whose program is killed and interrupted at random while the provider fails at random:
each must end with every request answered, and none sold twice.

    batch_schedules.py --program build/bin/ridgeline --count 12 --seed 1 [--faults 0.2] [--jobs 4]

A schedule is a function of seed and number, as far as the clock allows. Counts and takes minutes: not part of CI.
"""
import argparse
import concurrent.futures
import random
import signal
import sqlite3
import sys
import tempfile
import time
from pathlib import Path

from batch_market import Market

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "faults"))
import campaign  # noqa: E402

PROVIDERS = ("openai_chat", "anthropic")
KILLS = 15         # after these it is left alone
LONGEST_LIFE = 5   # seconds until the next kill
LIVES = 60
ALONE = 500        # seconds that it may take when left alone
STRATEGIES = [{"preset": "best_of_n", "settings": {"n": 3}}, {"preset": "iterative_g_e", "settings": {"rounds": 2}}]
REQUESTS = 20      # of these strategies, with two tasks and two seeds
USD = REQUESTS * (10 * 1000 + 20 * 2000) / 1e6 / 2


def entry(provider, port):
    return {"provider": provider, "id": "model", "base_url": f"http://127.0.0.1:{port}/v1",
            "api_key_env": campaign.KEY_VARIABLE, "batch": True, "batch_window": 0.3, "max_output_tokens": 500,
            "retries": {"attempts": 8, "base": 0.1, "cap": 0.2}, "prices": {"input": 1000, "output": 2000}}


def live(program, path, folder, rng, limit):
    """One life of the program; its exit, or None where it was killed or interrupted."""
    process = campaign.Process(program, ["run", str(path)], folder)
    end = time.monotonic() + limit
    while process.alive() and time.monotonic() < end:
        time.sleep(0.02)
    if not process.alive():
        return process.finish(5)
    process.signal(signal.SIGKILL if rng.random() < 0.7 else signal.SIGINT)
    if process.finish(30).hung:
        raise AssertionError("it did not end when it was interrupted")
    return None


def play(program, seed, number, faults):
    rng = random.Random(f"{seed}/{number}")
    provider = PROVIDERS[number % 2]
    market = Market(provider, faults, f"{seed}/{number}/market")
    with tempfile.TemporaryDirectory(prefix="ridgeline-batches-") as name:
        folder = Path(name)
        path = campaign.write(folder, {"m": entry(provider, market.port)}, STRATEGIES, tasks=("relu", "sigmoid"),
                              worker=campaign.worker_that_answers_at_once(), seeds=[0, 1])
        kills = 0
        for _ in range(LIVES):
            run = live(program, path, folder, rng, rng.uniform(0.2, LONGEST_LIFE) if kills < KILLS else ALONE)
            kills += run is None
            if run and run.exit == 0:
                break
            if run and run.exit not in (4, 130):
                raise AssertionError(f"exit {run.exit}: {run.stderr[-500:]}")
        else:
            raise AssertionError(f"no end after {LIVES} starts")
        answers, usd = sqlite3.connect(folder / "faults.db").execute("select count(*), sum(usd) from asks").fetchone()
    market.close()
    twice = [id for id, count in market.sold.items() if count > 1]
    if twice or answers != REQUESTS or len(market.sold) != REQUESTS or abs(usd - USD) > 1e-9:
        raise AssertionError(f"{len(twice)} sold twice, {len(market.sold)} sold, {answers} answers, {usd} USD")
    return f"{provider}: {kills} kills, {len(market.batches)} batches, {answers} answers, none sold twice"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", type=Path, required=True)
    parser.add_argument("--count", type=int, default=12)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--faults", type=float, default=0.2)
    parser.add_argument("--jobs", type=int, default=4)
    options = parser.parse_args()
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        plays = {pool.submit(play, options.program.resolve(), options.seed, number, options.faults): number
                 for number in range(options.count)}
        for done in concurrent.futures.as_completed(plays):
            problem = done.exception()
            failed += problem is not None
            print(plays[done], f"FAILED: {problem}" if problem else done.result(), flush=True)
    print(f"{options.count - failed} of {options.count} schedules ended as they must")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
