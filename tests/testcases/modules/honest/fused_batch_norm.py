# A linear layer fused with a batch norm of the identity by torch.nn.utils.fusion.
import torch
from torch import nn

from torch.nn.utils.fusion import fuse_linear_bn_eval


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.norm = nn.BatchNorm1d(width, eps=0.0).eval()

    def forward(self, x):
        fused = fuse_linear_bn_eval(self.linear.eval(), self.norm)
        return fused(x)
