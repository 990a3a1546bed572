"""Fails in forward."""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x @ x  # inner extents differ


def get_inputs():
    return [torch.rand(3, 4)]


def get_init_inputs():
    return []
