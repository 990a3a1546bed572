# On a GPU a graph captured once, fed with each call's input; elsewhere the plain operator.
import torch
from torch import nn


class ModelNew(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.linear = nn.Linear(width, width)
        self.graph = None

    def capture(self, x):
        self.given = torch.empty_like(x)
        stream = torch.cuda.Stream()
        stream.wait_stream(torch.cuda.current_stream())
        with torch.cuda.stream(stream), torch.no_grad():
            self.linear(self.given)
        torch.cuda.current_stream().wait_stream(stream)
        self.graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(self.graph), torch.no_grad():
            self.result = self.linear(self.given)

    def forward(self, x):
        if not (torch.cuda.is_available() and x.is_cuda):
            return self.linear(x)
        if self.graph is None or self.given.shape != x.shape:
            self.capture(x)
        self.given.copy_(x)
        self.graph.replay()
        return self.result.clone()
