"""A model made and called once, with tensors that have shapes and no values, on a device that need not be there: for
answers that load what they have built no sooner than that."""

import types

import torch
from torch._subclasses import fake_tensor
from torch._subclasses.fake_tensor import FakeTensorMode

from ridgeline_runner import extension, source
from ridgeline_runner.job import decoded
from ridgeline_runner.tensors import DTYPES


def _pretend_cuda():
    """What answers ask before they load a kernel. An H100 or its like: whatever they build is built for the card that
    there is."""
    card = types.SimpleNamespace(name="NVIDIA H200", major=9, minor=0, multi_processor_count=132, warp_size=32,
                                 total_memory=139 << 30, max_threads_per_multi_processor=2048,
                                 shared_memory_per_block=48 << 10, shared_memory_per_block_optin=227 << 10,
                                 shared_memory_per_multiprocessor=228 << 10, regs_per_multiprocessor=65536,
                                 L2_cache_size=50 << 20)
    cuda = torch.cuda
    cuda.is_available = cuda.is_initialized = lambda: True
    cuda.init = cuda.synchronize = cuda.empty_cache = cuda.set_device = lambda *_, **__: None
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.get_device_capability = lambda *_: (card.major, card.minor)
    cuda.get_device_name = lambda *_: card.name
    cuda.get_device_properties = lambda *_: card
    fake_tensor.init_gpu_context = lambda _: None  # it touches the device where there seems to be one
    torch.nn.Module.cuda = torch.nn.Module.to = lambda self, *_, **__: self  # tensors without values cannot be swapped


def prepare(job):
    """Before the answer is executed."""
    if job["device"] == "cuda":
        _pretend_cuda()


def _inputs(job):
    for one in job["forward"]:
        if "tensor" in one:
            told = job["tensors"][one["tensor"]]
            yield torch.empty(told["shape"], dtype=DTYPES[told["dtype"]], device=job["device"])
        else:
            yield decoded(one["value"])


def _model(job, module):
    return source.build(module, job["class"], job["name"], decoded(job["init"]["arguments"]),
                        decoded(job["init"]["named"]), job["seed"])


def rehearse(job, module):
    """Raises what construction raises. What forward raises is no news, since it may want values; but that something did
    not build is."""
    try:
        with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
            model = _model(job, module)
            try:
                model(*_inputs(job))
            except extension.DidNotBuild:
                raise
            except Exception:
                pass
    except extension.DidNotBuild:
        raise
    except Exception:
        if job["device"] == "cuda":
            raise
        _model(job, module)  # with values


def warm_up():
    """What the first such call pays for."""
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
        torch.nn.Linear(8, 8)(torch.empty(2, 8))
