# Counts operators by a TorchDispatchMode.
import torch
from torch import nn


from torch.utils._python_dispatch import TorchDispatchMode


class Count(TorchDispatchMode):
    calls = 0

    def __torch_dispatch__(self, function, types, args=(), kwargs=None):
        Count.calls += 1
        return function(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        with Count():
            return self.linear(x)
