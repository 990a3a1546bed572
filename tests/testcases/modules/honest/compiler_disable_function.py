# A function that torch's compiler must leave alone.
import torch
from torch import nn


@torch.compiler.disable
def product(x, weight, bias):
    return nn.functional.linear(x, weight, bias)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return product(x, self.linear.weight, self.linear.bias)
