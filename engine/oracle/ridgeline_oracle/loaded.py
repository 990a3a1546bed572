"""The task at hand: its model, built once, and the inputs of the last draw."""

import time

import torch

from ridgeline_oracle import machine
from ridgeline_oracle.convolutions import Convolutions
from ridgeline_oracle.forward import call, dtype_in, forward, own_copy
from ridgeline_oracle.kept import Kept
from ridgeline_oracle.recurrent import remember
from ridgeline_oracle.task_file import model_over, state
from ridgeline_oracle.tensors import Unsupported, byte_count, tensors_of

KEPT_BYTES = 1 << 28  # of a model's state: of what is larger no copy is kept, and of parameters none is made
# Of inputs whose shapes are learned by drawing them. What torch imports to draw on its meta device may take three
# seconds (tril, of a file that says so: level1/15 of KernelBench, whose inputs are 134 MB, is judged that much sooner).
DRAWN_BYTES = {"cpu": 1 << 24, "cuda": 1 << 28}


def lies_in(tensor, others):
    """Whether its first element is one of theirs, as that of every view is."""
    at = tensor.data_ptr()
    return any(one.data_ptr() <= at < one.data_ptr() + one.numel() * one.element_size() for one in tensors_of(others))


def state_tensors(model):
    return [value for _, _, value in state(model)]


class Loaded:
    def __init__(self, device):
        self._device = device
        self._task = self._model = self._inputs = None
        self._kept = {}  # by precision
        self._convolutions = Convolutions()
        self._runs_itself = True  # a forward changes nothing but tensors, as far as was seen

    @property
    def name(self):
        return self._task.name if self._task else ""

    def forget(self):
        if self._task is None:
            return
        self._task = self._model = self._inputs = None
        self._kept = {}
        machine.give_back(self._device)

    def load(self, task, weights_seed, drawn_on, memory):
        """`memory` may have no place at all; then nothing is written. The same holds for `draw`."""
        model = task.build(weights_seed, self._device, drawn_on)
        if not drawn_on:  # secret weights; KernelBench's own, which a candidate constructs too, are drawn on a named one
            remember(model)
        if len(memory):
            memory.expect(len(state_tensors(model)), "state")
            memory.write(state_tensors(model))
        self._task, self._model = task, model
        self._kept, self._runs_itself, self._convolutions = {}, True, Convolutions()

    def draw(self, seed, memory):
        if self._task is None:
            raise Unsupported("nothing is loaded: load first, and anew after the process has ended")
        self._inputs = None  # two draws may not fit beside each other
        inputs = self._task.inputs(seed, self._device)
        if len(memory):
            memory.expect(len(tensors_of(inputs)), "inputs")
            memory.write(tensors_of(inputs))
        self._inputs = inputs

    def draw_shapes(self, seed, input_bytes):
        """What runs on given arguments take from a draw, without its values, which may be gigabytes."""
        if self._task is None:
            raise Unsupported("nothing is loaded: load first, and anew after the process has ended")
        self._inputs = None
        if input_bytes > DRAWN_BYTES[self._device.type]:
            try:
                self._inputs = self._task.inputs(seed, torch.device("meta"))
                return
            except Exception:  # it looks at a value, or makes an array
                pass
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

    def _kept_in(self, precision):
        if precision in self._kept:
            return self._kept[precision]
        kept = Kept(own_copy(self._model, precision), self._runs_itself)
        if byte_count(kept.tensors) <= KEPT_BYTES:
            self._kept[precision] = kept
        return kept

    def _look_after(self, precision, kept):
        """A forward that changed what no run writes anew leaves no copy for the next."""
        if kept.as_it_was():
            return
        self._kept.pop(precision, None)
        self._runs_itself = self._runs_itself and not kept.runs_itself

    def _given(self, precision, memory, rows):
        """Forward's inputs where they lie: a copy of gigabytes may not fit. `rows`: how many the caller gives, and of
        which tensors; None: all."""
        inputs, count = [], 0
        for one in self._inputs:
            if isinstance(one, torch.Tensor):
                shape = (rows[0], *one.shape[1:]) if rows and rows[1][count] else one.shape
                one = memory.view(count, dtype_in(one.dtype, precision), shape)
                count += 1
            inputs.append(one)
        return inputs, count

    def _given_state(self, precision, memory, first):
        """The caller's state where it lies."""
        return [memory.view(number, dtype_in(value.dtype, precision), value.shape)
                for number, value in enumerate(state_tensors(self._model), first)]

    def run_given(self, seed, precision, memory, rows=None):
        """On inputs and state of the caller's, which lie before the outputs' places."""
        self._need_a_draw()
        inputs, count = self._given(precision, memory, rows)
        large = byte_count(state_tensors(self._model)) > KEPT_BYTES
        state = self._given_state(precision, memory, count) if large else []
        kept, attempts = None if large else self._kept_in(precision), 0
        began = time.monotonic()

        def attempt():
            nonlocal began, kept, attempts
            attempts += 1
            if large:
                model = model_over(self._model, state)
                began = time.monotonic()
                return call(model, inputs, seed, precision)
            if attempts > 1 and not kept.as_it_was():  # the one that failed changed what no run writes anew
                self._look_after(precision, kept)
                kept = self._kept_in(precision)
            model = kept.ready()
            memory.read_into(kept.tensors, first=count)
            began = time.monotonic()
            return call(model, inputs, seed, precision)

        try:
            chosen = precision == torch.float64 and self._device.type == "cuda"
            outputs = self._convolutions.run(attempt) if chosen else attempt()
        finally:
            if kept is not None:
                self._look_after(precision, kept)
        seconds = time.monotonic() - began
        self._write(outputs, inputs + state, memory, count + len(state_tensors(self._model)))
        return seconds

    @staticmethod
    def _write(outputs, given, memory, first):
        memory.expect(first + len(outputs), "inputs, state and outputs")
        if memory.overlap(first):  # an output may be a view of what is written over
            outputs = [one.clone() if lies_in(one, given) else one for one in outputs]
        memory.write(outputs, first=first)
