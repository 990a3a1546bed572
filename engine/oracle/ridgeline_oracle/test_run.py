"""A file of KernelBench-X run with its test: which calls the test makes of the function under test, and with what.

The test draws its inputs itself. Under another seed it draws others of the same kind: positive definite where it makes
them so, sorted where it sorts. That is how inputs are drawn anew without a word about what they are.
"""

import contextlib
import inspect
import random
import sys
import types

import torch
from torch.utils._pytree import tree_flatten, tree_unflatten

from ridgeline_oracle.on_device import OnDevice


class Test:
    """A test's text, the name that it calls, and the modules that it imports from its repository."""

    def __init__(self, name, text, entry, support):
        self.name, self.text, self.entry, self.support = name, text, entry, support


class Call:
    """One call that the test makes. `leaves` are the arguments without their structure."""

    def __init__(self, number, leaves, structure, names):
        self.number, self.structure, self.names = number, structure, names
        # As they were before the call, which may write into them.
        self.leaves = [one.detach().clone() if isinstance(one, torch.Tensor) else one for one in leaves]
        self.keys = [key_of(one) if isinstance(one, torch.Tensor) else None for one in leaves]
        self.made = [None] * len(leaves)
        self.written = ()  # positions of the leaves that the function writes into (harvest.py finds out)
        self.returned = ()  # positions of those among them that it returns, as they are or as a view

    def tensors(self):
        return [(position, one) for position, one in enumerate(self.leaves) if isinstance(one, torch.Tensor)]

    def signature(self):
        """What makes two calls the same case: shapes, dtypes, and every argument that is no tensor."""
        return (repr(self.structure),) + tuple(
            (tuple(one.shape), one.dtype) if isinstance(one, torch.Tensor) else repr(one) for one in self.leaves)

    def arguments(self, change=lambda tensor: tensor.clone()):
        leaves = [change(one) if isinstance(one, torch.Tensor) else one for one in self.leaves]
        return tree_unflatten(leaves, self.structure)


def key_of(tensor):
    """The same for two arguments that are the same tensor with the same values."""
    return (tensor.untyped_storage()._cdata, tensor.storage_offset(), tuple(tensor.shape), tensor.stride(), tensor.dtype,
            tensor._version)


def parameter_names(function, args, kwargs, count):
    """For each leaf of (args, kwargs) the parameter that it belongs to."""
    try:
        declared = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        declared = []
    names = []
    for position, one in enumerate(args):
        own = declared[position] if position < len(declared) else None
        positional = own is not None and own.kind in (own.POSITIONAL_ONLY, own.POSITIONAL_OR_KEYWORD)
        names += [own.name if positional else f"argument_{position}"] * len(tree_flatten(one)[0])
    for name, one in kwargs.items():
        names += [name] * len(tree_flatten(one)[0])
    return names if len(names) == count else ["argument"] * count


class Recorder:
    """Stands in the function's place, notes each call and lets it through."""

    def __init__(self, function, lineage=None, computes=True):
        self._function, self._lineage, self._computes = function, lineage, computes
        self._inside = False
        self._alive = []  # arguments, so that no other tensor takes their address
        self.calls = []

    def __call__(self, *args, **kwargs):
        if self._inside:  # the function calls itself
            return self._function(*args, **kwargs)
        # Where to put the result is not what is computed: that argument is left away.
        judged = {key: one for key, one in kwargs.items() if key != "out"}
        leaves, structure = tree_flatten((args, judged))
        call = Call(len(self.calls), leaves, structure, parameter_names(self._function, args, judged, len(leaves)))
        self.calls.append(call)
        self._alive.append(leaves)
        tensors = [(position, one) for position, one in enumerate(leaves) if isinstance(one, torch.Tensor)]
        if self._lineage:
            for position, one in tensors:
                call.made[position] = (self._lineage.made(one), self._lineage.draws_of(one))
        if not self._computes:
            return None
        self._inside = True
        try:
            result = self._function(*args, **kwargs)
        finally:
            self._inside = False
        self._alive.append(result)
        return result


@contextlib.contextmanager
def importable(support):
    """Modules of the repository, given as texts, found by the test's imports and by nothing afterwards."""
    before = {name: sys.modules.get(name) for name in support}
    path = list(sys.path)
    try:
        for name, text in support.items():
            module = types.ModuleType(name)
            sys.modules[name] = module
            exec(compile(text, name + ".py", "exec", dont_inherit=True), module.__dict__)
        yield
    finally:
        sys.path[:] = path  # tests add folders to it
        for name, module in before.items():
            sys.modules.pop(name, None)
            if module is not None:
                sys.modules[name] = module


@contextlib.contextmanager
def seeded(seed):
    """All generators set to `seed`. A test that sets torch's itself gets a stream that still depends on it."""
    numpy = sys.modules.get("numpy")
    original, state = torch.manual_seed, random.getstate()
    original(seed)
    random.seed(seed)
    if numpy:
        numpy.random.seed(seed % 2**32)
    torch.manual_seed = lambda chosen: original((seed * 0x9E3779B1 + int(chosen)) % 2**63)
    try:
        yield
    finally:
        torch.manual_seed = original
        random.setstate(state)


def run_test(test, names, seed, device, lineage=None, computes=True):
    """The calls that the test makes. `names`: of the module under test; they stay as they are. `computes`: whether the
    function gives results; else it gives None, and what no other result hangs on costs nothing."""
    names = dict(names)
    recorder = names[test.entry] = Recorder(names[test.entry], lineage, computes)
    mode = lineage or contextlib.nullcontext()
    with importable(test.support), torch.no_grad(), torch.device(device), OnDevice(device), seeded(seed), mode:
        exec(compile(test.text, test.name + " (test)", "exec", dont_inherit=True), names)
    return recorder.calls
