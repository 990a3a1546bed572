# Einstein's notation.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.einsum("bi,oi->bo", x, self.linear.weight) + self.linear.bias
