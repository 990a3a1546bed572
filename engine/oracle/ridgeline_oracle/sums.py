"""Counts the terms of the sums behind one element in one forward: what a float32 result's error grows with, whatever the
order that they are added up in. Only what adds counts: a maximum or a view has fewer outputs than inputs too."""

import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

_OVER_ALL = {  # as many as go into an element of the output
    "sum", "nansum", "mean", "nanmean", "var", "std", "var_mean", "std_mean", "norm", "linalg_vector_norm", "prod",
    "logsumexp", "dot", "mv", "trace", "_adaptive_avg_pool2d",
    "_adaptive_avg_pool3d", "mse_loss", "l1_loss", "smooth_l1_loss", "huber_loss", "soft_margin_loss",
    "binary_cross_entropy", "multi_margin_loss",
}
_ALONG = {"cumsum", "cumprod", "logcumsumexp", "_softmax", "_log_softmax"}  # a dimension: the second argument


def _over_all(result, args):
    given = max((one.numel() for one in tree_leaves(args) if isinstance(one, torch.Tensor)), default=0)
    made = max((one.numel() for one in tree_leaves(result) if isinstance(one, torch.Tensor)), default=0)
    return given // made if made else 0


def _convolution(_, args):
    weight = args[1].shape
    if len(args) > 8 and args[6]:  # transposed: inputs first, and groups share them
        return weight[0] // args[8] * math.prod(weight[2:])
    return math.prod(weight[1:])


def _picked(result, args):
    """Of each row or pixel the element that its target names."""
    return args[1].numel() // max(1, result[0].numel())


_OTHERS = {
    "mm": lambda _, args: args[0].shape[-1],
    "bmm": lambda _, args: args[0].shape[-1],
    "addmm": lambda _, args: args[1].shape[-1],
    "baddbmm": lambda _, args: args[1].shape[-1],
    "convolution": _convolution,
    "nll_loss_forward": _picked,
    "nll_loss2d_forward": _picked,
    "native_layer_norm": lambda _, args: math.prod(args[1]),
    "native_group_norm": lambda _, args: args[4] // args[6] * args[5],
}


def _batch_norm(name, args):
    """Over all but the channels; where running figures serve, nothing is summed."""
    training = next((one for one in args if isinstance(one, bool)), True)
    if "no_training" in name or "no_update" in name or not training:
        return 0
    return args[0].numel() // max(1, args[0].shape[1])


def _pool(name, args):
    """Windows may overlap."""
    kernel = [args[1]] if isinstance(args[1], int) else list(args[1])
    return math.prod(kernel * int(name[-2]) if len(kernel) == 1 else kernel)


def _terms(name, result, args):
    if name in _OVER_ALL:
        return _over_all(result, args)
    if name in _ALONG:
        return args[0].shape[args[1]] if args[0].dim() else 1
    if name.startswith("avg_pool"):
        return _pool(name, args)
    if "batch_norm" in name:
        return _batch_norm(name, args)
    if "scaled_dot_product" in name:
        return max(args[1].shape[-2:])
    return _OTHERS[name](result, args) if name in _OTHERS else 0


class Sums(TorchDispatchMode):
    """After a forward within it: `longest`, the terms of the longest sum of one operator, and `all`, those of all
    operators together, one after the other; 1 where nothing is added up."""

    def __init__(self):
        super().__init__()
        self.longest = self.all = 1

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        result = operator(*args, **(kwargs or {}))
        try:
            terms = int(_terms(operator._overloadpacket.__name__, result, args))
            self.longest = max(self.longest, terms)
            self.all += terms
        except Exception:  # arguments by name, where this looks by place: a guess must not refuse a task
            pass
        return result
