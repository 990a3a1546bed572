"""By which operators of torch a call computes: what an answer that was to bring kernels of its own falls back to.

Seen below the dispatcher, so also what C++ of an extension calls, and what a composite operator is made of. An answer
that wants to hide can: this is for honest ones, and for readers."""

import collections

from torch.utils._python_dispatch import TorchDispatchMode

# They make, move, or fill memory; what only looks at it otherwise is known by its schema.
_NO_WORK = frozenset("""empty empty_like empty_strided new_empty new_empty_strided zeros zeros_like new_zeros ones ones_like
new_ones full full_like new_full fill fill_ zero_ copy_ clone _to_copy contiguous detach alias lift_fresh lift_fresh_copy
_unsafe_view resize_ set_ scalar_tensor arange _local_scalar_dense item is_same_size sym_size sym_stride sym_numel
sym_storage_offset stride size numel dim record_stream""".split())


def _is_view(schema):
    returned = schema.returns
    return bool(returned) and all(one.alias_info is not None and not one.alias_info.is_write for one in returned)


class Watch(TorchDispatchMode):
    @classmethod
    def _should_skip_dynamo(cls):
        return False  # else torch's compiler is imported at the first operator: 2.5 s, and sockets

    def __init__(self):
        super().__init__()
        self._seen = collections.Counter()

    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        schema = function._schema
        name = schema.name.removeprefix("aten::")
        if name not in _NO_WORK and not _is_view(schema):
            self._seen[name] += 1
        return function(*arguments, **(named or {}))

    def told(self):
        return "\n".join(f"{name} {count}" for name, count in self._seen.most_common())
