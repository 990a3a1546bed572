# Weights by torch's parametrizations for norms.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.normed = nn.Sequential(nn.utils.parametrizations.weight_norm(nn.Linear(4, 4)),
                                    nn.utils.parametrizations.spectral_norm(nn.Linear(4, 4)))

    def forward(self, x):
        return self.linear(x) + self.normed(x[:, :4]).sum() * 0
