"""Never ends."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        while True:
            x = x + 1


def get_inputs():
    return [torch.rand(3)]


def get_init_inputs():
    return []
