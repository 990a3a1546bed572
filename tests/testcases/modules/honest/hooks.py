# Forward and pre-forward hooks.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.linear.register_forward_pre_hook(lambda module, arguments: (arguments[0].contiguous(),))
        self.linear.register_forward_hook(lambda module, arguments, result: result + 0)

    def forward(self, x):
        return self.linear(x)
