# Jagged nested tensors.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        rows = torch.nested.nested_tensor_from_jagged(x, torch.tensor([0, 20, x.shape[0]], device=x.device))
        return (rows * 1).values() @ self.linear.weight.T + self.linear.bias
