"""A CUDA device that is not there, for code that asks about one, and for tensors on it that have shapes and no values."""

import types

import torch
from torch._subclasses import fake_tensor


def pretend(architecture):
    """Returns what answers ask before they load a kernel. An H200 or its like, but for the architecture."""
    card = types.SimpleNamespace(name="NVIDIA H200", major=architecture // 10, minor=architecture % 10,
                                 multi_processor_count=132, warp_size=32, total_memory=139 << 30,
                                 max_threads_per_multi_processor=2048, shared_memory_per_block=48 << 10,
                                 shared_memory_per_block_optin=227 << 10, regs_per_multiprocessor=65536,
                                 shared_memory_per_multiprocessor=228 << 10, L2_cache_size=50 << 20)
    cuda = torch.cuda
    # An object a name: torch._dynamo, which FakeTensorMode imports, knows these functions apart.
    for name, value in (("is_available", True), ("is_initialized", True), ("init", None), ("synchronize", None),
                        ("empty_cache", None), ("set_device", None), ("device_count", 1), ("current_device", 0),
                        ("get_device_capability", (card.major, card.minor)), ("get_device_name", card.name),
                        ("get_device_properties", card), ("_exchange_device", 0), ("_maybe_exchange_device", 0),
                        ("manual_seed", None), ("manual_seed_all", None)):
        setattr(cuda, name, lambda *_, value=value, **__: value)
    fake_tensor.init_gpu_context = lambda _: None  # it touches the device where there seems to be one
    torch.nn.Module.cuda = torch.nn.Module.to = lambda self, *_, **__: self  # tensors without values cannot be swapped
    _replace_methods()


def _replace_methods():
    """Methods of tensors that ask the driver before they ask what kind of tensor it is."""
    tensor = torch.Tensor
    parse, copy = torch._C._nn._parse_to, torch.ops.aten.copy_.default

    def to(self, *arguments, **named):
        again = bool(named.pop("copy", False))
        device, dtype, _, form = parse(*arguments, **named)
        device = torch.device("cuda", 0) if device is not None and device.type == "cuda" else device
        if device is not None and device != self.device:  # nothing is known of the values, so none are kept
            return torch.empty_strided(self.shape, self.stride(), dtype=dtype or self.dtype, device=device)
        if (dtype is None or dtype is self.dtype) and not again:
            return self
        return torch.ops.aten._to_copy.default(self, dtype=dtype or self.dtype, memory_format=form)

    tensor.to = to
    tensor.cuda = lambda self, *_, **__: to(self, "cuda:0")
    tensor.cpu = lambda self, *_, **__: to(self, "cpu")
    for name, dtype in (("float", torch.float32), ("half", torch.float16), ("bfloat16", torch.bfloat16),
                        ("double", torch.float64), ("int", torch.int32), ("long", torch.int64), ("bool", torch.bool)):
        setattr(tensor, name, lambda self, dtype=dtype, **_: to(self, dtype))
    tensor.copy_ = lambda self, other, non_blocking=False: copy(self, other, non_blocking)
    tensor.contiguous = lambda self, memory_format=torch.contiguous_format: (
        self if self.is_contiguous(memory_format=memory_format) else self.clone(memory_format=memory_format))
