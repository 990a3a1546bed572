"""Counts what operators would allocate: on the meta device, where tensors have shapes and no elements."""

import weakref

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves


class TooManyOperators(Exception):
    """A recurrent net's steps, most likely: on the meta device each costs more than its work on a real one."""


class LiveBytes(TorchDispatchMode):
    """Bytes of the storages that operators made: while they live, and at the most."""

    def __init__(self, most_operators):
        super().__init__()
        self._left = most_operators
        self.live = 0
        self.peak = 0
        self._seen = set()

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        self._left -= 1
        if self._left < 0:
            raise TooManyOperators
        kwargs = kwargs or {}
        self._see((args, kwargs), lambda storage: 0)  # made before: views of it cost nothing
        result = operator(*args, **kwargs)
        self._see(result, lambda storage: storage.nbytes())
        return result

    def _see(self, tree, cost):
        for leaf in tree_leaves(tree):
            if isinstance(leaf, torch.Tensor):
                self._count(leaf.untyped_storage(), cost)

    def _count(self, storage, cost):
        key = storage._cdata
        if key in self._seen:
            return
        size = cost(storage)
        self._seen.add(key)
        self.live += size
        self.peak = max(self.peak, self.live)
        weakref.finalize(storage, self._gone, key, size)

    def _gone(self, key, size):
        self._seen.discard(key)
        self.live -= size
