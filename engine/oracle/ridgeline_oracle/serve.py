"""Requests, one at a time: each ends in an answer or in a failure with its kind and message."""

import gc
import os
import platform
import sys
import time
import traceback
import warnings

import torch

from ridgeline_oracle import machine
from ridgeline_oracle.channel import Channel
from ridgeline_oracle.check import TooSlow, check
from ridgeline_oracle.describe import describe
from ridgeline_oracle.dtypes import DTYPES
from ridgeline_oracle.forward import fix_precision
from ridgeline_oracle.harvest import harvest
from ridgeline_oracle.loaded import Loaded
from ridgeline_oracle.scale import scaled
from ridgeline_oracle.task_file import Task
from ridgeline_oracle.tensors import Memory


class Oracle:
    def __init__(self, settings):
        self._device = torch.device(settings["device"])
        self._cap = settings["memory_bytes"]
        machine.bound_device(self._device, self._cap)
        self._held = Loaded(self._device)

    @property
    def device(self):
        return self._device

    @property
    def task_name(self):
        return self._held.name

    def available(self):
        return machine.available(self._device, self._cap)

    def _fresh(self, request):
        """The request's task, with nothing of another one left."""
        self._held.forget()
        return Task(request["name"], request["text"], DTYPES.get(request.get("cast_to")))

    def describe(self, request, _):
        answer = describe(self._fresh(request), self._device)
        machine.give_back(self._device)  # before the rest is counted
        return {**answer, "available": self.available()}

    def load(self, request, memory):
        self._held.load(self._fresh(request), request["weights_seed"], request.get("weights_on"), memory)
        return {}

    def draw(self, request, memory):
        self._held.draw(request["inputs_seed"], memory)
        return {}

    def draw_shapes(self, request, _):
        self._held.draw_shapes(request["inputs_seed"], request["bytes"])
        return {}

    def run(self, request, memory):
        precision = DTYPES[request["precision"]]
        if request["arguments"] != "given":
            return {"forward_seconds": self._held.run_drawn(request["seed"], precision, memory)}
        rows = (request["rows"], request["batched"]) if "rows" in request else None
        return {"forward_seconds": self._held.run_given(request["seed"], precision, memory, rows)}

    def check(self, request, _):
        return check(self._fresh(request), self._device, request["seconds"], request["float64"])

    def scale(self, request, _):
        self._held.forget()
        return scaled(request["name"], request["text"], request["divisor"])

    def harvest(self, request, _):
        self._held.forget()
        return harvest(request, self._device)


def out_of_memory(error):
    words = ("can't allocate memory", "bad_alloc", "could not create a memory", "out of memory")
    return isinstance(error, (MemoryError, torch.OutOfMemoryError)) or any(word in str(error) for word in words)


def failure(error, task_name):
    """The kind, and a message that names the line of the task where there is one."""
    kind = "memory" if out_of_memory(error) else "time" if isinstance(error, TooSlow) else "task"
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == task_name]
    where = f" (line {lines[-1]} of {task_name})" if lines else ""
    name = "" if type(error).__module__.startswith("ridgeline_oracle") else f"{type(error).__name__}: "
    return {"kind": kind, "message": name + " ".join(str(error).split())[:2000] + where}


def greet(channel, settings):
    hello = {"python": sys.executable, "version": platform.python_version(), "torch": torch.__version__}
    if settings["device"].startswith("cuda"):
        try:
            hello["device"] = torch.cuda.get_device_name(settings["device"])
        except Exception as error:
            hello.update(missing="device", message=f"{type(error).__name__}: {error}".splitlines()[0])
    channel.send(hello)
    if "missing" in hello:
        os._exit(0)


def serve(link, settings):
    channel = Channel(link)
    greet(channel, settings)
    warnings.simplefilter("ignore")  # a task's own; nobody reads them
    fix_precision()
    if settings["threads"]:
        torch.set_num_threads(settings["threads"])
    machine.goes_first()
    oracle = Oracle(settings)
    gc.collect()
    gc.freeze()  # torch's own million objects, which each collection would look through
    while True:
        request, descriptors = channel.receive()
        channel.send(answered(oracle, request, descriptors))


def answered(oracle, request, descriptors):
    machine.forget_peak(oracle.device)
    if oracle.device.type == "cpu":
        machine.bound_host(oracle.available())  # which whoever asks has less of as it goes
    began = time.monotonic()
    with Memory(descriptors, request.get("places", []), oracle.device, request.get("device_bytes", ())) as memory:
        try:
            reply = {"answer": getattr(oracle, request["do"])(request, memory)}
        except Exception as error:
            reply = {"failure": failure(error, request.get("name", oracle.task_name))}
    reply["seconds"] = time.monotonic() - began
    reply["peak_bytes"] = machine.peak(oracle.device)
    if request["do"] == "check" or "failure" in reply:
        machine.give_back(oracle.device)
    else:
        machine.trim(oracle.device)
    reply["held_bytes"] = machine.held(oracle.device)
    return reply
