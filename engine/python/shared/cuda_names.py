"""Which words of torch mean a CUDA device: of code that names one and runs on another."""

import torch


def names_cuda(value):
    if isinstance(value, torch.device):
        return value.type == "cuda"
    return isinstance(value, str) and (value == "cuda" or value.startswith("cuda:"))
