# By a sparse matrix.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return torch.sparse.mm(self.linear.weight.to_sparse(), x.T).T.contiguous() + self.linear.bias
