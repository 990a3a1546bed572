"""Plays one schedule: disturbs the program, starts it again until it is done, looks at what it left."""

import collections
import os
import random
import signal
import time
from pathlib import Path

import campaign
import check
from market import Market
from outcomes import PAUSED
from providers import PROVIDERS
from schedule import LIFE_SECONDS, answers_of, first_cap, spent, write_campaign

INTERRUPTED = 130
LIVES = 60  # starts of the program until a schedule counts as going round in circles
COMMITTED_AFTER = 1.5  # seconds after which a sold answer must be in the store, on a busy machine


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
                return self.problem(
                    f"status {run.exit} without a command to go on with: {run.stderr.strip()[-400:]}"
                )
            if run.exit == PAUSED:
                self.hear_cap(command)
        return self.problem(
            f"not finished after {LIVES} starts; the last one said: {self.runs[-1].stderr.strip()[-300:]}"
        )

    def hear_cap(self, command):
        """A campaign that a cap has paused prints a command that grants more."""
        granted = [
            float(word.split("=")[1]) for word in command if word.startswith(f"budget.total.{self.unit}=")
        ]
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
            self.problems += [
                f"a trajectory rests as {state}" for state in store.states() if state != "finished"
            ]
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
                self.problem(
                    f"{address}: {str(found.get(address))[:150]},"
                    f" undisturbed {str(wanted.get(address))[:150]}"
                )

    def compare_money(self, store):
        """What may have been paid for is never left out. Without a cap nothing is put on record before a
        call, and the store does not know of those that a kill cut off."""
        if self.schedule.cap == "none":
            return
        sums = {"usd": "usd + unsettled_usd", "tokens": "input_tokens + output_tokens + unsettled_tokens"}[
            self.unit
        ]
        kept, lost = (
            store.rows(f"SELECT coalesce(sum({sums}), 0) FROM {table}")[0][0]
            for table in ("asks", "failed_attempts")
        )
        begun = self.begun()
        if kept + lost < begun - 1e-9:
            self.problem(
                f"the store knows of {kept:.6f} + {lost:.6f} {self.unit}, {begun:.6f} were set to work"
            )

    def check_sold_twice(self):
        sales = collections.defaultdict(list)
        for when, sale in self.market.sold:
            sales[sale.identity].append((sale.arrived, when))
        for identity, times in sales.items():
            extra = len(times) - self.reference.sold[identity]
            lost = sum(
                any(arrived < kill < when + COMMITTED_AFTER for kill in self.kills) for arrived, when in times
            )
            if extra > lost:
                self.problem(
                    f"prompt {identity} was sold {len(times)} times,"
                    f" {self.reference.sold[identity]} are needed, "
                    f"{lost} were in flight at a kill"
                )
