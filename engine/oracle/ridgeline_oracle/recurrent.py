"""Gives a recurrent net secret weights with which it remembers.

As torch draws them, an LSTM or a GRU forgets half of its state in each step, and a plain net three quarters. After some
ten to a hundred steps nothing is left above a rounding: an answer that computes the last part of a sequence, or its
pieces side by side, was right. What is written here is part of the weights that every side is given."""

import ast
import inspect
import math
import textwrap

import torch

OPEN_GATE = 6.0  # added to the bias that keeps the state: sigmoid(6) = 0.9975, a quarter is left after 512 steps
RADIUS = 1.5  # of what goes from state to state, before tanh shrinks it


def remember(model):
    """Changes parameters in place."""
    with torch.no_grad():
        for module in model.modules():
            if isinstance(module, (torch.nn.LSTM, torch.nn.GRU, torch.nn.LSTMCell, torch.nn.GRUCell)):
                _open_gates(module)
            elif isinstance(module, (torch.nn.RNN, torch.nn.RNNCell)) and module.nonlinearity == "tanh":
                for name, weight in module.named_parameters():
                    if name.startswith("weight_hh"):
                        _stretch(weight)
        for linear in _called_in_a_loop(model):
            # Over the state beside the step's input, joined in this order.
            if linear.in_features > linear.out_features:
                _stretch(linear.weight[:, -linear.out_features:])


def _open_gates(module):
    """The second of an LSTM's gates keeps its cell, and the second of a GRU's its state."""
    size = module.hidden_size
    for name, bias in module.named_parameters():
        if name.startswith("bias_ih"):
            bias[size:2 * size] += OPEN_GATE


def _stretch(square):
    spread = float(square.float().std()) * math.sqrt(square.shape[-1])
    if spread > 0:
        square *= RADIUS / spread


def _called_in_a_loop(model):
    """The linear layers of `model` itself that its forward calls within a loop, if it names tanh: without it a state
    that is stretched in each step would grow without bound."""
    try:
        text = textwrap.dedent(inspect.getsource(type(model).forward))
        tree = ast.parse(text)
    except (OSError, TypeError, SyntaxError):
        return []
    if "tanh" not in text:
        return []
    names = set()
    for loop in ast.walk(tree):
        if isinstance(loop, (ast.For, ast.While)):
            for node in ast.walk(loop):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and isinstance(
                        node.func.value, ast.Name) and node.func.value.id == "self":
                    names.add(node.func.attr)
    found = (getattr(model, name, None) for name in sorted(names))
    return [layer for layer in found if isinstance(layer, torch.nn.Linear)]
