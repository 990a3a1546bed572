"""Random numbers in forward."""

import torch


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.drop = torch.nn.Dropout(0.5)

    def forward(self, x):
        return self.drop(x)


def get_inputs():
    return [torch.rand(32, 32)]


def get_init_inputs():
    return []
