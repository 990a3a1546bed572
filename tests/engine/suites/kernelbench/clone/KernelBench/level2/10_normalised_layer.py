"""A layer with weights, running statistics and constructor arguments."""

import torch


class Model(torch.nn.Module):
    def __init__(self, features, width, eps):
        super().__init__()
        self.linear = torch.nn.Linear(features, width)
        self.norm = torch.nn.BatchNorm1d(width, eps=eps)

    def forward(self, x):
        return torch.relu(self.norm(self.linear(x)))


def get_inputs():
    return [torch.rand(32, 48)]


def get_init_inputs():
    return [48, 80, 1e-5]
