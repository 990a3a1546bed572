"""The five callbacks that the loop in libridgeline-python-runner.so wants (python/callbacks.hpp)."""

import ctypes
import os
import sys

import torch

from ridgeline_runner import adapted, interpreted, kernels, machine, operators, prebuilt, source
from ridgeline_runner.calls import Calls, WrongOutput, refusal_of
from ridgeline_runner.job import Job
from ridgeline_runner.kernel_calls import KernelCalls
from ridgeline_runner.native import Native
from ridgeline_runner.state import State

CHANNEL = 3
LOAD_ERROR, NO_ENTRY_POINT, KERNEL = 1, 2, 3

_Text = (ctypes.c_void_p, ctypes.c_size_t, ctypes.POINTER(ctypes.c_size_t))
_Prepare = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_char_p, *_Text)
_Load = ctypes.CFUNCTYPE(ctypes.c_int, *_Text)
_Arrange = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(ctypes.c_uint64), ctypes.c_size_t, ctypes.c_size_t,
                            ctypes.POINTER(ctypes.c_int64), ctypes.POINTER(ctypes.c_double),
                            ctypes.POINTER(ctypes.c_int64), *_Text)
_Run = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_size_t, *_Text)
MOST_SIZES, MOST_SCALARS = 24, 24  # kMaxSizes and kMaxScalars of runner/wire.hpp
_Observe = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_size_t, *_Text)


class Callbacks(ctypes.Structure):
    _fields_ = [("prepare", _Prepare), ("load", _Load), ("arrange", _Arrange), ("run", _Run), ("observe", _Observe)]


class Runner:
    """Every exception ends here: one that left a callback would be printed and forgotten."""

    def __init__(self, device, native):
        self._device = device
        self._native = native
        self._job = None
        self._calls = None

    def prepare(self, path, *text):
        try:
            self._job = Job(path.decode(), self._device)
            if not self._job.parameters:
                name = self._job.name
                self._native.take_job(self._job.outputs, refusal_of(self._job.outputs),
                                      lambda error: source.told(error, name))
        except Exception as error:
            return _say(LOAD_ERROR, f"the job file is not as it should be: {type(error).__name__}: {error}", text)
        if self._job.triton:
            if self._device.type == "cuda":
                kernels.prepare(self._job.kernels)
            else:
                interpreted.prepare()
            machine.settle()
        return 0

    def load(self, *text):
        job = self._job
        try:
            if not job.compile:  # inductor has use for the real cpp_extension
                source.forbid_compiling()
                prebuilt.install(job.modules)
            module = source.execute(job.source, job.name)
            if job.parameters:
                self._calls = KernelCalls(source.function(module, job.wanted, job.name), job.parameters, self._device)
                return KERNEL
            adapted.add_class(module, job.wanted, job.name, job.function, job.adapter)
            model = source.build(module, job.wanted, job.name, job.arguments_of_init, job.named_of_init, job.seed,
                                 self._device if job.in_place else None)
            # A candidate is constructed on the CPU, in float32, and moved, as KernelBench does.
            model.to(self._device, job.cast_to)
            if not job.training:
                model.eval()
            state = State(model, job.state)
            self._calls = Calls(torch.compile(model, mode=job.compile) if job.compile else model, job, state,
                                self._native)
            return 0
        except source.NoEntryPoint as error:
            return _say(NO_ENTRY_POINT, str(error), text)
        except BaseException as error:  # also sys.exit()
            return _say(LOAD_ERROR, source.told(error, job.name), text)

    def arrange(self, pointers, slots, arguments, sizes, floats, integers, *text):
        try:
            if self._calls is not None:
                values = (sizes[:MOST_SIZES], floats[:MOST_SCALARS], integers[:MOST_SCALARS]) if slots else ((), (), ())
                self._calls.arrange(pointers[:slots * arguments] if slots else [], slots, arguments, *values)
                machine.settle()
                if not slots:  # others are at work now
                    machine.rest(self._device)
            return 0
        except BaseException as error:
            return _say(1, f"{type(error).__name__}: {error}", text)

    def run(self, first, count, stream, *text):
        try:
            if count:
                self._calls.run(first, count, stream)
            return 0
        except BaseException as error:
            return _say(1, source.told(error, self._job.name), text)

    def observe(self, slot, *text):
        try:
            with operators.Watch() as watch:
                self._calls.run(slot, 1)
            return _say(0, watch.told(), text)
        except WrongOutput as error:
            return _say(1, str(error), text)
        except BaseException as error:
            return _say(1, source.told(error, self._job.name), text)


def _say(code, words, text):
    """To the caller's buffer, cut where it ends, between characters."""
    address, capacity, length = text
    said = words.encode("utf-8", "replace")[:capacity].decode("utf-8", "ignore").encode("utf-8")
    ctypes.memmove(address, said, len(said))
    length[0] = len(said)
    return code


def _words():
    """Returns what the judge started this with: the device, CUPTI's library, and whether a lockdown is laid."""
    device, counters, locked = torch.device("cpu"), "", True
    for word in sys.argv[2:]:
        if word.startswith("cuda:"):
            device = torch.device(word)
        elif word.startswith("counters:"):
            counters = word.removeprefix("counters:")
        elif word == "unlocked":
            locked = False
    return device, counters, locked


def serve(library):
    """Does not return: the interpreter's own end could run a candidate's code."""
    device, counters, locked = _words()
    machine.fix_malloc()
    machine.fix_torch()
    machine.fix_folders()
    machine.warm_up(torch.device("cpu"))
    if device.type == "cuda":
        # An import takes ten times as long as opening the device, and disturbs nobody there.
        if library.ridgeline_python_wait(CHANNEL) != 0:
            os._exit(0)
        machine.warm_up(device)
    runner = Runner(device, Native(library, device))
    callbacks = Callbacks(_Prepare(runner.prepare), _Load(runner.load), _Arrange(runner.arrange), _Run(runner.run),
                          _Observe(runner.observe))
    machine.settle()
    index = device.index if device.type == "cuda" else -1
    os._exit(library.ridgeline_python_serve(CHANNEL, ctypes.byref(callbacks), int(locked), index, counters.encode()))
