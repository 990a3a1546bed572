# By NumPy, over the same memory on a CPU and a copy from a GPU.
import torch
from torch import nn


import numpy  # noqa: F401


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product = x.cpu().numpy() @ self.linear.weight.detach().cpu().numpy().T
        return torch.from_numpy(product).to(x.device) + self.linear.bias
