"""Build time: what an answer hands to load_inline and load, found by executing it where it cannot reach anything.

One interpreter with torch, confined by the agent, waits on a socket. For each answer it forks: the child takes the
filters that a runner has when a candidate comes to it, executes the answer, and tells each request as it is made, so
that an answer that dies has still told those before. Nothing here judges: how an answer fails is for the runner to see.

The socket brings two descriptors an answer (languages/torch_answer/recorder.hpp): a file with the job, and where to
write lines of JSON.
"""

import ast
import json
import os
import resource
import signal
import socket

from ridgeline_runner import extension, machine, rehearsal, source

CONTROL = 3
CPU_SECONDS = 60


class NotYet(RuntimeError):
    """A function of a module was called before there is one."""


class Promised:
    """Stands for a module and all that is in it."""

    def __init__(self, name):
        self._ridgeline_name = name

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Promised(f"{self._ridgeline_name}.{name}")

    def __call__(self, *_, **__):
        raise NotYet(f"{self._ridgeline_name} was called while the answer is built, when its sources are not yet "
                     "compiled: call it in forward")


class Recorder:
    """A workshop (extension.py) that takes requests down. What did not build fails as load_inline would."""

    def __init__(self, literals, say, failed):
        self._literals = literals
        self._say = say
        self._failed = failed  # error by key
        self._known = set()

    def __call__(self, request, key, is_python_module):
        if key not in self._known:
            self._known.add(key)
            self._say({"key": key, "request": request,
                       "lines": {kind: [self._literals.line_of(text) for text in request[kind]]
                                 for kind in ("cpp_sources", "cuda_sources")}})
        if key in self._failed:
            raise extension.DidNotBuild(self._failed[key])
        return Promised(request["name"])


class Literals:
    """Where the strings of the answer stand in it, so that a compiler's complaints can name its lines."""

    def __init__(self, tree):
        self._found = [node for node in ast.walk(tree)
                       if isinstance(node, ast.Constant) and isinstance(node.value, str)
                       and node.end_lineno - node.lineno == node.value.count("\n")]

    def line_of(self, text):
        """Returns the number of its first line; 0 if the text stands nowhere as it is."""
        for node in self._found:
            at = node.value.find(text) if text else -1
            if at >= 0:
                return node.lineno + node.value.count("\n", 0, at)
        return 0


def loads_late(tree):
    """Whether something that is built may be asked for only by a function: then a model has to be made and called."""
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            for inner in ast.walk(node):
                if isinstance(inner, (ast.Name, ast.Attribute)):
                    word = inner.id if isinstance(inner, ast.Name) else inner.attr
                    if word in ("load_inline", "load", "cpp_extension"):
                        return True
    return False


def follow(job, say):
    """Executes the answer; the last line says how far it came."""
    name, stage = job["name"], "import"
    try:
        tree = ast.parse(job["source"], name)
        extension.install(Recorder(Literals(tree), say, job["failed"]))
        rehearsal.prepare(job)
        module = source.execute(job["source"], name)
        if loads_late(tree):
            stage = "construction"
            rehearsal.rehearse(job, module)
        say({"end": "done"})
    except BaseException as error:  # also sys.exit()
        say({"end": "raised", "stage": stage, "words": source.told(error, name)})


def _child(library, job_file, told):
    os.close(CONTROL)
    nowhere = os.open(os.devnull, os.O_RDWR)
    for stream in (1, 2):
        os.dup2(nowhere, stream)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    with open(job_file, "rb") as file:
        job = json.loads(file.read())

    def say(line):
        rest = memoryview(json.dumps(line).encode() + b"\n")
        while rest:
            rest = rest[os.write(told, rest):]

    if library is not None:
        library.ridgeline_python_confine(told)
    follow(job, say)


def record(library):
    """Does not return."""
    machine.fix_torch()
    machine.fix_folders()
    rehearsal.warm_up()
    machine.settle()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody waits for the children
    control = socket.socket(fileno=CONTROL)
    control.send(b"ready")
    while True:
        word, descriptors, _, _ = socket.recv_fds(control, 16, 2)
        if not word:
            os._exit(0)
        if os.fork() == 0:
            try:
                _child(library, *descriptors)
            finally:
                os._exit(0)
        for one in descriptors:
            os.close(one)
