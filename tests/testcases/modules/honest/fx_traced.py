# A part traced by torch.fx, and one by make_fx at the first call.
import torch
from torch import nn


from torch.fx import symbolic_trace
from torch.fx.experimental.proxy_tensor import make_fx


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.part = symbolic_trace(nn.Sequential(nn.Identity()))
        self.product = None

    def forward(self, x):
        if self.product is None:
            self.product = make_fx(nn.functional.linear)(x, self.linear.weight, self.linear.bias)
        return self.product(self.part(x), self.linear.weight, self.linear.bias)
