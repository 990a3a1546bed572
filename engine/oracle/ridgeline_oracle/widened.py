"""Code that names a precision, run in double precision all the same."""

import torch
from torch.overrides import TorchFunctionMode

_WIDER = {torch.float32: torch.float64, torch.float16: torch.float64, torch.bfloat16: torch.float64,
          torch.complex64: torch.complex128}
_CASTS = {torch.Tensor.float, torch.Tensor.half, torch.Tensor.bfloat16}


def _wider(value):
    return _WIDER.get(value, value) if isinstance(value, torch.dtype) else value


class Widened(TorchFunctionMode):
    """Within it a narrower floating dtype that is named becomes double precision: `softmax(x, dtype=torch.float32)`,
    `x.float()`. Without it an oracle would be no more exact than what it judges."""

    def __torch_function__(self, function, types, args=(), kwargs=None):
        if function in _CASTS:
            return args[0].double()
        return function(*map(_wider, args), **{key: _wider(one) for key, one in (kwargs or {}).items()})
