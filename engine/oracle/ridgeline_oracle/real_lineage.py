"""How tensors were made, seen while they are made: provenance.py's look, on a device that has values.

There no value can be read, here any may be. So nothing here says that a value did not steer what was drawn: who uses
it compares two runs under different seeds.
"""

from ridgeline_oracle.provenance import Lineage, whole


class RealLineage(Lineage):
    def _draw(self):
        self._draws += 1
        return self._draws

    def _remember(self, tensor, made, draws):
        storage = tensor.untyped_storage()
        certain = made if made and whole(tensor) else None
        self._known[storage._cdata] = (storage, certain, tensor.dtype, draws)
