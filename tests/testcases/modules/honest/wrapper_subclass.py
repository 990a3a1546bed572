# A tensor subclass with __torch_dispatch__, unwrapped before it is returned.
import torch
from torch import nn


class Wrapped(torch.Tensor):
    @staticmethod
    def __new__(cls, inner):
        return torch.Tensor._make_wrapper_subclass(cls, inner.shape, dtype=inner.dtype, device=inner.device)

    def __init__(self, inner):
        self.inner = inner

    @classmethod
    def __torch_dispatch__(cls, function, types, args=(), kwargs=None):
        return cls(function(*[one.inner if isinstance(one, cls) else one for one in args], **(kwargs or {})))


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return nn.functional.linear(Wrapped(x), self.linear.weight, self.linear.bias).inner
