# Deterministic where torch can, and no memory filled for it.
import torch
from torch import nn


torch.use_deterministic_algorithms(True, warn_only=True)
torch.utils.deterministic.fill_uninitialized_memory = False


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        out = torch.empty_like(x)
        return torch.addmm(self.linear.bias, x, self.linear.weight.T, out=out)
