"""The text of a module whose forward makes the calls that were chosen from a test.

Two pieces. The adapter (`Model`) makes the calls; it is given to candidates too, whose function takes the reference's
place, so it says nothing of values. The rest draws inputs, and is the reference's alone.
"""

import math

import torch
from torch.utils._pytree import tree_unflatten

from ridgeline_oracle.tensors import Unsupported

_HEAD = '''import torch as _ridgeline_torch


def _ridgeline_flat(value, device):
    """The tensors of a result, whatever it is nested in; a number becomes a tensor."""
    if value is None:
        return []
    if isinstance(value, _ridgeline_torch.Tensor):
        return [value.to(device)]
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in _ridgeline_flat(one, device)]
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in _ridgeline_flat(value[key], device)]
    if isinstance(value, (bool, int, float, complex)):
        return [_ridgeline_torch.as_tensor(value, device=device)]
    raise TypeError(f"returned a {type(value).__name__} among its results; tensors and numbers are wanted")


class Model(_ridgeline_torch.nn.Module):
    """Makes each call, one after the other, and returns the results of all."""

    ridgeline_widens = True  # what judges it runs it in double precision too

'''


def literal(value):
    """Python text that makes an argument that is no tensor."""
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if value is None or isinstance(value, (bool, int, float, complex, str)):
        return repr(value)
    if isinstance(value, torch.dtype):
        return "_ridgeline_" + str(value)
    if isinstance(value, slice):
        return f"slice({literal(value.start)}, {literal(value.stop)}, {literal(value.step)})"
    raise Unsupported(f"an argument is a {type(value).__name__}")


class _Name:
    """A leaf that is written as a name."""

    def __init__(self, text):
        self.text = text


def written(value):
    if isinstance(value, _Name):
        return value.text
    if isinstance(value, (list, tuple)):  # torch.Size among them
        inner = ", ".join(written(one) for one in value)
        return f"[{inner}]" if isinstance(value, list) else f"({inner},)" if len(value) == 1 else f"({inner})"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{literal(key)}: {written(one)}" for key, one in value.items()) + "}"
    return literal(value)


class Inputs:
    """The tensors that the chosen calls take: one that several take is one input."""

    def __init__(self, calls):
        self.of = {}  # (call, leaf) to position
        self.first = []  # (call, leaf), by position
        self.names = []
        known, taken = {}, set()
        for call in calls:
            for leaf, _ in call.tensors():
                key = call.keys[leaf]
                if key not in known or self._changed(known[key], call.leaves[leaf]):
                    known[key] = len(self.first)
                    self.first.append((call, leaf))
                    self.names.append(_unique(call.names[leaf], taken))
                self.of[call.number, leaf] = known[key]

    def _changed(self, position, tensor):
        """Whether the tensor was written into past torch's version counters, as batch_norm does."""
        call, leaf = self.first[position]
        before = call.leaves[leaf]
        return not torch.equal(before, tensor) and not bool(((before != before) & (tensor != tensor)).any())


def _unique(name, taken):
    chosen, number = name, 1
    while chosen in taken:
        number += 1
        chosen = f"{name}_{number}"
    taken.add(chosen)
    return chosen


def adapter_text(calls, inputs):
    arguments = [f"x_{name}" for name in inputs.names]
    lines = ["    def forward(self, " + ", ".join(arguments) + "):", "        results = []"]
    for call in calls:
        lines += _call_lines(call, inputs, arguments)
    return _HEAD + "\n".join(lines) + "\n        return results\n"


def _call_lines(call, inputs, arguments):
    leaves, copies, kept = [], [], []
    for position, one in enumerate(call.leaves):
        if not isinstance(one, torch.Tensor):
            leaves.append(one)
            continue
        name = arguments[inputs.of[call.number, position]]
        if position in call.written:  # the inputs are the same for every call
            copy = f"written_{position}"
            copies.append(f"        {copy} = {name}.clone()")
            if position not in call.returned:
                kept.append(copy)
            name = copy
        leaves.append(_Name(name))
    positional, named = tree_unflatten(leaves, call.structure)
    texts = [written(one) for one in positional] + [f"{key}={written(one)}" for key, one in named.items()]
    device = arguments[inputs.of[call.number, call.tensors()[0][0]]] + ".device"
    result = [f"        results += _ridgeline_flat(_ridgeline_entry({', '.join(texts)}), {device})"]
    return copies + result + [f"        results.append({one})" for one in kept]


def _draw_text(tensor, made):
    """None if only the test's code can draw it."""
    shape, dtype = tuple(tensor.shape), "_ridgeline_" + str(tensor.dtype)
    kind = made["kind"] if made else None
    if kind == "uniform":
        low, high = made["low"], made["high"]
        text = f"_ridgeline_torch.rand({shape}, dtype={dtype})"
        return text if (low, high) == (0, 1) else f"{text} * {high - low!r} + {low!r}"
    if kind == "normal":
        mean, std = made["mean"], made["std"]
        text = f"_ridgeline_torch.randn({shape}, dtype={dtype})"
        return text if (mean, std) == (0, 1) else f"{text} * {std!r} + {mean!r}"
    if kind == "integers":
        return f"_ridgeline_torch.randint({made['low']}, {made['high']}, {shape}, dtype={dtype})"
    if kind == "constant":
        return f"_ridgeline_torch.full({shape}, {written(made['value'])}, dtype={dtype})"
    return None


def inputs_text(test, inputs, made, computes):
    """get_inputs and get_init_inputs. `made`: for each input how it was drawn, or None."""
    draws, wanted = [], []
    for (call, leaf), how in zip(inputs.first, made):
        tensor = call.leaves[leaf]
        text = _draw_text(tensor, how)
        if text is None:
            text = f"replayed[{len(wanted)}]"
            wanted.append(f"({call.number}, {leaf}, {tuple(tensor.shape)}, _ridgeline_{tensor.dtype})")
        draws.append(text)
    lines = ["def get_inputs():"]
    if wanted:
        lines = [f"_ridgeline_test = {test.text!r}", f"_ridgeline_support = {test.support!r}", "", ""] + lines
        lines += ["    from ridgeline_oracle.replay import replayed as replay", "",
                  f"    replayed = replay(globals(), _ridgeline_test, {test.entry!r}, _ridgeline_support, {computes},",
                  "                      [" + ",\n                       ".join(wanted) + "])"]
    lines += ["    return [", *(f"        {one}," for one in draws), "    ]", "", "",
              "def get_init_inputs():", "    return []", ""]
    return "\n".join(lines)
