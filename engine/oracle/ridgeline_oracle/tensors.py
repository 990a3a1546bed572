"""Tensors as facts, as memory, and in blocks."""

import math
import mmap
import os

import torch

from ridgeline_oracle.device_memory import DeviceAllocation
from ridgeline_oracle.dtypes import NAMES

BLOCK = 1 << 22  # elements that a comparison looks at together: bounds what it allocates


class Unsupported(Exception):
    """The task asks for what this importer has no answer to; the message says what."""


def facts(name, tensor):
    if tensor.dtype not in NAMES:
        raise Unsupported(f"{name} is of the dtype {tensor.dtype}, which no kernel here takes")
    return {"name": name, "shape": list(tensor.shape), "dtype": NAMES[tensor.dtype]}


def tensors_of(arguments):
    return [one for one in arguments if isinstance(one, torch.Tensor)]


def byte_count(tensors):
    return sum(tensor.numel() * tensor.element_size() for tensor in tensors)


class MemoryFile:
    """A memfd, mapped."""

    def __init__(self, descriptor):
        self._memory = mmap.mmap(descriptor, os.fstat(descriptor).st_size)

    def view(self, dtype, shape, offset):
        shape = torch.Size(shape)
        return torch.frombuffer(self._memory, dtype=dtype, count=shape.numel(), offset=offset).view(shape)

    def close(self):
        """Leaves with its last view."""


class Memory:
    """Memory that the caller made, and where in it each tensor lies: memory files, or allocations of a device where
    the bytes of each are told. Closes the descriptors; views end with it."""

    def __init__(self, descriptors, places, device=None, device_bytes=()):
        self._descriptors = descriptors
        self._places = places
        self._device = device
        self._device_bytes = device_bytes
        self._opened = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for memory in self._opened.values():
            memory.close()
        for descriptor in self._descriptors:
            os.close(descriptor)

    def __len__(self):
        return len(self._places)

    def _open(self, number):
        if number not in self._opened:
            descriptor = self._descriptors[number]
            if self._device_bytes:
                self._opened[number] = DeviceAllocation(descriptor, self._device_bytes[number], self._device)
            else:
                self._opened[number] = MemoryFile(descriptor)
        return self._opened[number]

    def view(self, number, dtype, shape):
        """The place of that number as a tensor."""
        place = self._places[number]
        size = math.prod(shape) * dtype.itemsize
        if place["bytes"] != size:
            raise Unsupported(f"a tensor of {size} bytes does not go into a place of {place['bytes']}")
        if size == 0:
            return torch.empty(shape, dtype=dtype, device=self._device if self._device_bytes else None)
        return self._open(place["file"]).view(dtype, shape, place["offset"])

    def overlap(self, first):
        """Whether a place from `first` on shares memory with one before."""
        before, after = self._places[:first], self._places[first:]
        return any(one["file"] == other["file"] and one["offset"] < other["offset"] + other["bytes"]
                   and other["offset"] < one["offset"] + one["bytes"] for one in before for other in after)

    def expect(self, count, what):
        if len(self) != count:
            raise Unsupported(f"{what}: {count} tensors do not go into {len(self)} places")

    @torch.no_grad()
    def write(self, tensors, first=0):
        for number, tensor in enumerate(tensors, first):
            self.view(number, tensor.dtype, tensor.shape).copy_(tensor)

    @torch.no_grad()
    def read_into(self, tensors, first=0):
        by_dtype = {}  # together: of the many small tensors of a deep model each copy is mostly its call
        for number, tensor in enumerate(tensors, first):
            into, values = by_dtype.setdefault(tensor.dtype, ([], []))
            into.append(tensor)
            values.append(self.view(number, tensor.dtype, tensor.shape))
        for into, values in by_dtype.values():
            torch._foreach_copy_(into, values)


def blocks(tensor):
    """Index tuples that cut `tensor` into pieces of at most BLOCK elements where one axis allows it."""
    if tensor.numel() <= BLOCK:
        yield ()
        return
    rest = tensor.numel() // tensor.shape[0]
    step = max(1, BLOCK // rest)
    for begin in range(0, tensor.shape[0], step):
        piece = (slice(begin, begin + step),)
        if rest <= BLOCK:
            yield piece
        else:
            for inner in blocks(tensor[begin]):
                yield (begin, *inner)
