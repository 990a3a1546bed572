"""A test's results, kept in a file by the process that holds the candidate and read by one that does not.

What is kept is data: tensors on their device, arrays, numbers, texts, in lists, tuples and dicts. Of any other object
only its type is kept, and no value equals it.
"""

import torch


class Opaque:
    """An object that cannot be compared outside of its process."""

    def __init__(self, kind):
        self.kind = kind

    def __repr__(self):
        return f"an object of type {self.kind}, which cannot be compared outside of its process"


def _packed(value):
    import numpy

    if isinstance(value, torch.Tensor):
        return ["tensor", value.detach().clone()]
    if isinstance(value, (numpy.ndarray, numpy.generic)):
        array = numpy.ascontiguousarray(value)
        if array.dtype.hasobject:
            return ["opaque", "numpy array of objects"]
        raw = torch.frombuffer(bytearray(array.tobytes()) or bytearray(1), dtype=torch.uint8)
        return ["array", isinstance(value, numpy.generic), array.dtype.str, list(value.shape), raw]
    if value is None or type(value) in (bool, int, float, str):
        return ["plain", value]
    if type(value) is complex:
        return ["complex", value.real, value.imag]
    if isinstance(value, (torch.dtype, torch.device, torch.layout)):
        return ["word", str(value)]
    if isinstance(value, dict):
        return ["dict", [[_packed(key), _packed(item)] for key, item in value.items()]]
    if isinstance(value, (list, tuple)):
        return ["tuple" if isinstance(value, tuple) else "list", [_packed(item) for item in value]]
    return ["opaque", f"{type(value).__module__}.{type(value).__name__}"]


def _word(text):
    kind = text.split(".")[-1]
    found = getattr(torch, kind, None) if text.startswith("torch.") else None
    return found if found is not None else torch.device(text)


def _unpacked(packed):
    import numpy

    kind, *rest = packed
    if kind in ("tensor", "plain"):
        return rest[0]
    if kind == "array":
        scalar, dtype, shape, raw = rest
        dtype = numpy.dtype(dtype)
        count = 1
        for size in shape:
            count *= size
        array = numpy.frombuffer(bytes(raw.tolist())[:count * dtype.itemsize], dtype=dtype).reshape(shape)
        return array[()] if scalar else array
    if kind == "complex":
        return complex(*rest)
    if kind == "word":
        return _word(rest[0])
    if kind == "dict":
        return {_unpacked(key): _unpacked(item) for key, item in rest[0]}
    if kind in ("list", "tuple"):
        items = [_unpacked(item) for item in rest[0]]
        return tuple(items) if kind == "tuple" else items
    return Opaque(rest[0])


def keep(value, path):
    try:
        torch.save(_packed(value), path)
    except Exception as error:  # of a kind that cannot be copied or written: nothing equals it then
        torch.save(["opaque", f"{type(value).__name__} ({error})"], path)


def kept(path):
    """Reads tensors and plain data only: the file is the candidate's."""
    return _unpacked(torch.load(path, weights_only=True))
