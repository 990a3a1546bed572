"""A module's slots: what the calls in the judge's window are made with. The calls themselves are native.py's."""

import torch

from ridgeline_runner.tensors import described

_Tensor = torch.Tensor
_shape = torch._C.TensorBase.shape.__get__
_dtype = torch._C.TensorBase.dtype.__get__
_layout = torch._C.TensorBase.layout.__get__
_strided = torch.strided


class WrongOutput(Exception):
    """Forward returned what the task does not ask for."""


class Calls:
    """One model, and the slots arranged for it."""

    def __init__(self, model, job, state, native):
        self._job = job
        self._state = state
        self._native = native
        native.take_model(model, state.restore, state.learn)

    def arrange(self, pointers, slots, arguments, *_):
        """Makes the views of all slots. Sizes and scalars are ignored: a module's are in its job. Slots whose state
        lies at the same place share its views, and so need no new binding from call to call."""
        if slots and arguments != self._job.arguments:
            raise ValueError(f"{arguments} arguments are arranged; the job has {self._job.arguments}")
        used = self._state.used()
        states = {}
        made = []
        for first in range(0, slots * arguments, max(1, arguments)):
            at = pointers[first:first + arguments]
            key = tuple(at[place.argument] for place in used)
            if key not in states:
                states[key] = self._state.views(at) if used else None
            inputs = tuple(place.view(at[place.argument]) if place else value for place, value in self._job.forward)
            made.append((inputs, states[key]))
        self._native.take_slots(made)

    def run(self, first, count, _=0):
        """Calls slots from Python, outside the judge's windows."""
        for slot in range(first, first + count):
            if words := self._native.call_slot(slot):
                raise WrongOutput(words)


def refusal_of(outputs):
    """Returns the function that says why a result is refused: `position` of an output, or -1 if there are too many or
    too few."""

    def refusal(result, position):
        several = result if isinstance(result, (tuple, list)) else (result,)
        if position < 0:
            return f"forward returned {len(several)} outputs; {len(outputs)} are wanted"
        return _refusal(several[position], position, outputs[position].shape, outputs[position].dtype)

    return refusal


def _refusal(one, position, shape, dtype):
    wanted = f"{described(shape, dtype)} is wanted"
    if type(one) is _Tensor and _layout(one) is not _strided:
        return f"forward returned a tensor of the layout {_layout(one)} as output {position}; a strided one is wanted"
    if type(one) is _Tensor and _shape(one) == shape and _dtype(one) is dtype:
        return f"forward returned the place that output {position} is copied to; return a tensor of its own"
    if type(one) is _Tensor:
        return f"forward returned {described(_shape(one), _dtype(one))} as output {position}; {wanted}"
    if isinstance(one, _Tensor):
        return (f"forward returned a {type(one).__name__}, a subclass of torch.Tensor, as output {position}; "
                "return a plain torch.Tensor, computed when forward returns")
    return f"forward returned a {type(one).__name__} as output {position}; {wanted}"
