"""A kernel in Python: a function that is called with all tensors of the task, its sizes and its scalars, and writes into
those that are outputs. They lie in the judge's buffers: nothing is copied."""

import contextlib
import math

import torch

from ridgeline_runner.addresses import tensor_at
from ridgeline_runner.dtypes import DTYPES

_grad = torch._C._set_grad_enabled
_PARTS = {torch.complex64: torch.float32, torch.complex128: torch.float64}
# The functions of the language of engine/core/expression.hpp; its operators mean the same in Python.
_FUNCTIONS = {"min": min, "max": max, "ceil_div": lambda a, b: -(-a // b), "log2": math.log2, "sqrt": math.sqrt}


class Parameters:
    """The signature (engine/core/signature.hpp), and the values of an arrangement for it."""

    def __init__(self, told):
        self._sizes = told["sizes"]
        self._scalars = told["scalars"]
        self._tensors = [(DTYPES[one["dtype"]], [compile(str(extent), one["name"], "eval") for extent in one["shape"]])
                         for one in told["tensors"]]

    @property
    def tensors(self):
        return len(self._tensors)

    def shapes(self, sizes):
        """(dtype, shape) of each tensor. A complex one is told as its real view: triton has no complex pointers."""
        known = dict(zip(self._sizes, sizes), __builtins__={})
        for dtype, extents in self._tensors:
            shape = [int(eval(extent, _FUNCTIONS | known)) for extent in extents]
            parts = _PARTS.get(dtype)
            yield (parts, torch.Size([*shape, 2])) if parts else (dtype, torch.Size(shape))

    def values(self, sizes, floats, integers):
        """Returns the arguments behind the tensors."""
        floats, integers = iter(floats), iter(integers)
        scalars = [next(floats) if kind == "float64" else bool(next(integers)) if kind == "bool" else next(integers)
                   for kind in self._scalars]
        return [*sizes[:len(self._sizes)], *scalars]


class KernelCalls:
    """One function, the slots arranged for it, and calls of them: what runs inside the judge's window."""

    def __init__(self, entry, parameters, device):
        self._entry = entry
        self._parameters = parameters
        self._device = device
        self._slots = []

    def arrange(self, pointers, slots, arguments, sizes, floats, integers):
        """Tensors over all slots."""
        self._slots = []
        if not slots:
            return
        if arguments != self._parameters.tensors:
            raise ValueError(f"{arguments} arguments are arranged; the job has {self._parameters.tensors}")
        shapes = list(self._parameters.shapes(sizes))
        values = self._parameters.values(sizes, floats, integers)
        for first in range(0, slots * arguments, arguments):
            tensors = [tensor_at(address, dtype, shape, self._device)
                       for address, (dtype, shape) in zip(pointers[first:first + arguments], shapes)]
            self._slots.append((*tensors, *values))

    def run(self, first, count, stream=0):
        """`stream`: of CUDA, on which what is launched shall be recorded; 0 for the one that is current anyway."""
        entry = self._entry
        recorded = torch.cuda.ExternalStream(stream) if stream else None
        with torch.cuda.stream(recorded) if recorded else contextlib.nullcontext():
            _grad(False)
            for arguments in self._slots[first:first + count]:
                entry(*arguments)
