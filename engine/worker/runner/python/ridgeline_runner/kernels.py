"""Triton's kernels for a GPU, compiled while an answer is built (ahead.py) and found here when it runs.

Triton finds what it compiled before by the hash of all that went into it, in a folder of its own. Both sides have that
folder made by the class below, and answer alike what triton would otherwise ask other programs about.
"""

import os


class NotCompiled(RuntimeError):
    """A kernel is launched in another way than it was while the answer was built."""


def agree():
    """Returns what goes into the hashes. Both sides are one installation of triton (its version is part of the
    artefact's key), so its own files need not be read whole, and ptxas and `file` need not be started, which a runner
    cannot."""
    import triton
    from triton.runtime import autotuner, build, cache

    cache.triton_key = autotuner.triton_key = lambda: triton.__version__
    build.platform_key = lambda: os.uname().machine
    triton.knobs.nvidia.mock_ptx_version = triton.__version__
    triton.knobs.nvidia.libcuda_path = "/"  # else ldconfig is asked; nothing is linked where it runs


class Folder:
    """Triton's CacheManager: files of all keys beside each other, read where they lie, which is elsewhere when they are
    found than when they were made."""

    place = None
    writable = False

    def __init__(self, key, override=False, dump=False):
        self._key = key

    def _path(self, name):
        plain = name.encode("ascii", "backslashreplace").decode().replace("\\", "_").replace("/", "_")
        return os.path.join(self.place, f"{self._key}-{plain}")

    def get_file(self, name):
        path = self._path(name)
        return path if os.path.exists(path) else None

    def get_group(self, name):
        """A kernel's description and its code."""
        code = name.removesuffix(".json") + ".cubin"
        group = {one: self.get_file(one) for one in (name, code)}
        return group if all(group.values()) else None

    def put(self, data, name, binary=True):
        if not self.writable:
            raise _not_compiled(name.rsplit(".", 1)[0])
        path = self._path(name)
        with open(path, "wb") as file:
            file.write(data if isinstance(data, bytes) else str(data).encode())
        return path

    def put_group(self, name, group):
        pass


def _not_compiled(name):
    return NotCompiled(
        f"{name} was not compiled while the answer was built, where it was called with tensors that have shapes and no "
        "values (a module once, a kernel once a case). Types, shapes, alignments and constexprs have to be the same "
        "there; no launch may depend on values")


def _no_compiler(name, *_, **__):
    raise _not_compiled(name)


def prepare(folder):
    """Before the lockdown of a runner. Without triton the answer's own import says so."""
    try:
        import triton
    except ImportError:
        return
    agree()
    Folder.place = folder
    triton.knobs.cache.manager_class = Folder
    triton.knobs.build.impl = _no_compiler
