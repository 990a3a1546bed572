"""Answers that do nothing, or half, of the work. One that passes every trial makes a task degenerate."""

import functools

import torch

from ridgeline_oracle.faithful import passes
from ridgeline_oracle.forward import forward
from ridgeline_oracle.task_file import PUBLIC_SEED, copy_state
from ridgeline_oracle.tensors import Unsupported, blocks, byte_count

AXES = 4  # looked at from the first
# Bytes of a null's inputs with indices among them, which is tried on the CPU. A larger one is not tried.
MOST_ON_CPU = 1 << 30


def mean_of(tensor):
    if not tensor.is_floating_point():
        return torch.zeros((), dtype=tensor.dtype, device=tensor.device)
    total = sum(float(tensor[index].double().sum()) for index in blocks(tensor))
    return torch.tensor(total / max(1, tensor.numel()), dtype=tensor.dtype, device=tensor.device)


def halves(tensor):
    for axis in range(min(tensor.dim(), AXES)):
        size = tensor.shape[axis]
        if size > 1:
            yield f"first half of axis {axis}", tensor.narrow(axis, 0, size // 2)
            yield f"second half of axis {axis}", tensor.narrow(axis, size // 2, size - size // 2)


def narrowed(inputs):
    """Inputs of which only the first half along an axis is looked at: of all that share the axis, or of the first."""
    tensors = [one for one in inputs if isinstance(one, torch.Tensor)]
    if not tensors:
        return
    first = tensors[0]
    for axis in range(min(first.dim(), AXES)):
        size = first.shape[axis]
        if size < 2:
            continue

        def half(one, shared):
            wanted = one is first or (shared and isinstance(one, torch.Tensor) and one.dim() > axis
                                      and one.shape[axis] == size)
            return one.narrow(axis, 0, size // 2) if wanted else one

        yield f"the first half of the inputs along axis {axis}", [half(one, True) for one in inputs]
        if len(tensors) > 1:
            yield f"the first half of the first input along axis {axis}", [half(one, False) for one in inputs]


class Nulls:
    """Those that no trial has rejected yet, as name -> detail."""

    def __init__(self, task, model):
        self._task = task
        self._model = model
        self._passes = functools.partial(passes, cast_to=task.cast_to)
        self._meta = self._meta_model()
        self._on_cpu = None  # the model, once it is wanted there
        self._left = {}
        self._seen = set()
        self._rejected = set()

    def _meta_model(self):
        try:
            return self._task.build(PUBLIC_SEED, "meta")
        except Exception:  # then halves of inputs are tried without knowing their outputs' shapes
            return None

    def standing(self):
        return [{"kind": kind, "detail": detail} for (kind, detail) in sorted(self._left)]

    def _hear(self, kind, detail, verdict):
        """`verdict` is asked for only of what still stands."""
        key = (kind, detail)
        if key in self._rejected:
            return
        if verdict():
            self._left[key] = True
        else:
            self._rejected.add(key)
            self._left.pop(key, None)

    def trial(self, inputs, expected, other, seed):
        """`other`: the outputs of another draw of inputs, None in the first trial."""
        def every(answer):
            return lambda: all(self._passes(one, answer(position, one)) for position, one in enumerate(expected))

        self._hear("zeros", "zeros", every(lambda _, one: torch.zeros((), dtype=one.dtype, device=one.device)))
        self._copies(inputs, expected)
        self._halves_of_outputs(expected)
        self._halves_of_inputs(inputs, expected, seed)
        if other is None:
            return
        means = [mean_of(one) for one in other]
        self._hear("constant", "the mean of another draw's output", every(lambda position, _: means[position]))
        self._hear("other_draw", "the output for other inputs", every(lambda position, _: other[position]))

    def _run(self, half, seed):
        """An index beyond the half of a table is an exception on a CPU. On a GPU it is the end of all work there."""
        tensors = [one for one in half if isinstance(one, torch.Tensor)]
        if all(one.is_cpu or one.is_floating_point() or one.is_complex() for one in tensors):
            return forward(self._model, half, seed)
        if byte_count(tensors) > MOST_ON_CPU:
            raise Unsupported("too large to be tried where its errors can be told")
        if self._on_cpu is None:
            self._on_cpu = self._task.build(PUBLIC_SEED, "cpu")
            copy_state(self._model, self._on_cpu)
        device = tensors[0].device
        got = forward(self._on_cpu, [one.cpu() if isinstance(one, torch.Tensor) else one for one in half], seed)
        return [one.to(device) for one in got]

    def _copies(self, inputs, expected):
        if len(expected) != 1:
            return
        only = expected[0]
        for position, one in enumerate(inputs):
            if isinstance(one, torch.Tensor) and one.numel() == only.numel() and one.dtype == only.dtype:
                self._hear("input_copy", f"a copy of input {position}",
                           lambda one=one: self._passes(only, one.reshape(only.shape)))

    def _halves_of_outputs(self, expected):
        if len(expected) != 1:
            return
        for where, half in halves(expected[0]):
            self._hear("partial_work", f"zeros in the {where} of the output",
                       lambda half=half: self._passes(half, torch.zeros((), dtype=half.dtype, device=half.device)))

    def _halves_of_inputs(self, inputs, expected, seed):
        for what, half in narrowed(inputs):
            self._hear("partial_work", what, lambda half=half: self._half_suffices(half, expected, seed))

    def _half_suffices(self, half, expected, seed):
        """False too where the model cannot take the half, or makes another shape of it."""
        try:
            if self._meta is not None:
                shadows = [one.to("meta") if isinstance(one, torch.Tensor) else one for one in half]
                if [one.shape for one in forward(self._meta, shadows, None)] != [one.shape for one in expected]:
                    return False
            got = self._run(half, seed)
        except (MemoryError, torch.OutOfMemoryError):
            raise
        except Exception:
            return False
        return len(got) == len(expected) and all(
            one.shape == other.shape and self._passes(one, other) for one, other in zip(expected, got))
