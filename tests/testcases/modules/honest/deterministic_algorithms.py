# Asks torch for deterministic algorithms, which imports torch's compiler's settings.
import os

import torch
from torch import nn

os.environ.setdefault("CUBLAS_WORKSPACE_CONFIG", ":4096:8")  # cuBLAS wants it


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        torch.use_deterministic_algorithms(True)

    def forward(self, x):
        return self.linear(x)
