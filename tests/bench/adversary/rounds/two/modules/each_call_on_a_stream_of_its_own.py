# idea: The runner copies results on whatever stream is current when forward returns, and waits for the whole context only at the end of a batch. Each call leaves another stream current, so calls of a batch run beside each other: a recurrent net fills a small part of the device.
# task: level3/42_GRUBidirectionalHidden.py
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, num_layers=3, bias=True, batch_first=False):
        super().__init__()
        self.gru = nn.GRU(input_size, hidden_size, num_layers, bias, batch_first, dropout=0, bidirectional=True)
        self.streams = None
        self.calls = 0

    def forward(self, x, h0):
        if self.streams is None:
            self.streams = [torch.cuda.Stream() for _ in range(4)]
        self.calls += 1
        torch.cuda.set_stream(self.streams[self.calls % len(self.streams)])
        return self.gru(x, h0)[1]
