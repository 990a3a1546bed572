# Joins bias and weight to one matrix, and a column of ones to the input.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        joined = torch.cat([self.linear.weight, self.linear.bias[:, None]], 1)
        return torch.cat([x, x.new_ones(x.shape[0], 1)], 1) @ joined.T
