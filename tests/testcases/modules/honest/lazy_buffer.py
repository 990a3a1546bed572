# Registers a buffer at the first call.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        if "ones" not in dict(self.named_buffers()):
            self.register_buffer("ones", torch.ones(1, device=x.device, dtype=x.dtype), persistent=False)
        return x @ self.linear.weight.T + self.ones * self.linear.bias
