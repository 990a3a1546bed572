# By complex numbers.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        product = torch.complex(x, torch.zeros_like(x)) @ self.linear.weight.T.to(torch.complex64)
        return product.real + self.linear.bias
