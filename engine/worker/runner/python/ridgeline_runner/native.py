"""What libridgeline-python-runner.so is given for a module's calls (python/module_calls.hpp): the loop, the places of
the buffers and the copying are there, out of the candidate's reach."""

import ctypes

import torch

_object = ctypes.py_object
_base = torch._C.TensorBase


class TorchParts(ctypes.Structure):
    _fields_ = [(name, _object) for name in (
        "tensor_type", "shape_of", "dtype_of", "layout_of", "is_here", "strided", "yes", "no", "to", "device",
        "resolve_conj", "resolve_neg", "contiguous", "address_of", "tuple_type", "list_type", "set_grad")] + [
        ("current_stream", ctypes.c_void_p), ("device_index", ctypes.c_void_p),  # null on a CPU
        ("refusal", _object), ("error_text", _object)]


class ModuleOutput(ctypes.Structure):
    _fields_ = [("argument", ctypes.c_size_t), ("offset", ctypes.c_size_t), ("bytes", ctypes.c_size_t),
                ("shape", _object), ("dtype", _object)]


class Native:
    """The library's functions, called with the interpreter's lock held."""

    def __init__(self, library, device):
        self._device = device
        held = ctypes.PyDLL(None, handle=library._handle)
        self._take_job = held.ridgeline_python_take_job
        self._take_model = held.ridgeline_python_take_model
        self._take_model.argtypes = [_object, _object, _object]
        self._take_slots = held.ridgeline_python_take_slots
        self._take_slots.argtypes = [_object]
        self._place = held.ridgeline_python_place
        self._call_slot = held.ridgeline_python_call_slot
        self._call_slot.argtypes = [ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p]

    def take_job(self, outputs, refusal, error_text):
        """`outputs`: places (tensors.py). Before any code of the candidate runs."""
        cuda = self._device.type == "cuda"
        streams = [torch._C._cuda_getCurrentRawStream, self._device.index or 0] if cuda else []
        parts = TorchParts(
            tensor_type=torch.Tensor, shape_of=_base.shape.__get__, dtype_of=_base.dtype.__get__,
            layout_of=_base.layout.__get__, is_here=(_base.is_cuda if cuda else _base.is_cpu).__get__,
            strided=torch.strided, yes=True, no=False, to=_base.to, device=self._device,
            resolve_conj=_base.resolve_conj, resolve_neg=_base.resolve_neg, contiguous=_base.contiguous,
            address_of=_base.data_ptr, tuple_type=tuple, list_type=list, set_grad=torch._C._set_grad_enabled,
            refusal=refusal, error_text=error_text)
        if streams:
            parts.current_stream, parts.device_index = map(id, streams)
        all_outputs = (ModuleOutput * len(outputs))(*[
            ModuleOutput(place.argument, place.offset, place.bytes, place.shape, place.dtype) for place in outputs])
        self._check(self._take_job(ctypes.byref(parts), all_outputs, ctypes.c_size_t(len(outputs))), "a job")

    def take_model(self, model, restore, learn):
        self._check(self._take_model(model, restore, learn), "a module")

    def take_slots(self, slots):
        """`slots`: pairs of a tuple of arguments, and what `restore` is called with, or None."""
        self._check(self._take_slots(slots), "slots")

    def place(self, pointers, arguments):
        """In a test, where no judge arranges buffers. `pointers` must live as long as calls are made."""
        self._place(pointers, ctypes.c_size_t(arguments))

    def call_slot(self, slot):
        """Returns "" or what went wrong."""
        text, length = ctypes.create_string_buffer(4096), ctypes.c_size_t()
        code = self._call_slot(slot, text, len(text), ctypes.byref(length))
        return text.raw[:length.value].decode("utf-8", "replace") if code else ""

    @staticmethod
    def _check(code, what):
        if code != 0:
            raise RuntimeError(f"the runner takes {what} at another moment")
