"""The stages of a submission, each in a process of its own: `perform` is called in it, and its way of ending is the
stage's. What is reported before a candidate is loaded is ours; what is reported after is the candidate's word."""

import contextlib
import json
import os
import random
import runpy
import shutil
import sys

from ridgeline_submissions import comparing, entry, perf_script, quality, values

SEPARATOR = "#" * 146


def _report(descriptor, message):
    data = json.dumps(message).encode()
    while data:
        data = data[os.write(descriptor, data):]
    os.close(descriptor)


def _device(settings):
    if settings["device"] != "cpu":
        return contextlib.nullcontext()
    from ridgeline_submissions import on_cpu

    return on_cpu.mapped()


def _seed():
    import torch

    seed = 0  # its scripts' default
    random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def _prepare(job, settings, *first):
    """Where its scripts would run: the clone's root, with data on the path."""
    os.chdir(job["folder"])
    clone = settings["clone"]
    sys.path[:0] = [*first, os.path.join(clone, "data")]
    os.environ["TRITON_CACHE_DIR"] = os.path.join(settings["folder"], "triton")


def _written(job, settings, folder):
    """The file that runs: candidate, separator, test."""
    folder = os.path.join(settings["folder"], folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path = os.path.join(folder, job["stem"] + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(job["candidate"] + "\n" + SEPARATOR + "\n" + job["test"])
    return path


def _probe(job, settings, report):
    import torch

    with _device(settings):
        there = torch.cuda.is_available()
        said = {"cuda": there, "card": torch.cuda.get_device_name(0) if there and settings["device"] != "cpu" else ""}
        if there and settings["device"] != "cpu":
            torch.ones(1, device="cuda").item()
    _report(report, said)


def _call(job, settings, report):
    missing = entry.missing(job["candidate"].split(SEPARATOR)[0], job["stem"])
    _report(report, {"entry": missing})
    if missing:
        sys.exit(1)
    path = _written(job, settings, "call")
    _prepare(job, settings, os.path.dirname(path))
    sys.argv[:] = [path]
    with _device(settings):
        runpy.run_path(path, run_name="__main__")


def _ran(path):
    _seed()
    return runpy.run_path(path, run_name="__main__").get("test_results")


def _execute(job, settings, report):
    """As its script does, candidate and reference in one process; and the candidate's results kept for `_compare`."""
    path = _written(job, settings, "execute")
    _prepare(job, settings, os.path.join(settings["clone"], "EVAL"))
    sys.path.append(os.path.join(settings["clone"], "utils"))
    sys.argv[:] = [path]
    told = {"ran": False, "error": "", "shared": False}
    with _device(settings):
        try:
            ours = _ran(path)
            values.keep(ours, os.path.join(settings["folder"], "values"))
            told["ran"] = ours is not None
            theirs = _ran(job["reference"])
            if ours is None or theirs is None:
                raise AssertionError("missing `test_results` in one or both files")
            comparing.compare(ours, theirs, job["gates"])
            told["shared"] = True
        except Exception as error:
            told["error"] = str(error) or type(error).__name__
    _report(report, told)


def _compare(job, settings, report):
    """In a process without a candidate: its kept results against the reference's."""
    _prepare(job, settings, os.path.join(settings["clone"], "EVAL"))
    sys.path.append(os.path.join(settings["clone"], "utils"))
    sys.argv[:] = [job["reference"]]
    told = {"same": False, "error": "", "figures": None}
    with _device(settings):
        try:
            theirs = _ran(job["reference"])
            ours = values.kept(os.path.join(settings["folder"], "values"))
            if theirs is None:
                raise AssertionError("missing `test_results` in one or both files")
            if job["gates"]:
                told["figures"] = comparing.worst_figures(ours, theirs)
            comparing.compare(ours, theirs, job["gates"])
            told["same"] = True
        except Exception as error:
            told["error"] = str(error) or type(error).__name__
    _report(report, told)


def _quality(job, settings, report):
    _report(report, {"quality": quality.figures(job["candidate"] + "\n" + SEPARATOR + "\n" + job["test"])})


def _perform(job, settings, report):
    folder = os.path.join(settings["folder"], "perf")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    script = perf_script.write(job, settings["clone"], folder)
    os.environ["KERNELBENCHX_RESULTS_PATH"] = folder
    _prepare(job, settings, folder)
    sys.argv[:] = [script]
    with _device(settings):
        if settings["device"] == "cpu":
            from ridgeline_submissions import on_cpu

            on_cpu.time_by_the_clock()
        try:
            runpy.run_path(script, run_name="__main__")
        finally:
            _report(report, perf_script.results(folder, job["stem"]))


STAGES = {"probe": _probe, "call": _call, "execute": _execute, "compare": _compare, "quality": _quality,
          "perform": _perform}


def perform(job, settings, report):
    if job.get("fresh"):  # of another submission before: its kernels, its results
        for name in ("triton", "values"):
            path = os.path.join(settings["folder"], name)
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
    STAGES[job["stage"]](job, settings, report)
