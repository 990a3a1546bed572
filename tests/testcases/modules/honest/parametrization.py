# A weight behind a parametrization, which is the identity here.
import torch
from torch import nn


from torch.nn.utils import parametrize


class Symmetric(nn.Module):
    def forward(self, weight):
        return weight.triu() + weight.triu(1).T


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.scale = nn.Linear(4, 4)
        parametrize.register_parametrization(self.scale, "weight", Symmetric())

    def forward(self, x):
        return self.linear(x) + self.scale.weight.sum() * 0
