# Asks torch for deterministic algorithms, which imports torch's compiler's settings.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        torch.use_deterministic_algorithms(True)

    def forward(self, x):
        return self.linear(x)
