"""The task at hand: its model, built once, and the inputs of the last draw."""

import time

import torch

from ridgeline_oracle import machine
from ridgeline_oracle.forward import call, dtype_in, forward, own_copy
from ridgeline_oracle.task_file import state, twin_of
from ridgeline_oracle.tensors import Unsupported, byte_count, tensors_of

KEPT_BYTES = 1 << 28  # of a model's state in a precision: what is larger is copied for each run


def state_tensors(model):
    return [value for _, _, value in state(model)]


def layout(model):
    return [(one.shape, one.stride(), one.dtype, one.data_ptr()) for one in state_tensors(model)]


class Loaded:
    def __init__(self, device):
        self._device = device
        self._task = self._model = self._inputs = None
        self._kept = {}  # by precision: a copy whose state each run writes anew

    @property
    def name(self):
        return self._task.name if self._task else ""

    def forget(self):
        if self._task is None:
            return
        self._task = self._model = self._inputs = None
        self._kept = {}
        machine.give_back(self._device)

    def load(self, task, weights_seed, memory):
        """`memory` may have no place at all; then nothing is written. The same holds for `draw`."""
        model = task.build(weights_seed, self._device)
        if len(memory):
            memory.expect(len(state_tensors(model)), "state")
            memory.write(state_tensors(model))
        self._task, self._model = task, model
        self._kept = {}

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

    def _model_in(self, precision):
        """One that may run, for a state that is still to be written into it."""
        if precision not in self._kept:
            copied = own_copy(self._model, precision)
            if byte_count(state_tensors(copied)) > KEPT_BYTES:
                return copied
            self._kept[precision] = copied
        return twin_of(self._kept[precision])

    def _look_after(self, precision, before):
        """A forward that reshapes or replaces a tensor in place leaves no copy for the next."""
        if precision in self._kept and layout(self._kept[precision]) != before:
            del self._kept[precision]

    def run_given(self, seed, precision, memory):
        """On inputs and state of the caller's, which lie before the outputs' places."""
        self._need_a_draw()
        model = self._model_in(precision)
        inputs, count = [], 0
        for one in self._inputs:
            if isinstance(one, torch.Tensor):  # where it lies: a copy of gigabytes may not fit
                one = memory.view(count, dtype_in(one.dtype, precision), one.shape)
                count += 1
            inputs.append(one)
        memory.read_into(state_tensors(model), first=count)
        count += len(state_tensors(model))
        before = layout(model)
        began = time.monotonic()
        try:
            outputs = call(model, inputs, seed, precision)
        finally:
            self._look_after(precision, before)
        seconds = time.monotonic() - began
        memory.expect(count + len(outputs), "inputs, state and outputs")
        memory.write(outputs, first=count)
        return seconds
