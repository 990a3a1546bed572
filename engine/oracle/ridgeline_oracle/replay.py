"""Inputs of a task that was made from a test: those that only the test's own code can draw."""

import torch

from ridgeline_oracle.test_run import Test, run_test

_MOST = 2**62


def replayed(names, test, entry, support, computes, wanted):
    """The leaves `wanted` of the calls that the test makes, drawn by torch's generator as it stands now. Each is (call,
    leaf, shape, dtype). On the meta device only what it would look like."""
    device = torch.get_default_device()
    if device.type == "meta":
        return [torch.empty(shape, dtype=dtype) for _, _, shape, dtype in wanted]
    seed = int(torch.randint(_MOST, (), device="cpu"))
    calls = run_test(Test(names.get("__file__", "test"), test, entry, support), names, seed, device, None, computes)
    found = []
    for call, leaf, shape, dtype in wanted:
        tensor = calls[call].leaves[leaf]
        if tuple(tensor.shape) != tuple(shape) or tensor.dtype != dtype:
            raise ValueError(f"call {call + 1} of the test takes a tensor {tuple(tensor.shape)} in this draw, and took "
                             f"{tuple(shape)} when the task was made")
        found.append(tensor)
    return found
