# Three bfloat16 parts of each operand, whose products in float32 lose nothing.
import torch
from torch import nn


def parts(value):
    high = value.bfloat16()
    middle = (value - high.float()).bfloat16()
    low = (value - high.float() - middle.float()).bfloat16()
    return high.float(), middle.float(), low.float()


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        a, b = parts(x), parts(self.linear.weight)
        total = self.linear.bias
        for i in (2, 1, 0):
            for j in (2, 1, 0):
                total = total + a[i] @ b[j].T
        return total
