"""Takes 'cuda' for the CPU, to try submissions where there is no GPU: each request of torch for that device is one for
the CPU. Triton's own interpreter executes the kernels (interpreted.py)."""

import contextlib
import time

import torch
from torch.overrides import TorchFunctionMode

from ridgeline_submissions.cuda_names import names_cuda

MOST_CALLS = 200  # of one timing: the interpreter takes milliseconds for each program of a grid


class Mapped(TorchFunctionMode):
    def __torch_function__(self, function, types, args=(), kwargs=None):
        named = dict(kwargs or {})
        if function is torch.Tensor.cuda:
            return args[0]
        if function is torch.Tensor.is_cuda.__get__:
            return True
        if names_cuda(named.get("device")):
            named["device"] = "cpu"
        if function is torch.Tensor.to:
            args = tuple("cpu" if names_cuda(value) else value for value in args)
        return function(*args, **named)


@contextlib.contextmanager
def mapped():
    cuda = torch.cuda
    answers = {"is_available": True, "is_initialized": True, "synchronize": None, "manual_seed": None,
               "manual_seed_all": None, "empty_cache": None, "device_count": 1, "current_device": 0,
               "set_device": None, "get_device_capability": (8, 0), "get_device_name": "CPU"}
    for name, value in answers.items():
        setattr(cuda, name, lambda *_, value=value, **__: value)
    cuda.device = lambda *_: contextlib.nullcontext()
    with Mapped():
        yield


def _do_bench(kernel_call, warmup=25, rep=100, grad_to_none=None, quantiles=None, return_mode="mean"):
    """Milliseconds by the wall clock, over calls for `rep` milliseconds."""
    def call():
        begin = time.perf_counter()
        kernel_call()
        return (time.perf_counter() - begin) * 1e3

    spent = call()
    while spent < warmup:
        spent += call()
    times = [call()]
    while sum(times) < rep and len(times) < MOST_CALLS:
        times.append(call())
    times.sort()
    if quantiles:
        return [times[min(len(times) - 1, int(len(times) * share))] for share in quantiles]
    return times[len(times) // 2] if return_mode == "median" else sum(times) / len(times)


def time_by_the_clock():
    try:
        import triton.testing
    except ImportError:
        return
    triton.testing.do_bench = _do_bench
