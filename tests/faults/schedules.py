#!/usr/bin/env python3
"""Random schedules of outages, kills and restarts, and what must be true after each: the store's answers are those of an
undisturbed run, no call was sold twice but those in flight at a kill, and no cap was exceeded.

    schedules.py --program build/bin/ridgeline --count 50 --seed 1 [--jobs 2] [--only N]

A schedule is a function of seed and number: `--only N` plays one again.
"""
import argparse
import collections
import concurrent.futures
import os
import random
import shutil
import signal
import sys
import tempfile
import time
import traceback
from dataclasses import dataclass
from pathlib import Path

import campaign
import check
from market import PRICES, Market, usd
from outcomes import PAUSED
from providers import PROVIDERS

INTERRUPTED = 130
LIVES = 60             # starts of the program until a schedule counts as going round in circles
LIFE_SECONDS = 60
COMMITTED_AFTER = 1.5  # seconds after which a sold answer must be in the store, on a busy machine
MAX_OUTPUT = 500
STRATEGIES = [{"preset": "best_of_n", "settings": {"n": 3}}, {"preset": "iterative_g_e", "settings": {"rounds": 4}},
              {"preset": "geak", "settings": {"rounds": 3}}]
TASKS, SEEDS = ("relu", "sigmoid"), [0, 1]  # with the strategies: twelve trajectories


@dataclass(frozen=True)
class Event:
    at: float
    what: str             # "kill", "interrupt", "worker" (killed), "cut", or an outage: "refuse", "503", "stall"
    seconds: float = 0.0  # of an outage


@dataclass(frozen=True)
class Schedule:
    provider: str
    events: tuple
    cap: str  # of money: "none", "tight" (just above what is needed) or "low" (below it); "tokens": of tokens, below it


def draw_schedule(seed, number):
    rng = random.Random(f"{seed}/{number}")
    events = []
    for _ in range(rng.randint(3, 8)):
        what = rng.choice(("kill", "kill", "kill", "interrupt", "worker", "cut", "refuse", "503", "stall"))
        events.append(Event(rng.uniform(0.1, 7.0), what, rng.uniform(0.2, 2.5)))
    return Schedule(list(PROVIDERS)[number % len(PROVIDERS)], tuple(sorted(events, key=lambda event: event.at)),
                    rng.choice(("none", "none", "tight", "low", "tokens")))


def write_campaign(folder, market, unit="usd", cap=None):
    entry = campaign.model_entry(market.provider, market.server.port, prices=PRICES, max_output_tokens=MAX_OUTPUT,
                                 patience={"seconds": 1.0, "longest_pause": 0.2},
                                 timeouts={"first_byte": 5, "between_bytes": 5, "total": 20},
                                 retries={"attempts": 3, "base": 0.02, "cap": 0.1, "longest": 5}, limits={"concurrency": 4})
    others = {"budget": {"total": {unit: cap}}} if cap is not None else {}
    return campaign.write(folder, {"m": entry}, STRATEGIES, tasks=TASKS, worker=campaign.worker_that_answers_at_once(),
                          seeds=SEEDS, **others)


@dataclass
class Reference:
    """An undisturbed run: its answers by address, how often each prompt was sold, and what all of it cost, by unit."""
    answers: dict
    sold: collections.Counter
    need: dict
    dearest: dict  # the most that one call may cost


def spent(sales):
    return {"usd": usd(sum(sale.picodollars for sale in sales)),
            "tokens": sum(sale.tokens_in + sale.tokens_out for sale in sales)}


def first_cap(kind, reference, rng):
    """Its unit and the cap; None for none."""
    unit = "tokens" if kind == "tokens" else "usd"
    need, dearest = reference.need[unit], reference.dearest[unit]
    if kind == "none":
        return unit, None
    cap = need + 1.05 * dearest if kind == "tight" else rng.uniform(0.3, 0.8) * need + dearest
    return unit, int(cap) if unit == "tokens" else cap


def kill_children(pid):
    """The program's workers."""
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except OSError:
        return
    for child in children:
        try:
            os.kill(int(child), signal.SIGKILL)
        except ProcessLookupError:
            pass


def answers_of(store):
    return {ask.address: (ask.status, ask.llm_status, ask.text) for ask in store.asks()}


def reference_run(program, provider, folder):
    market = Market(provider, 0, lambda: 0.0)
    try:
        run = campaign.run(program, ["run", str(write_campaign(folder, market))], folder, LIFE_SECONDS)
        if run.exit != 0:
            raise RuntimeError(f"the undisturbed run ended with status {run.exit}: {run.stderr[-500:]}")
        store = check.Store(folder / "faults.db")
        answers = answers_of(store)
        prompts = max(len(ask.prompt.encode()) for ask in store.asks())
        store.close()
        sold = [sale for _, sale in market.sold]
        dearest = {"usd": ((prompts + 200) * PRICES["input"] + MAX_OUTPUT * PRICES["output"]) / 1e6,
                   "tokens": prompts + 200 + MAX_OUTPUT}
        return Reference(answers, collections.Counter(sale.identity for sale in sold), spent(sold), dearest)
    finally:
        market.stop()


class Player:
    """Plays one schedule: starts the program over and over until it ends with status 0."""

    def __init__(self, program, schedule, reference, number, folder):
        self.program, self.schedule, self.reference, self.folder = program, schedule, reference, folder
        self.market = Market(PROVIDERS[schedule.provider], number, lambda: 0.1 + 0.6 * self.market.draw())
        self.unit, self.cap = first_cap(schedule.cap, reference, random.Random(number))
        self.path = write_campaign(folder, self.market, self.unit, self.cap)
        self.events = list(schedule.events)
        self.outage_ends = None
        self.began = time.monotonic()
        self.kills, self.runs, self.problems = [], [], []
        self.caps_met = 0

    def tick(self, process):
        """Does what is due."""
        now = time.monotonic()
        if self.outage_ends is not None and now >= self.outage_ends:
            self.market.end_outage()
            self.outage_ends = None
        while self.events and now - self.began >= self.events[0].at:
            event = self.events.pop(0)
            if event.what in ("kill", "interrupt"):
                if process.alive():
                    self.kills.append(now)
                    process.signal(signal.SIGKILL if event.what == "kill" else signal.SIGINT)
                    return
            elif event.what == "worker":
                kill_children(process.child.pid)
            elif self.outage_ends is None:
                self.market.begin_outage(event.what)
                if event.what != "cut":
                    self.outage_ends = now + event.seconds

    def life(self, command):
        process = campaign.Process(self.program, command, self.folder)
        kills = len(self.kills)
        while process.alive() and time.monotonic() - process.began < LIFE_SECONDS:
            self.tick(process)
            time.sleep(0.01)
        run = process.finish(0.1)
        self.runs.append(run)
        return run, len(self.kills) > kills

    def play(self):
        command = ["run", str(self.path)]
        for _ in range(LIVES):
            run, hit = self.life(command)
            if run.hung:
                return self.problem(f"a run did not end within {LIFE_SECONDS} s")
            self.check_cap()
            if run.exit == 0:
                return self.final()
            if run.exit == -signal.SIGKILL and hit:
                continue
            if run.exit == -signal.SIGINT and hit and run.seconds < 0.5:
                continue  # interrupted before it had begun
            if not (run.exit == PAUSED or run.exit == INTERRUPTED and hit):
                return self.problem(f"a run ended with status {run.exit}: {run.stderr.strip()[-400:]}")
            command = campaign.printed_command(run)
            if not command:
                return self.problem(f"status {run.exit} without a command to go on with: {run.stderr.strip()[-400:]}")
            if run.exit == PAUSED:
                self.hear_cap(command)
        return self.problem(f"not finished after {LIVES} starts; the last one said: {self.runs[-1].stderr.strip()[-300:]}")

    def hear_cap(self, command):
        """A campaign that a cap has paused prints a command that grants more."""
        granted = [float(word.split("=")[1]) for word in command if word.startswith(f"budget.total.{self.unit}=")]
        if self.cap is not None and granted and granted[-1] != self.cap:
            self.caps_met += 1
            self.cap = granted[-1]

    def check_cap(self):
        begun = self.begun()
        if self.cap is not None and begun > self.cap + 1e-12:
            self.problem(f"the cap of {self.cap:.6f} {self.unit} is exceeded: {begun:.6f} were set to work")

    def begun(self):
        with self.market.lock:
            return spent(self.market.begun)[self.unit]

    def problem(self, text):
        self.problems.append(text)

    def final(self):
        store = check.Store(self.folder / "faults.db")
        try:
            self.compare_answers(answers_of(store))
            self.problems += [f"a trajectory rests as {state}" for state in store.states() if state != "finished"]
            if "started_calls" in store.tables() and store.rows("SELECT * FROM started_calls"):
                self.problem("calls are said to be under way after the end")
            self.compare_money(store)
        finally:
            store.close()
        self.check_sold_twice()
        if self.schedule.cap in ("low", "tokens") and not self.caps_met:
            self.problem("a cap below what is needed never paused the campaign")

    def compare_answers(self, found):
        wanted = self.reference.answers
        for address in sorted(wanted.keys() | found.keys()):
            if found.get(address) != wanted.get(address):
                self.problem(f"{address}: {str(found.get(address))[:150]}, undisturbed {str(wanted.get(address))[:150]}")

    def compare_money(self, store):
        """What may have been paid for is never left out; without a cap nothing is reserved, and calls that a kill cut
        off are unknown to the store."""
        if self.schedule.cap == "none":
            return
        sums = {"usd": "usd + unsettled_usd", "tokens": "input_tokens + output_tokens + unsettled_tokens"}[self.unit]
        kept, lost = (store.rows(f"SELECT coalesce(sum({sums}), 0) FROM {table}")[0][0] for table in ("asks", "failed_attempts"))
        begun = self.begun()
        if kept + lost < begun - 1e-9:
            self.problem(f"the store knows of {kept:.6f} + {lost:.6f} {self.unit}, {begun:.6f} were set to work")

    def check_sold_twice(self):
        sales = collections.defaultdict(list)
        for when, sale in self.market.sold:
            sales[sale.identity].append((sale.arrived, when))
        for identity, times in sales.items():
            extra = len(times) - self.reference.sold[identity]
            lost = sum(any(arrived < kill < when + COMMITTED_AFTER for kill in self.kills) for arrived, when in times)
            if extra > lost:
                self.problem(f"prompt {identity} was sold {len(times)} times, {self.reference.sold[identity]} are needed, "
                             f"{lost} were in flight at a kill")


def run_one(program, seed, number, references, base):
    folder = base / f"{number:03d}"
    folder.mkdir(parents=True)
    schedule = draw_schedule(seed, number)
    began = time.monotonic()
    player = None
    try:
        player = Player(program, schedule, references[schedule.provider], number, folder)
        player.play()
        problems = player.problems + [f"the key lies in {place}" for place in check.leaks(folder, player.runs)]
    except Exception:  # a defect of the harness is a failure too, and the others go on
        problems = ["the harness failed: " + traceback.format_exc()]
    finally:
        if player:
            player.market.stop()
    if not problems:
        shutil.rmtree(folder)
    lines = [f"schedule {number}: {schedule.provider}, cap {schedule.cap}, "
             + ", ".join(f"{event.what}@{event.at:.1f}" for event in schedule.events)
             + (f"; {len(player.runs)} starts, {len(player.kills)} kills, {player.caps_met} pauses for a cap, "
                f"{len(player.market.sold)} sold of {sum(references[schedule.provider].sold.values())} needed" if player else "")
             + f"; {time.monotonic() - began:.1f} s; {'FAILED, see ' + str(folder) if problems else 'passed'}"]
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
        print(f"undisturbed, {name}: {sum(references[name].sold.values())} calls, {references[name].need['usd']:.4f} USD", flush=True)
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        passed = sum(pool.map(lambda number: run_one(program, arguments.seed, number, references, base), numbers))
    failed = len(numbers) - passed
    if not failed:
        shutil.rmtree(base)
    print(f"{passed} passed, {failed} failed")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
