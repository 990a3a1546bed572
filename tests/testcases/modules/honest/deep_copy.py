# Copies a part deeply at the first call, with its weights.
import copy

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.__dict__["again"] = None

    def forward(self, x):
        if self.again is None:
            self.__dict__["again"] = copy.deepcopy(self.linear)
        return self.again(x)
