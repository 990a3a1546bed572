"""The task at hand: its model, built once, and the inputs of the last draw."""

import time

import torch

from ridgeline_oracle import machine
from ridgeline_oracle.forward import call, dtype_in, forward, own_copy
from ridgeline_oracle.task_file import state
from ridgeline_oracle.tensors import Unsupported, tensors_of


def state_tensors(model):
    return [value for _, _, value in state(model)]


class Loaded:
    def __init__(self, device):
        self._device = device
        self._task = self._model = self._inputs = None

    @property
    def name(self):
        return self._task.name if self._task else ""

    def forget(self):
        if self._task is None:
            return
        self._task = self._model = self._inputs = None
        machine.give_back(self._device)

    def load(self, task, weights_seed, memory):
        """`memory` may have no place at all; then nothing is written. The same holds for `draw`."""
        model = task.build(weights_seed, self._device)
        if len(memory):
            memory.expect(len(state_tensors(model)), "state")
            memory.write(state_tensors(model))
        self._task, self._model = task, model

    def draw(self, seed, memory):
        if self._task is None:
            raise Unsupported("nothing is loaded: load first, and anew after the process has ended")
        self._inputs = None  # two draws may not fit beside each other
        inputs = self._task.inputs(seed, self._device)
        if len(memory):
            memory.expect(len(tensors_of(inputs)), "inputs")
            memory.write(tensors_of(inputs))
        self._inputs = inputs

    def draw_shapes(self, seed):
        """What runs on given arguments take from a draw, without its values, which may be gigabytes."""
        if self._task is None:
            raise Unsupported("nothing is loaded: load first, and anew after the process has ended")
        self._inputs = None
        try:
            self._inputs = self._task.inputs(seed, torch.device("meta"))
        except Exception:  # it looks at a value, or makes an array
            drawn = self._task.inputs(seed, self._device)
            self._inputs = [one.to("meta") if isinstance(one, torch.Tensor) else one for one in drawn]

    def _need_a_draw(self):
        if self._inputs is None:
            raise Unsupported("nothing is drawn: draw first, and anew after each load")

    def run_drawn(self, seed, precision, memory):
        self._need_a_draw()
        if any(one.is_meta for one in tensors_of(self._inputs)):
            raise Unsupported("only shapes are drawn: a run needs a draw of values, or arguments")
        began = time.monotonic()
        outputs = forward(self._model, self._inputs, seed, precision)
        seconds = time.monotonic() - began
        memory.expect(len(outputs), "outputs")
        memory.write(outputs)
        return seconds

    def run_given(self, seed, precision, memory):
        """On inputs and state of the caller's, which lie before the outputs' places."""
        self._need_a_draw()
        model = own_copy(self._model, precision)
        inputs, count = [], 0
        for one in self._inputs:
            if isinstance(one, torch.Tensor):  # where it lies: a copy of gigabytes may not fit
                one = memory.view(count, dtype_in(one.dtype, precision), one.shape)
                count += 1
            inputs.append(one)
        memory.read_into(state_tensors(model), first=count)
        count += len(state_tensors(model))
        began = time.monotonic()
        outputs = call(model, inputs, seed, precision)
        seconds = time.monotonic() - began
        memory.expect(count + len(outputs), "inputs, state and outputs")
        memory.write(outputs, first=count)
        return seconds
