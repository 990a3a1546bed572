# Asks a FakeTensorMode for a shape.
import torch
from torch import nn


from torch._subclasses.fake_tensor import FakeTensorMode


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.shape = None

    def forward(self, x):
        if self.shape is None:
            with FakeTensorMode():
                self.shape = nn.functional.linear(torch.empty(x.shape), torch.empty(self.linear.weight.shape)).shape
        return self.linear(x).view(self.shape)
