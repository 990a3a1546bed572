"""Work whose result is nothing."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return torch.clamp(torch.sin(x) - 2, min=0)


def get_inputs():
    return [torch.rand(32, 32)]


def get_init_inputs():
    return []
