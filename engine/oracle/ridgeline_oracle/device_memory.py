"""Allocations of a CUDA device that the caller made: imported by descriptor through the driver, mapped, and unmapped."""

import ctypes

import torch

from ridgeline_oracle.addresses import tensor_at

_DESCRIPTOR = 1  # CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR
_DEVICE = 1  # CU_MEM_LOCATION_TYPE_DEVICE
_READ_AND_WRITE = 3  # CU_MEM_ACCESS_FLAGS_PROT_READWRITE


class _Access(ctypes.Structure):
    """CUmemAccessDesc."""

    _fields_ = [("type", ctypes.c_int), ("device", ctypes.c_int), ("flags", ctypes.c_int)]


_address, _size, _handle = ctypes.c_uint64, ctypes.c_size_t, ctypes.c_uint64
_SIGNATURES = {
    "cuMemImportFromShareableHandle": [ctypes.POINTER(_handle), ctypes.c_void_p, ctypes.c_int],
    "cuMemAddressReserve": [ctypes.POINTER(_address), _size, _size, _address, ctypes.c_uint64],
    "cuMemMap": [_address, _size, _size, _handle, ctypes.c_uint64],
    "cuMemSetAccess": [_address, _size, ctypes.POINTER(_Access), _size],
    "cuMemUnmap": [_address, _size],
    "cuMemAddressFree": [_address, _size],
    "cuMemRelease": [_handle],
}
_library = None


def _driver():
    """Loaded when it is first wanted: a machine without a GPU has none."""
    global _library
    if _library is None:
        _library = ctypes.CDLL("libcuda.so.1")
        for name, arguments in _SIGNATURES.items():
            getattr(_library, name).argtypes = arguments
    return _library


def _call(name, *arguments):
    result = getattr(_driver(), name)(*arguments)
    if result != 0:
        raise RuntimeError(f"{name} failed with CUDA error {result}")


class DeviceAllocation:
    """One of them, mapped while this is open. `bytes`: what its maker allocated."""

    def __init__(self, descriptor, size, device):
        torch.cuda.current_stream(device).synchronize()  # torch's context is there from now on
        self._device = device
        self._size = size
        handle, address = _handle(), _address()
        _call("cuMemImportFromShareableHandle", ctypes.byref(handle), descriptor, _DESCRIPTOR)
        _call("cuMemAddressReserve", ctypes.byref(address), size, 0, 0, 0)
        self._handle, self._address = handle.value, address.value
        _call("cuMemMap", self._address, size, 0, self._handle, 0)
        access = _Access(_DEVICE, device.index or 0, _READ_AND_WRITE)
        _call("cuMemSetAccess", self._address, size, ctypes.byref(access), 1)

    def view(self, dtype, shape, offset):
        return tensor_at(self._address + offset, dtype, shape, self._device)

    def close(self):
        """Views must not be used any more."""
        torch.cuda.synchronize(self._device)
        _call("cuMemUnmap", self._address, self._size)
        _call("cuMemAddressFree", self._address, self._size)
        _call("cuMemRelease", self._handle)
