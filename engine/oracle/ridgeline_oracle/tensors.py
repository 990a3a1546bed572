"""Tensors as facts, as memory, and in blocks."""

import mmap
import os

import torch

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


class Memory:
    """Memory files that the caller made, and where in them each tensor lies. Closes the descriptors."""

    def __init__(self, descriptors, places):
        self._descriptors = descriptors
        self._places = places
        self._mapped = {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for descriptor in self._descriptors:
            os.close(descriptor)

    def __len__(self):
        return len(self._places)

    def _file(self, number):
        if number not in self._mapped:
            descriptor = self._descriptors[number]
            self._mapped[number] = mmap.mmap(descriptor, os.fstat(descriptor).st_size)
        return self._mapped[number]

    def _views(self, tensors, first):
        """With each tensor its place, as a tensor of that dtype and shape."""
        for tensor, place in zip(tensors, self._places[first:]):
            size = tensor.numel() * tensor.element_size()
            if place["bytes"] != size:
                raise Unsupported(f"a tensor of {size} bytes does not go into a place of {place['bytes']}")
            if size > 0:
                flat = torch.frombuffer(self._file(place["file"]), dtype=tensor.dtype, count=tensor.numel(),
                                        offset=place["offset"])
                yield tensor, flat.view(tensor.shape)

    def expect(self, count, what):
        if len(self) != count:
            raise Unsupported(f"{what}: {count} tensors do not go into {len(self)} places")

    @torch.no_grad()
    def write(self, tensors, first=0):
        for tensor, view in self._views(tensors, first):
            view.copy_(tensor)

    @torch.no_grad()
    def read_into(self, tensors, first=0):
        for tensor, view in self._views(tensors, first):
            tensor.copy_(view)


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
