# A function scripted by torch.jit.
import torch
from torch import nn


@torch.jit.script
def product(x, weight, bias):
    return torch.addmm(bias, x, weight.t())


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return product(x, self.linear.weight, self.linear.bias)
