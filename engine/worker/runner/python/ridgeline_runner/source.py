"""The candidate's source: executed as a module of its own, and named in what is said of its failures."""

import contextlib
import linecache
import sys
import types

import torch

MODULE = "ridgeline_candidate"
LONGEST = 800  # characters of a message, so that the line after it fits too
_Module = torch.nn.Module


class NoEntryPoint(Exception):
    """The source runs, and does not define the class."""


def execute(source, name):
    """A fresh module, kept under its name in sys.modules: inspect and pickle look classes up by it. Its lines are
    where inspect and tracebacks look for them, since there is no file."""
    linecache.cache[name] = (len(source), None, source.splitlines(keepends=True), name)
    module = types.ModuleType(MODULE)
    module.__file__ = name
    sys.modules[MODULE] = module
    exec(compile(source, name, "exec", dont_inherit=True), module.__dict__)
    return module


def build(module, wanted, name, arguments, named, seed, in_place=None):
    """An instance of the class `wanted`, its random values drawn from `seed`, on the CPU; or on the device `in_place`, but
    for plain tensors: moved there from the CPU a model would leave them behind."""
    found = vars(module).get(wanted)
    if found is None:
        raise NoEntryPoint(f"{name} defines no class {wanted}; the answer is a class {wanted}(torch.nn.Module)")
    if not isinstance(found, type) or not issubclass(found, _Module):
        raise NoEntryPoint(f"{wanted} of {name} is no class derived from torch.nn.Module")
    torch.manual_seed(seed)
    with in_place or contextlib.nullcontext(), torch.no_grad():
        model = found(*arguments, **named)
    for part in model.modules() if in_place else ():
        for key, value in vars(part).items():
            if isinstance(value, torch.Tensor):
                vars(part)[key] = value.cpu()
    return model


def function(module, wanted, name):
    """The function `wanted`, which an answer that is no module defines; any callable will do."""
    found = vars(module).get(wanted)
    if found is None:
        raise NoEntryPoint(f"{name} defines no {wanted}; the answer is a function of that name with the arguments of the "
                           "task's stub")
    if not callable(found):
        raise NoEntryPoint(f"{wanted} of {name} is no function")
    if type(found).__name__ in ("JITFunction", "InterpretedFunction", "Autotuner", "Heuristics"):
        raise NoEntryPoint(f"{wanted} of {name} is a kernel of triton, which wants a grid; let {wanted} be a plain "
                           "function that launches it")
    return found


def _first(error):
    """Returns what a kernel raised: triton's interpreter wraps it, once for each function of the kernel."""
    while type(error).__name__ == "InterpreterError" and error.__cause__ is not None:
        error = error.__cause__
    return error


def forbid_compiling():
    """Inductor starts compilers and threads: what is measured here may not, and would be ended as if it had broken out."""
    def compile(*_, **__):
        raise RuntimeError("torch.compile is not there for answers, nor what calls it (torch.cond, flex_attention): nothing is "
                           "compiled in the process that is measured")

    torch.compile = compile


def told(error, name):
    """"ValueError: no such shape (line 12 of answer.py)": the innermost line that is the candidate's own."""
    try:
        error = _first(error)
        if isinstance(error, SyntaxError) and error.filename == name:
            return f"{type(error).__name__}: {error.msg} (line {error.lineno} of {name})"
        line = None
        step = error.__traceback__
        while step is not None:
            if step.tb_frame.f_code.co_filename == name:
                line = step.tb_lineno
            step = step.tb_next
        text = f"{type(error).__name__}: {error}".rstrip(": ")[:LONGEST]
        return f"{text} (line {line} of {name})" if line is not None else text
    except BaseException:  # an exception of the candidate's own may fail to say what it is
        return "an exception that cannot be told"
