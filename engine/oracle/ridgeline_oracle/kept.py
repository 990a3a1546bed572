"""A copy of a model that run after run takes, since copying hundreds of layers takes longer than many a forward: its
state is written anew each time, and all else must be as the constructor left it."""

import types

import torch

from ridgeline_oracle.task_file import state, twin_of

TORCHS_OWN = frozenset(vars(torch.nn.Module()))
ENTRIES = ("_parameters", "_buffers", "_modules")
FIXED = (type(None), bool, int, float, complex, str, bytes, torch.dtype, torch.device, torch.Size, torch.Tensor,
         types.FunctionType, types.BuiltinFunctionType)


def fixed(value):
    """Whether a change of it is seen by identity alone. A tensor's values are written anew before each run."""
    return isinstance(value, FIXED) or (type(value) is tuple and all(
        fixed(one) and not isinstance(one, torch.Tensor) for one in value))


def insides(model):
    """All that its modules hold, by name, or None where a forward could change some of it unseen: a list, say."""
    found = []
    for module in model.modules():
        for name, value in vars(module).items():
            if name in ENTRIES:
                for entry in value.items():
                    found.extend(entry)
            elif name in TORCHS_OWN and not isinstance(value, FIXED):
                if value and name != "_non_persistent_buffers_set":
                    return None  # hooks
            elif fixed(value):
                found.extend((name, value))
            else:
                return None
    return found


def layout(tensors):
    return [(one.shape, one.stride(), one.dtype, one.data_ptr()) for one in tensors]


class Kept:
    def __init__(self, model, may_run_itself):
        self.model = model
        self.tensors = [value for _, _, value in state(model)]
        self._layout = layout(self.tensors)
        self._insides = insides(model) if may_run_itself else None

    @property
    def runs_itself(self):
        return self._insides is not None

    def ready(self):
        """What a forward may run on, once the state is written into `tensors`."""
        return self.model if self.runs_itself else twin_of(self.model)

    def as_it_was(self):
        """After a forward that may have reshaped or replaced anything."""
        if layout(self.tensors) != self._layout:
            return False
        if not self.runs_itself:
            return True
        now = insides(self.model)
        return now is not None and len(now) == len(self._insides) and all(
            one is other for one, other in zip(now, self._insides))
