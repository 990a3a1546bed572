# Lists of tensors at once.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product, = torch._foreach_add([x @ self.linear.weight.T], [self.linear.bias.expand(x.shape[0], -1)])
        return product
