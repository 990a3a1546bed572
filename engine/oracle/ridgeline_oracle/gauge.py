"""Factorizations that may come out otherwise: signs, phases and orders that are nobody's fault.

A result of a function that uses one is unique if it stays when the factors are replaced by others that are as right.
"""

import torch
from torch.utils._python_dispatch import TorchDispatchMode

aten = torch.ops.aten


def _signs(like, count):
    """+1 and -1 in turn, beginning with -1: of one column too, the sign is another. A phase for complex ones."""
    signs = torch.ones(count, dtype=like.dtype, device=like.device)
    signs[::2] = -1
    if like.dtype.is_complex:
        signs = signs * torch.exp(torch.tensor(0.7j, dtype=like.dtype, device=like.device))
    return signs


def _svd(result):
    left, values, right = result
    if left.numel() == 0 or right.numel() == 0:  # the values alone were asked for
        return result
    count = values.shape[-1]
    signs = _signs(left, count)
    left, right = left.clone(), right.clone()
    left[..., :, :count] *= signs
    right[..., :count, :] *= signs.conj()[:, None]
    left[..., :, count:] *= -1
    right[..., count:, :] *= -1
    return left, values, right


def _eigh(result):
    values, vectors = result
    return (values, vectors * _signs(vectors, vectors.shape[-1])) if vectors.numel() else result


def _eig(result):
    values, vectors = result
    if vectors.numel() == 0:
        return values.flip(-1), vectors
    return values.flip(-1), (vectors * _signs(vectors, vectors.shape[-1])).flip(-1)


def _qr(result):
    first, second = result
    if first.numel() == 0:  # mode "r"
        signs = _signs(second, second.shape[-2])
        return first, second * signs[:, None]
    signs = _signs(first, first.shape[-1])
    return first * signs, second * signs.conj()[:, None]


# The packed factors of Bunch and Kaufman depend on whose choice of pivots it is; the like of geqrf on how
# reflections are scaled. Nothing is known to be put in their place.
_PACKED = {aten.linalg_ldl_factor_ex, aten.geqrf}
_OTHERS = {aten._linalg_svd: _svd, aten._linalg_eigh: _eigh, aten.linalg_eig: _eig, aten.linalg_qr: _qr,
           aten.linalg_eigvals: lambda values: values.flip(-1), aten._linalg_eigvals: lambda values: values.flip(-1)}


class OtherFactors(TorchDispatchMode):
    """Puts other factors in the place of those that torch computes. `replaced`, `packed`: whether it met some."""

    def __init__(self):
        super().__init__()
        self.replaced = self.packed = False

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        result = operator(*args, **(kwargs or {}))
        packet = operator.overloadpacket
        self.packed |= packet in _PACKED
        if packet not in _OTHERS:
            return result
        self.replaced = True
        return _OTHERS[packet](result)
