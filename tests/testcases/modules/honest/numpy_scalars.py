# Sizes and a scale by NumPy's scalars.
import math

import numpy

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.scale = numpy.float32(math.sqrt(4.0)).item()

    def forward(self, x):
        rows = int(numpy.prod(numpy.asarray(x.shape[:-1])))
        product = self.linear(x * self.scale) + self.linear.bias * (self.scale - 1)
        return product.reshape(rows, -1) / self.scale
