"""A constructor that reads a global, and a tensor that is neither parameter nor buffer and changes."""

import torch


class Model(torch.nn.Module):
    def __init__(self, width):
        super().__init__()
        self.step = torch.nn.Linear(width, width)
        self.hidden = torch.randn(rows, width)

    def forward(self, x):
        self.hidden = torch.tanh(self.step(x) + self.hidden)
        return self.hidden


rows = 4


def get_inputs():
    return [torch.rand(rows, 8)]


def get_init_inputs():
    return [8]
