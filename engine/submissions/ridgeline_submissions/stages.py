"""The stages of a submission, each in a process of its own: `perform` is called in it, and its way of ending is the
stage's. What is reported before a candidate is loaded is ours; what is reported after is the candidate's word."""

import contextlib
import json
import os
import random
import runpy
import shutil
import sys

from ridgeline_submissions import comparing, entry_point, perf_script, quality, values

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

    seed = 0  # the default of KernelBench-X's scripts
    random.seed(seed)
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed_all(seed)


def _prepare(request, settings, *first):
    """Where KernelBench-X's scripts would run: the clone's root, with data on the path."""
    os.chdir(request["folder"])
    clone = settings["clone"]
    sys.path[:0] = [*first, os.path.join(clone, "data")]
    os.environ["TRITON_CACHE_DIR"] = os.path.join(settings["folder"], "triton")


def _written(request, settings, folder):
    """The file that runs: candidate, separator, test."""
    folder = os.path.join(settings["folder"], folder)
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    path = os.path.join(folder, request["stem"] + ".py")
    with open(path, "w", encoding="utf-8") as file:
        file.write(request["candidate"] + "\n" + SEPARATOR + "\n" + request["test"])
    return path


def _probe(request, settings, report):
    import torch

    with _device(settings):
        there = torch.cuda.is_available()
        said = {"cuda": there, "card": torch.cuda.get_device_name(0) if there and settings["device"] != "cpu" else ""}
        if there and settings["device"] != "cpu":
            torch.ones(1, device="cuda").item()
    _report(report, said)


def _call(request, settings, report):
    missing = entry_point.missing(request["candidate"].split(SEPARATOR)[0], request["stem"])
    _report(report, {"missing_entry_point": missing})
    if missing:
        sys.exit(1)
    path = _written(request, settings, "call")
    _prepare(request, settings, os.path.dirname(path))
    sys.argv[:] = [path]
    with _device(settings):
        runpy.run_path(path, run_name="__main__")


def _ran(path):
    _seed()
    return runpy.run_path(path, run_name="__main__").get("test_results")


def _execute(request, settings, report):
    """As KernelBench-X does: candidate and reference in one process. Keeps the candidate's results for `_compare`."""
    path = _written(request, settings, "execute")
    _prepare(request, settings, os.path.join(settings["clone"], "EVAL"))
    sys.path.append(os.path.join(settings["clone"], "utils"))
    sys.argv[:] = [path]
    told = {"ran": False, "error": "", "shared": False}
    with _device(settings):
        try:
            ours = _ran(path)
            values.keep(ours, os.path.join(settings["folder"], "values"))
            told["ran"] = ours is not None
            theirs = _ran(request["reference"])
            if ours is None or theirs is None:
                raise AssertionError("missing `test_results` in one or both files")
            comparing.compare(ours, theirs, request["gates"])
            told["shared"] = True
        except Exception as error:
            told["error"] = str(error) or type(error).__name__
    _report(report, told)


def _compare(request, settings, report):
    """In a process without a candidate: its kept results against the reference's."""
    _prepare(request, settings, os.path.join(settings["clone"], "EVAL"))
    sys.path.append(os.path.join(settings["clone"], "utils"))
    sys.argv[:] = [request["reference"]]
    told = {"same": False, "error": "", "figures": None}
    with _device(settings):
        try:
            theirs = _ran(request["reference"])
            ours = values.kept(os.path.join(settings["folder"], "values"))
            if theirs is None:
                raise AssertionError("missing `test_results` in one or both files")
            if request["gates"]:
                told["figures"] = comparing.worst_figures(ours, theirs)
            comparing.compare(ours, theirs, request["gates"])
            told["same"] = True
        except Exception as error:
            told["error"] = str(error) or type(error).__name__
    _report(report, told)


def _quality(request, settings, report):
    _report(report, {"quality": quality.figures(request["candidate"] + "\n" + SEPARATOR + "\n" + request["test"])})


def _perform(request, settings, report):
    folder = os.path.join(settings["folder"], "perf")
    shutil.rmtree(folder, ignore_errors=True)
    os.makedirs(folder)
    script = perf_script.write(request, settings["clone"], folder)
    os.environ["KERNELBENCHX_RESULTS_PATH"] = folder
    _prepare(request, settings, folder)
    sys.argv[:] = [script]
    with _device(settings):
        if settings["device"] == "cpu":
            from ridgeline_submissions import on_cpu

            on_cpu.time_by_the_clock()
        try:
            runpy.run_path(script, run_name="__main__")
        finally:
            _report(report, perf_script.results(folder, request["stem"]))


STAGES = {"probe": _probe, "call": _call, "execute": _execute, "compare": _compare, "quality": _quality,
          "perform": _perform}


def perform(request, settings, report):
    if request.get("fresh"):  # of another submission before: its kernels, its results
        for name in ("triton", "values"):
            path = os.path.join(settings["folder"], name)
            shutil.rmtree(path, ignore_errors=True) if os.path.isdir(path) else os.path.exists(path) and os.remove(path)
    STAGES[request["stage"]](request, settings, report)
