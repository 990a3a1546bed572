"""Arguments that are no tensors, two outputs."""

import torch


class Model(torch.nn.Module):
    def __init__(self, kernel, names, scale):
        super().__init__()
        self.kernel = kernel
        self.scale = scale

    def forward(self, x, factor, flip):
        y = torch.nn.functional.max_pool2d(x, self.kernel) * self.scale * factor
        return (y.flip(-1) if flip else y), y.sum(dim=0)


def get_inputs():
    return [torch.rand(2, 3, 8, 8), 0.5, True]


def get_init_inputs():
    return [(2, 4), {"a": None}, 1.5]
