# One row at a time, by vmap.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.vmap(lambda row: self.linear.weight @ row + self.linear.bias)(x)
