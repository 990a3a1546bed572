# By NumPy, over the same memory.
import torch
from torch import nn


import numpy  # noqa: F401


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product = x.numpy() @ self.linear.weight.detach().numpy().T
        return torch.from_numpy(product) + self.linear.bias
