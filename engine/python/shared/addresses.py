"""A tensor over memory that somebody else owns, given by its address: of this process, or of a CUDA device.

By DLPack, torch's public door for foreign memory: nothing to compile, no numpy. Self-contained, since two packages
carry it.
"""

import ctypes

import torch

_CPU, _CUDA = 1, 2
_INTEGER, _UNSIGNED, _FLOAT, _BFLOAT, _COMPLEX, _BOOL = 0, 1, 2, 4, 5, 6
_TYPES = {
    torch.float64: (_FLOAT, 64),
    torch.float32: (_FLOAT, 32),
    torch.float16: (_FLOAT, 16),
    torch.bfloat16: (_BFLOAT, 16),
    torch.int64: (_INTEGER, 64),
    torch.int32: (_INTEGER, 32),
    torch.int16: (_INTEGER, 16),
    torch.int8: (_INTEGER, 8),
    torch.uint8: (_UNSIGNED, 8),
    torch.bool: (_BOOL, 8),
    torch.complex64: (_COMPLEX, 64),
    torch.complex128: (_COMPLEX, 128),
}


class _Managed(ctypes.Structure):
    """DLManagedTensor, its DLTensor written out."""

    _fields_ = [("data", ctypes.c_void_p), ("device_type", ctypes.c_int32), ("device_id", ctypes.c_int32),
                ("dimensions", ctypes.c_int32), ("code", ctypes.c_uint8), ("bits", ctypes.c_uint8),
                ("lanes", ctypes.c_uint16), ("shape", ctypes.POINTER(ctypes.c_int64)),
                ("strides", ctypes.POINTER(ctypes.c_int64)), ("byte_offset", ctypes.c_uint64),
                ("context", ctypes.c_void_p), ("deleter", ctypes.c_void_p)]


_kept = {}  # by address, until torch has done with it
_forget = ctypes.CFUNCTYPE(None, ctypes.c_void_p)(lambda address: _kept.pop(address, None))
_NAME = b"dltensor"
_capsule = ctypes.pythonapi.PyCapsule_New
_capsule.restype = ctypes.py_object
_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_from_dlpack = torch.utils.dlpack.from_dlpack


def tensor_at(address, dtype, shape, device):
    """Contiguous, a tensor of its own and no view. The memory must outlive it."""
    if 0 in shape:
        return torch.empty(shape, dtype=dtype, device=device)
    sizes = (ctypes.c_int64 * max(1, len(shape)))(*shape)
    cuda = device.type == "cuda"
    code, bits = _TYPES[dtype]
    managed = _Managed(data=address, device_type=_CUDA if cuda else _CPU, device_id=(device.index or 0) if cuda else 0,
                       dimensions=len(shape), code=code, bits=bits, lanes=1, shape=sizes, strides=None, byte_offset=0,
                       context=None, deleter=ctypes.cast(_forget, ctypes.c_void_p))
    place = ctypes.addressof(managed)
    _kept[place] = (managed, sizes)
    return _from_dlpack(_capsule(place, _NAME, None))
