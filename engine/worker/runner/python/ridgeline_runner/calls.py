"""Slots and calls: what runs inside the judge's window."""

import torch

from ridgeline_runner.tensors import described

_Tensor = torch.Tensor
_copy = torch._C.TensorBase.copy_
_shape = torch._C.TensorBase.shape.__get__
_dtype = torch._C.TensorBase.dtype.__get__
_layout = torch._C.TensorBase.layout.__get__
_place = torch._C.TensorBase.data_ptr
_grad = torch._C._set_grad_enabled
_strided = torch.strided


class WrongOutput(Exception):
    """Forward returned what the task does not ask for."""


class Slot:
    __slots__ = ("inputs", "outputs", "state")

    def __init__(self, inputs, outputs, state):
        self.inputs = inputs
        self.outputs = outputs  # (view, shape, dtype, where it lies)
        self.state = state


class Calls:
    """One model, the slots arranged for it, and calls of them."""

    def __init__(self, model, job, state):
        self._model = model
        self._job = job
        self._state = state
        self._slots = []
        self._learnt = False

    def arrange(self, pointers, slots, arguments, *_):
        """Makes the views of all slots. Sizes and scalars are ignored: a module's are in its job. Slots whose state
        lies at the same place share its views, and so need no new binding from call to call."""
        if slots and arguments != self._job.arguments:
            raise ValueError(f"{arguments} arguments are arranged; the job has {self._job.arguments}")
        used = self._state.used()
        states = {}
        self._slots = []
        for first in range(0, slots * arguments, max(1, arguments)):
            at = pointers[first:first + arguments]
            key = tuple(at[place.argument] for place in used)
            if key not in states:
                states[key] = self._state.views(at) if used else None
            inputs = tuple(place.view(at[place.argument]) if place else value for place, value in self._job.forward)
            outputs = [self._output(place, at) for place in self._job.outputs]
            self._slots.append(Slot(inputs, outputs, states[key]))

    def run(self, first, count, _=0):
        model, restore = self._model, self._state.restore
        _grad(False)
        for slot in self._slots[first:first + count]:
            if slot.state is not None:
                restore(slot.state)
            result = model(*slot.inputs)
            if not self._learnt and slot.state is not None:
                self._state.learn(slot.state)
                self._learnt = True
            _grad(False)  # forward may have left it on, and copying would then be recorded
            if type(result) is _Tensor and len(slot.outputs) == 1:
                several = (result,)
            else:
                several = self._several(result, slot)
            for position, (view, shape, dtype, place) in enumerate(slot.outputs):
                one = several[position]
                if (type(one) is not _Tensor or _shape(one) != shape or _dtype(one) is not dtype
                        or _layout(one) is not _strided or _place(one) == place):
                    raise WrongOutput(self._refusal(one, position, shape, dtype))
                _copy(view, one)

    @staticmethod
    def _output(place, pointers):
        view = place.view(pointers[place.argument])
        return view, place.shape, place.dtype, _place(view) if view.numel() else None

    @staticmethod
    def _several(result, slot):
        several = result if type(result) in (tuple, list) or isinstance(result, (tuple, list)) else (result,)
        if len(several) != len(slot.outputs):
            raise WrongOutput(f"forward returned {len(several)} outputs; {len(slot.outputs)} are wanted")
        return several

    @staticmethod
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
