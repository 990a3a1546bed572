"""Triton on a CPU: its own interpreter executes the kernels, one program of the grid after the other, by numpy.

Imported before the lockdown, and only for an answer that wants it: what is imported earlier looks no different to the
answer, and all that it needs of files is then read.
"""

import os

import torch


def _only_the_first(kernel_call, *_, quantiles=None, **__):
    """Stands for a benchmark of one of autotune's configurations. Their times here say nothing of a GPU, and each call
    of an interpreter is long: all are as good, so that the first is taken, and none is called for its time."""
    return [0.0] * len(quantiles) if quantiles else 0.0


def _driver():
    """Answers what candidates ask of the device. Nothing is compiled for it."""
    from triton.backends.compiler import GPUTarget
    from triton.backends.driver import DriverBase

    class Processor(DriverBase):
        @classmethod
        def is_active(cls):
            return True

        def map_python_to_cpp_type(self, ty):
            raise RuntimeError("nothing is compiled on a CPU: kernels are interpreted")

        def get_current_target(self):
            return GPUTarget("cpu", 0, 1)

        def get_active_torch_device(self):
            return torch.device("cpu")

        def get_device_interface(self):
            return torch.cpu

        def get_current_device(self):
            return 0

        def get_current_stream(self, device=None):
            return 0

        def get_benchmarker(self):
            return _only_the_first

    return Processor()


def _warm_up():
    """At its first product numpy's BLAS takes the memory that it works in, by a call that the lockdown refuses. Small
    matrices that lie as they are multiplied do without, others do not."""
    import numpy

    for dtype in (numpy.float32, numpy.float64):
        one = numpy.ones((256, 256), dtype)
        numpy.matmul(one, one.T)


def _make_scalars_numbers():
    """The bound of a loop is an array of one element to triton 3.6, of which numpy makes no number since 2.4."""
    from triton.runtime import interpreter

    patch = interpreter._patch_lang_tensor

    def patched(tensor, *scope):
        patch(tensor, *scope)
        tensor.__index__ = lambda self: self.handle.data.item()

    interpreter._patch_lang_tensor = patched


def prepare():
    """Without triton the answer's own import says so."""
    os.environ["TRITON_INTERPRET"] = "1"  # read where triton defines its own functions, and at each @triton.jit
    try:
        import triton
        import triton.testing
    except ImportError:
        return
    _warm_up()
    _make_scalars_numbers()
    triton.runtime.driver.set_active(_driver())
    triton.testing.do_bench = triton.testing.do_bench_cudagraph = _only_the_first
