# The gradient of half a square is the value.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product = self.linear(x)
        return torch.func.grad(lambda one: (one * one).sum() / 2)(product)
