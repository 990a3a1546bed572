# Hooks on gradients that nobody will ask for.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.linear.weight.register_hook(lambda gradient: gradient * 2)
        self.linear.register_full_backward_hook(lambda module, into, out: None)

    def forward(self, x):
        return self.linear(x)
