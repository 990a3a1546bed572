# Activation checkpointing.
import torch
from torch import nn


from torch.utils.checkpoint import checkpoint


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        return checkpoint(self.linear, x, use_reentrant=False)
