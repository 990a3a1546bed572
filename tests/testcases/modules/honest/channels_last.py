# A convolution of one by one, with weight and input in channels_last.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        image = x[:, :, None, None].contiguous(memory_format=torch.channels_last)
        weight = self.linear.weight[:, :, None, None].contiguous(memory_format=torch.channels_last)
        return nn.functional.conv2d(image, weight, self.linear.bias).flatten(1)
