"""One KernelBench task file, given as text and run as it is in a module of its own."""

import copy
import inspect
import itertools
import linecache
import sys
import types
import weakref

import torch

from ridgeline_oracle.tensors import Unsupported

PUBLIC_SEED = 42  # of weights, as KernelBench has it: known to candidates, and never that of inputs
_numbers = itertools.count()


def module_of(name, text):
    """A fresh module of `text`. Tracebacks and inspect.getsource find its lines under `name`, though no file has it."""
    text = text.removeprefix("\ufeff")
    module = types.ModuleType(f"kernelbench_task_{next(_numbers)}")
    module.__file__ = name
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    sys.modules[module.__name__] = module  # what looks a class up by its module finds it
    try:
        exec(compile(text, name, "exec", dont_inherit=True), module.__dict__)
    except BaseException:
        del sys.modules[module.__name__]
        raise
    return module


class Task:
    """A file's three names. Each load is a fresh module, kept by `module` alone: forward and __init__ read its
    globals.

    `cast_to`: a dtype of torch, in which the task is posed: KernelBench's evaluator constructs in float32 and then moves
    the model by `to(dtype)`, which casts parameters and buffers and leaves plain tensors (src/kernelbench/eval.py). None
    leaves all as the file has it."""

    def __init__(self, name, text, cast_to=None):
        self.name = name
        self.cast_to = cast_to
        self.module = module_of(name, text)
        weakref.finalize(self, sys.modules.pop, self.module.__name__, None)
        for wanted in ("Model", "get_inputs", "get_init_inputs"):
            if not hasattr(self.module, wanted):
                raise Unsupported(f"{name} defines no {wanted}; a KernelBench task has Model, get_inputs and "
                                  "get_init_inputs")

    def init_arguments(self):
        """Positional and named ones. What is no tensor passes as it is."""
        seed_all(PUBLIC_SEED)
        arguments = self.module.get_init_inputs()
        # Most files return a list; a few of the format's descendants return ([...], {...}).
        if (isinstance(arguments, (list, tuple)) and len(arguments) == 2 and isinstance(arguments[0], (list, tuple))
                and isinstance(arguments[1], dict)):
            return list(arguments[0]), dict(arguments[1])
        return list(arguments), {}

    def build(self, seed, device, drawn_on=None):
        """The model in the mode that its constructor leaves it in (training), on `device`. The seed is set anew before
        construction, as KernelBench does, and random values are drawn on `drawn_on`, unless that is None on `device`."""
        with torch.device(drawn_on or device), torch.no_grad():
            arguments, named = self.init_arguments()
            seed_all(seed)
            model = self.module.Model(*arguments, **named)
        return model.to(device, self.cast_to)

    def cast_input(self, tensor):
        """An index stays an index, though KernelBench's evaluator casts these too."""
        return tensor.to(self.cast_to) if self.cast_to and tensor.is_floating_point() else tensor

    def inputs(self, seed, device):
        """Drawn on `device` itself: the rule of KernelBench, not its bits. Floating ones are in the task's dtype."""
        with torch.device(device), torch.no_grad():
            seed_all(seed)
            drawn = self.module.get_inputs()
        drawn = list(drawn)
        for position, one in enumerate(drawn):  # one by one: a cast of gigabytes frees them before the next
            drawn[position] = self.cast_input(one.to(device)) if isinstance(one, torch.Tensor) else one
        return drawn

    def input_names(self):
        """Those of forward's parameters, by position."""
        names = []
        for parameter in list(inspect.signature(self.module.Model.forward).parameters.values())[1:]:
            if parameter.kind in (parameter.POSITIONAL_ONLY, parameter.POSITIONAL_OR_KEYWORD):
                names.append(parameter.name)
        return names


def seed_all(seed):
    torch.manual_seed(seed)  # every device's generator too


def attributes(model):
    """Plain tensors that a module holds: state that no state_dict knows of."""
    for prefix, module in model.named_modules():
        for name, value in vars(module).items():
            if isinstance(value, torch.Tensor):
                yield module, name, f"{prefix}.{name}" if prefix else name, value


def state(model):
    """(kind, name, tensor) of all that forward may read and a constructor made, in a fixed order."""
    for name, value in model.named_parameters():
        yield "parameter", name, value
    for name, value in model.named_buffers():
        yield "buffer", name, value
    for _, _, name, value in attributes(model):
        yield "attribute", name, value


def copy_of(model):
    """A model that may run without changing `model`: parameters are shared, all other state is its own."""
    shared = {id(parameter): parameter for parameter in model.parameters()}
    return copy.deepcopy(model, shared)


def twin_of(model):
    """Another model on the very same tensors: what its forward does to the module itself is its own, and whoever runs
    it writes the tensors anew first. Of hundreds of layers it takes a quarter of the time of a copy in float64."""
    return copy.deepcopy(model, {id(tensor): tensor for _, _, tensor in state(model)})


def model_over(model, tensors):
    """A model on `tensors`, in the order of `state(model)`: its parameters are these, no copies. Of buffers and other
    tensors, which forward may write to, it has copies."""
    places = {}
    for (kind, _, value), tensor in zip(state(model), tensors):
        one = torch.nn.Parameter(tensor, requires_grad=False) if kind == "parameter" else tensor.clone()
        places[id(value)] = one
    return copy.deepcopy(model, places)


def copy_state(source, target):
    """Every tensor of `source` into its namesake in `target`. Construction order is never trusted for that."""
    into = {(kind, name): tensor for kind, name, tensor in state(target)}
    with torch.no_grad():
        for kind, name, tensor in state(source):
            into[(kind, name)].copy_(tensor)
