# On a GPU half of the columns on a stream of its own.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.side = None

    def forward(self, x):
        weight, bias, half = self.linear.weight, self.linear.bias, self.linear.out_features // 2
        if not x.is_cuda:
            return self.linear(x)
        if self.side is None:
            self.side = torch.cuda.Stream()
        out = x.new_empty(x.shape[0], weight.shape[0])
        self.side.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(self.side):
            out[:, :half] = nn.functional.linear(x, weight[:half], bias[:half])
        out[:, half:] = nn.functional.linear(x, weight[half:], bias[half:])
        torch.cuda.current_stream().wait_stream(self.side)
        return out
