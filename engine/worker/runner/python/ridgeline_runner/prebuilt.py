"""The modules that the agent built for this answer, when the answer asks for them again."""

import ctypes
import importlib.machinery
import importlib.util

from ridgeline_runner import extension


class Prebuilt:
    """A workshop (extension.py) of what the job brings: {"key", "name", "file"} of a module, {"key", "error"} of one that
    did not build."""

    def __init__(self, told):
        self._told = {one["key"]: one for one in told}
        self._loaded = {}

    def __call__(self, request, key, is_python_module):
        if key in self._loaded:
            return self._loaded[key]
        told = self._told.get(key)
        if told is None:
            raise RuntimeError(
                f"the extension {request['name']!r} was not built: this request was not made while the answer was "
                "built. Call load_inline where the module is imported or ModelNew is constructed, with sources that "
                "do not change from run to run")
        if "error" in told:
            raise extension.DidNotBuild(told["error"])
        self._loaded[key] = _load(told["name"], told["file"], is_python_module)
        return self._loaded[key]


def _load(name, path, is_python_module):
    if not is_python_module:
        ctypes.CDLL(path)
        return path
    loader = importlib.machinery.ExtensionFileLoader(name, path)
    module = importlib.util.module_from_spec(importlib.util.spec_from_file_location(name, path, loader=loader))
    loader.exec_module(module)
    return module


def install(told):
    extension.install(Prebuilt(told))
