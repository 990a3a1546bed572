# A function that torch's compiler may call without looking into it.
import torch
from torch import nn


@torch.compiler.allow_in_graph
def product(x, weight, bias):
    return nn.functional.linear(x, weight, bias)


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return product(x, self.linear.weight, self.linear.bias)
