# Computes into memory kept between calls, and returns a copy.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.kept = None

    def forward(self, x):
        if self.kept is None or self.kept.shape[0] != x.shape[0]:
            self.kept = x.new_empty(x.shape[0], self.linear.out_features)
        with torch.no_grad():
            torch.addmm(self.linear.bias, x, self.linear.weight.t(), out=self.kept)
        return self.kept.clone()
