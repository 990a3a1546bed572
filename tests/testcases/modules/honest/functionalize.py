# In-place code made functional by torch.func.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.func.functionalize(self.product)(x, self.linear.weight, self.linear.bias)

    @staticmethod
    def product(x, weight, bias):
        return (x @ weight.T).add_(bias)
