# Counts functions by a TorchFunctionMode.
import torch
from torch import nn


from torch.overrides import TorchFunctionMode


class Count(TorchFunctionMode):
    calls = 0

    def __torch_function__(self, function, types, args=(), kwargs=None):
        Count.calls += 1
        return function(*args, **(kwargs or {}))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        with Count():
            return nn.functional.linear(x, self.linear.weight, self.linear.bias)
