# A tensor subclass with __torch_function__, taken off before it is returned.
import torch
from torch import nn


class Named(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        return super().__torch_function__(function, types, args, kwargs or {})


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return self.linear(x.as_subclass(Named)).as_subclass(torch.Tensor)
