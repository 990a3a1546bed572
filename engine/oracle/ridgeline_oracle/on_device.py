"""Code that names 'cuda', run on another device."""

import torch
from torch.overrides import TorchFunctionMode

from ridgeline_oracle.cuda_names import names_cuda


class OnDevice(TorchFunctionMode):
    """Within it torch's functions take `device` wherever the code says cuda. On a card nothing is changed but the
    card's number."""

    def __init__(self, device):
        super().__init__()
        self._device = torch.device(device)

    def __torch_function__(self, function, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        if function is torch.Tensor.cuda:
            return args[0].to(self._device)
        args = tuple(self._device if names_cuda(one) else one for one in args)
        kwargs = {key: self._device if names_cuda(one) else one for key, one in kwargs.items()}
        return function(*args, **kwargs)
