"""Tensors over memory that the judge shares."""

import torch

from ridgeline_runner.addresses import tensor_at

DTYPES = {
    "float64": torch.float64,
    "float32": torch.float32,
    "float16": torch.float16,
    "bfloat16": torch.bfloat16,
    "int64": torch.int64,
    "int32": torch.int32,
    "int16": torch.int16,
    "int8": torch.int8,
    "uint8": torch.uint8,
    "bool": torch.bool,
    "complex64": torch.complex64,
    "complex128": torch.complex128,
}
NAMES = {dtype: name for name, dtype in DTYPES.items()}


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
        self._device = device

    def view(self, address):
        """A tensor of its own over the memory there: no view of a larger one."""
        return tensor_at(address + self.offset, self.dtype, self.shape, self._device)


def described(shape, dtype):
    """"[3, 2] float32"."""
    return f"{list(shape)} {NAMES.get(dtype, dtype)}"
