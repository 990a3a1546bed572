# idea: As lstm_forgets for a GRU: its update gates lie near a half, so the last hidden states are those of the last quarter of the sequence. Nulls try first halves only.
# task: level3/40_GRUHidden.py
import torch
import torch.nn as nn


class ModelNew(nn.Module):
    def __init__(self, input_size, hidden_size, num_layers=3, bias=True, batch_first=False):
        super().__init__()
        self.gru = nn.GRU(input_size, hidden_size, num_layers, bias, batch_first, dropout=0, bidirectional=False)
        self.batch_first = batch_first

    def forward(self, x, h0):
        last = x[:, -160:] if self.batch_first else x[-160:]
        return self.gru(last.contiguous(), h0)[1]
