# A directional derivative of a linear function, which is the function.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product = x @ self.linear.weight.T
        again = torch.func.jvp(lambda one: one @ self.linear.weight.T, (x,), (x,))[1]
        return (product + again) / 2 + self.linear.bias
