# A function compiled by torch.compile with the backend that changes nothing.
import torch
from torch import nn


@torch.compile(backend="eager")
def product(x, weight, bias):
    return nn.functional.linear(x, weight, bias)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return product(x, self.linear.weight, self.linear.bias)
