"""Tensors over memory that the judge shares."""

import math

import torch

from ridgeline_runner.addresses import tensor_at
from ridgeline_runner.dtypes import DTYPES, NAMES



class Place:
    """One tensor of the job: what it is, and where in the arena's arguments it lies."""

    def __init__(self, position, told, device):
        self.name = told["name"]
        self.role = told["role"]
        self.state = told.get("state", "")
        self.kind = told.get("kind", "parameter")
        self.dtype = DTYPES[told["dtype"]]
        self.shape = torch.Size(told["shape"])
        argument = told.get("argument")
        self.argument = position if argument is None else argument
        self.offset = told.get("offset", 0)
        self.bytes = math.prod(self.shape) * self.dtype.itemsize
        self._device = device

    def view(self, address):
        """A tensor of its own over the memory there: no view of a larger one."""
        return tensor_at(address + self.offset, self.dtype, self.shape, self._device)


def described(shape, dtype):
    """"[3, 2] float32"."""
    return f"{list(shape)} {NAMES.get(dtype, dtype)}"
