"""Forks a process for each stage of a submission. Torch is imported once, here, and CUDA never: a process that has
opened the device cannot fork. What a stage's process does to torch, to files in memory or to the device ends with
it."""

import ctypes
import json
import os
import sys
import traceback

LINK = 3
MOST_REPORTED = 8 << 20  # bytes that a stage's process may report
MOST_STDERR = 2000  # characters of stderr that KernelBench-X keeps
CHILD_SUBREAPER, DUMPABLE = 36, 4  # of prctl


def _prctl(option, value):
    ctypes.CDLL(None).prctl(option, value, 0, 0, 0)


def _send(message):
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(LINK, data):]


def _import(settings):
    """Returns what is there, for the first line that is said."""
    facts = {"python": sys.version.split()[0], "missing": []}
    if settings["device"] == "cpu":
        from ridgeline_submissions import interpreted

        interpreted.prepare()
    for name in ("torch", "numpy", "triton", "radon"):
        try:
            module = __import__(name)
            facts[name] = getattr(module, "__version__", "?")
        except Exception as error:  # a broken torch fails in more ways than ImportError
            facts["missing"].append(name)
            facts[name + "_error"] = f"{type(error).__name__}: {error}"
    if facts.get("radon"):
        import radon.complexity  # noqa: F401
        import radon.metrics  # noqa: F401
    return facts


def _content(descriptor, most):
    """The beginning of a file in memory that a stage's process wrote into, and closes it."""
    text = os.pread(descriptor, most, 0)
    os.close(descriptor)
    return text.decode("utf-8", "replace")


def _in_child(request, settings, report, stderr):
    """Never returns: ends as a script of Python ends."""
    code = 1
    try:
        _prctl(DUMPABLE, 1)  # CUDA writes into its process's own entries of /proc
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(stderr, 2)
        os.close(LINK)
        from ridgeline_submissions import stages

        stages.perform(request, settings, report)
        code = 0
    except SystemExit as end:
        if end.code is None:
            code = 0
        elif isinstance(end.code, int):
            code = end.code & 0xFF
        else:
            print(end.code, file=sys.stderr)
    except BaseException:
        traceback.print_exc()
    finally:
        try:
            sys.stderr.flush()
        finally:
            os._exit(code)


def _parsed(text):
    try:
        return json.loads(text) if text else {}
    except ValueError:
        return {}


def _run(request, settings):
    # Files in memory and no pipes: a process that the stage leaves behind would hold a pipe open.
    report, stderr = os.memfd_create("report"), os.memfd_create("stderr")
    child = os.fork()
    if child == 0:
        _in_child(request, settings, report, stderr)
    _, status = os.waitpid(child, 0)
    reply = {"exit": os.waitstatus_to_exitcode(status), "stderr": _content(stderr, 4 * MOST_STDERR)[:MOST_STDERR],
             "reported": _parsed(_content(report, MOST_REPORTED))}
    try:  # what the stage left running is told, so that all of it is ended from outside
        reply["left"] = os.waitpid(-1, os.WNOHANG) == (0, 0)
    except ChildProcessError:
        reply["left"] = False
    return reply


def serve(lines, settings):
    _prctl(CHILD_SUBREAPER, 1)
    _prctl(DUMPABLE, 0)  # no submission looks into this process by way of /proc
    _send(_import(settings))
    for line in iter(lines.readline, b""):
        _send(_run(json.loads(line), settings))
