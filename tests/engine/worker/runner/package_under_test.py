"""Finds the package ridgeline_runner and holds what its tests share. A test is run as python3 TEST PACKAGE_FOLDER."""

import os
import sys

import torch  # noqa: F401  (first, as in a runner)

PACKAGE = sys.argv.pop(1)
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

import ridgeline_runner  # noqa: E402

# In the library the shared modules are the package's own.
ridgeline_runner.__path__.append(os.path.join(PACKAGE, "../../../python/shared"))


def place(name, shape, dtype="float32", **rest):
    return {"name": name, "role": "in", "dtype": dtype, "shape": shape, **rest}


LINEAR = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.{name} = torch.nn.Linear(2, 2)
        self.scale = torch.ones(1)
    def forward(self, x):
        return self.{name}(x) * self.scale
"""
