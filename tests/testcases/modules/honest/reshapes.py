# Heads split and merged by unflatten, movedim and flatten, as einops would.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        heads = 2 if x.shape[1] % 2 == 0 else 1
        pieces = x.unflatten(1, (heads, -1)).movedim(1, 0)
        weights = self.linear.weight.unflatten(1, (heads, -1)).permute(1, 2, 0)
        return torch.bmm(pieces, weights).sum(0) + self.linear.bias
