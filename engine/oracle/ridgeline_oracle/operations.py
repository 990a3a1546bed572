"""Counts the operations of one forward: torch's own formulas, plus those of fused recurrent nets, which it has none
for. What is elementwise counts as one for each element of the outputs."""

import math

import torch
from torch.utils.flop_counter import FlopCounterMode


def _multiplied(input_shape, weights):
    """A multiplication and an addition for each element of a matrix, at each step of each sequence."""
    return 2 * input_shape[0] * input_shape[1] * sum(math.prod(one) for one in weights if len(one) == 2)


def _on_cpu(input_shape, weight_ih, weight_hh, *_, **__):
    return _multiplied(input_shape, [weight_ih, weight_hh])


def _on_gpu(input_shape, weights, *_, **__):
    return _multiplied(input_shape, weights)


class Operations:
    """`count` of an `outputs` list, after a forward within it."""

    def __init__(self):
        self._counter = FlopCounterMode(display=False, custom_mapping={
            torch.ops.aten.mkldnn_rnn_layer: _on_cpu,
            torch.ops.aten._cudnn_rnn: _on_gpu,
        })

    def __enter__(self):
        self._counter.__enter__()
        return self

    def __exit__(self, *error):
        self._counter.__exit__(*error)

    def count(self, outputs):
        return int(self._counter.get_total_flops()) + sum(one.numel() for one in outputs)
