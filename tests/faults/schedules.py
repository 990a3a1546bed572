#!/usr/bin/env python3
"""Random schedules of outages, kills and restarts, and what must be true after each: the store's answers are
those of an undisturbed run, no call was sold twice but those in flight at a kill, no cap was exceeded.

    schedules.py --program build/bin/ridgeline --count 50 --seed 1 [--jobs 2] [--only N]

A schedule is a function of seed and number: `--only N` plays one again.
"""

import argparse
import concurrent.futures
import shutil
import sys
import tempfile
import time
import traceback
from pathlib import Path

import check
from providers import PROVIDERS
from schedule import draw_schedule, reference_run
from schedule_player import Player


def run_one(program, seed, number, references, base):
    folder = base / f"{number:03d}"
    folder.mkdir(parents=True)
    schedule = draw_schedule(seed, number)
    began = time.monotonic()
    player = None
    try:
        player = Player(program, schedule, references[schedule.provider], number, folder)
        player.play()
        problems = player.problems + [
            f"the key lies in {place}" for place in check.leaks(folder, player.runs)
        ]
    except Exception:  # a defect of the harness is a failure too, and the others go on
        problems = ["the harness failed: " + traceback.format_exc()]
    finally:
        if player:
            player.market.stop()
    if not problems:
        shutil.rmtree(folder)
    lines = [
        f"schedule {number}: {schedule.provider}, cap {schedule.cap}, "
        + ", ".join(f"{event.what}@{event.at:.1f}" for event in schedule.events)
        + (
            f"; {len(player.runs)} starts, {len(player.kills)} kills, {player.caps_met} pauses for a cap, "
            f"{len(player.market.sold)} sold of {sum(references[schedule.provider].sold.values())} needed"
            if player
            else ""
        )
        + f"; {time.monotonic() - began:.1f} s; {'FAILED, see ' + str(folder) if problems else 'passed'}"
    ]
    print("\n".join(lines + [f"    {problem}" for problem in problems[:12]]), flush=True)
    return not problems


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/ridgeline"))
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--only", type=int, help="play this one alone")
    arguments = parser.parse_args()
    program = arguments.program.resolve()
    base = Path(tempfile.mkdtemp(prefix="ridgeline-schedules-"))
    numbers = range(arguments.count) if arguments.only is None else [arguments.only]
    references = {}
    for name in dict.fromkeys(draw_schedule(arguments.seed, number).provider for number in numbers):
        folder = base / f"undisturbed-{name}"
        folder.mkdir()
        references[name] = reference_run(program, PROVIDERS[name], folder)
        print(
            f"undisturbed, {name}: {sum(references[name].sold.values())} calls,"
            f" {references[name].need['usd']:.4f} USD",
            flush=True,
        )
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        passed = sum(
            pool.map(lambda number: run_one(program, arguments.seed, number, references, base), numbers)
        )
    failed = len(numbers) - passed
    if not failed:
        shutil.rmtree(base)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
