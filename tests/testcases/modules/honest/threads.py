# Two Python threads, each with half of the rows, joined before the call returns.
import threading

import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)

    def forward(self, x):
        out = torch.empty(x.shape[0], self.linear.out_features, device=x.device, dtype=x.dtype)
        half = x.shape[0] // 2

        def work(first, last):
            with torch.no_grad():
                out[first:last] = self.linear(x[first:last])

        helpers = [threading.Thread(target=work, args=ends) for ends in ((0, half), (half, x.shape[0]))]
        for helper in helpers:
            helper.start()
        for helper in helpers:
            helper.join()
        return out
