#!/usr/bin/env python3
"""Every case against every provider, with the shipped program: a table, and a last line `N passed, N failed`.

    matrix.py --program build/bin/ridgeline [--case GLOB] [--provider NAME] [--jobs 2] [--sample N]

Each case is a campaign of four calls, one after another, without code in the answers: nothing is built or
judged. What a failed case left behind stays in the folder that is printed.
"""

import argparse
import concurrent.futures
import dataclasses
import fnmatch
import shutil
import sys
import tempfile
import threading
import time
import traceback
from pathlib import Path

import answers
import campaign
import check
import outcomes
from cases import Context, load
from provider import KEY, MODEL
from providers import PROVIDERS
from server import Send, Server
from wire import good_steps, response

CALLS = 4
REFUSED_SECONDS = 0.5  # how long connections are refused before the endpoint heals by itself


class Scene:
    """The server of one case: gives the fault to the requests that it falls on, and answers the others."""

    def __init__(self, case, provider):
        self.case, self.provider = case, provider
        self.healed = False
        self.problems = []
        self.good_text = ""
        self.seeds = set()
        self.elsewhere = Server(self.asked_elsewhere)
        self.server = Server(self.asked, self.connected, refusing=case.fault is None)

    def falls_on(self, number):
        case = self.case
        return (
            case.fault is not None
            and not self.healed
            and number >= case.at
            and (case.times is None or number < case.at + case.times)
        )

    def connected(self, number):
        if self.case.on_connect and self.falls_on(number):
            return self.case.fault(
                Context(self.provider, None, None, None, self.case.streamed, self.elsewhere.port)
            )
        return []

    def asked(self, request):
        provider = self.provider
        if not provider.target_ok(request.target):
            self.problems.append(f"a request for {request.target}")
        if provider.key_of(request) != KEY:
            self.problems.append("a request without the key in its header")
        if KEY.encode() in request.body or KEY in request.target:
            self.problems.append("the key in a request's body or address")
        if problem := provider.marks_problem(request):
            self.problems.append(problem)
        prompt = provider.read(request)
        if prompt.model != MODEL or prompt.stream != self.case.streamed:
            self.problems.append(f"a request for {prompt.model}, stream {prompt.stream}")
        if prompt.seed is not None:
            self.seeds.add(prompt.seed)
        # Without the seed: whichever call the fault fell on, all good answers are one.
        answer = answers.prose(dataclasses.replace(prompt, seed=None))
        self.good_text = answer.text
        if not self.case.on_connect and self.falls_on(request.number):
            return self.case.fault(
                Context(provider, request, prompt, answer, self.case.streamed, self.elsewhere.port)
            )
        return good_steps(provider, answer, self.case.streamed)

    def asked_elsewhere(self, request):
        self.problems.append("a request went to another host")
        if KEY in str(request.headers) or KEY.encode() in request.body or KEY in request.target:
            self.problems.append("the key went to another host")
        return [Send(response(200, b"{}"))]

    def stop(self):
        self.server.stop()
        self.elsewhere.stop()


def phase(scene, program, arguments, folder, limit):
    """Runs the program once and takes down what it did."""
    requests, connections = len(scene.server.requests), scene.server.connections
    process = campaign.Process(program, arguments, folder)
    if scene.case.fault is None and scene.case.times is not None and not scene.server.accepting:
        threading.Timer(REFUSED_SECONDS, scene.server.heal).start()
    run = process.finish(limit)
    seen = outcomes.Phase(run, len(scene.server.requests) - requests, scene.server.connections - connections)
    if (folder / "faults.db").exists():
        store = check.Store(folder / "faults.db")
        seen.asks, seen.states, seen.failed_attempts = store.asks(), store.states(), store.failed_attempts()
        store.close()
    seen.command = campaign.printed_command(run)
    return seen


def play(program, case, provider, folder):
    """Runs one case in `folder`; returns what is wrong, as lines."""
    scene = Scene(case, provider)
    try:
        outcome = case.outcome_for(provider)
        model = case.model(provider, scene.server.port) if callable(case.model) else case.model
        changes = {"stream": case.streamed, "patience": patience(outcome)} | model
        models = {"m": campaign.model_entry(provider, scene.server.port, **changes)}
        path = campaign.write(folder, models, [{"preset": "best_of_n", "settings": {"n": CALLS}}])
        phases = [phase(scene, program, ["run", str(path)], folder, case.limit)]
        if outcome.needs_healing and phases[0].command and not phases[0].run.hung:
            scene.healed = True
            scene.server.heal()
            phases.append(phase(scene, program, phases[0].command, folder, case.limit))
        return judge(case, outcome, scene, phases, folder)
    finally:
        scene.stop()


def patience(outcome):
    """Patience that outlasts a fault of a few requests, or ends soon where the fault stays."""
    return {"seconds": 0.6 if isinstance(outcome, outcomes.Paused) else 8, "longest_pause": 0.1}


def judge(case, outcome, scene, phases, folder):
    problems = list(dict.fromkeys(scene.problems))
    for number, one in enumerate(phases):
        if one.run.hung:
            problems.append(f"run {number} did not end within {case.limit:.0f} s")
        elif one.run.crashed:
            problems.append(
                f"run {number} crashed: exit status {one.run.exit}; {one.run.stderr.strip()[-200:]}"
            )
    if not problems:
        arrived = [request.arrived for request in scene.server.requests]
        gaps = [after - before for before, after in zip(arrived, arrived[1:])]
        problems += outcome.check(outcomes.Observation(case, CALLS, scene.good_text, phases, gaps))
        if isinstance(outcome, outcomes.Fine) and scene.seeds and len(scene.seeds) != CALLS:
            problems.append(
                f"{len(scene.seeds)} seeds for {CALLS} calls: a router that caches would answer with one text"
            )
    return problems + [
        f"the key lies in {place}" for place in check.leaks(folder, [one.run for one in phases])
    ]


def select(arguments):
    chosen = []
    for case in load().values():
        if not fnmatch.fnmatchcase(case.name, arguments.case):
            continue
        for provider in PROVIDERS.values():
            if case.applies_to(provider) and fnmatch.fnmatchcase(provider.name, arguments.provider):
                chosen.append((case, provider))
    if arguments.sample and arguments.sample < len(chosen):
        step = len(chosen) / arguments.sample
        chosen = [chosen[int(index * step)] for index in range(arguments.sample)]
    return chosen


def run_one(arguments, base, number, case, provider):
    folder = base / f"{number:04d}"
    folder.mkdir(parents=True)
    began = time.monotonic()
    try:
        problems = play(arguments.program, case, provider, folder)
    except Exception:  # a defect of the harness is a failure too, and the others go on
        problems = ["the harness failed: " + traceback.format_exc()]
    if not problems and not arguments.keep:
        shutil.rmtree(folder)
    return case, provider, problems, time.monotonic() - began, folder


def table(results):
    """A line a case, a column a provider: `.` passed, `F` failed, blank where there is no such case."""
    names = list(PROVIDERS)
    cells = {}
    for case, provider, problems, _, _ in results:
        cells.setdefault(case.name, {})[provider.name] = "F" if problems else "."
    width = max((len(name) for name in cells), default=4)
    lines = [f"{'case':{width}}  {'  '.join(names)}"]
    for case, row in cells.items():
        lines.append(
            f"{case:{width}}  " + "  ".join(f"{row.get(name, ''):^{len(name)}}" for name in names).rstrip()
        )
    return "\n".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/ridgeline"))
    parser.add_argument("--case", default="*", help="glob over names of cases")
    parser.add_argument("--provider", default="*", help="glob over providers")
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--sample", type=int, default=0, help="only so many, evenly spread over the whole")
    parser.add_argument("--keep", type=Path, help="a folder for what every case leaves behind")
    parser.add_argument("--list", action="store_true", help="only name the cases")
    arguments = parser.parse_args()
    arguments.program = arguments.program.resolve()
    chosen = select(arguments)
    if arguments.list:
        print("\n".join(dict.fromkeys(case.name for case, _ in chosen)))
        return 0
    base = arguments.keep or Path(tempfile.mkdtemp(prefix="ridgeline-faults-"))
    began, results = time.monotonic(), []
    with concurrent.futures.ThreadPoolExecutor(arguments.jobs) as pool:
        running = [pool.submit(run_one, arguments, base, number, *one) for number, one in enumerate(chosen)]
        for done in concurrent.futures.as_completed(running):
            results.append(done.result())
            case, provider, problems, seconds, folder = results[-1]
            if problems:
                print(f"FAILED {case.name} [{provider.name}] after {seconds:.1f} s, in {folder}")
                print("".join(f"    {problem}\n" for problem in problems), end="", flush=True)
    order = {(case.name, provider.name): index for index, (case, provider) in enumerate(chosen)}
    results.sort(key=lambda one: order[one[0].name, one[1].name])
    failed = sum(bool(problems) for _, _, problems, _, _ in results)
    print(table(results))
    print(
        f"{len({case.name for case, _ in chosen})} cases, {len(chosen)} with their providers, "
        f"{time.monotonic() - began:.0f} s"
    )
    print(f"{len(results) - failed} passed, {failed} failed")
    if not failed and not arguments.keep:
        shutil.rmtree(base, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
