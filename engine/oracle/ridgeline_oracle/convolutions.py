"""Whose convolutions a task's runs in float64 take on a GPU: torch's own, by matrices, or cuDNN's. Of sixteen tasks of
KernelBench on an H200 cuDNN's took 0.5 to 10 times as long, mostly more than twice (level2/78: 386 ms and 55)."""

import math
import time

import torch


class Convolutions:
    """One run by each, and from there on by whichever was quicker. One object a task, since shapes decide."""

    def __init__(self):
        self._seconds = {}  # of a run, by whether cuDNN's

    def run(self, attempt):
        """What `attempt` returns; it is called once more, with cuDNN's, where torch's own want more memory than there
        is."""
        cudnn = self._next()
        try:
            return self._timed(attempt, cudnn)
        except torch.OutOfMemoryError:
            if cudnn:
                raise
            self._seconds[False] = math.inf
        torch.cuda.empty_cache()
        return self._timed(attempt, True)

    def _next(self):
        for cudnn in (False, True):
            if cudnn not in self._seconds:
                return cudnn
        return min(self._seconds, key=self._seconds.get)

    def _timed(self, attempt, cudnn):
        before = torch.backends.cudnn.enabled
        torch.backends.cudnn.enabled = cudnn
        began = time.monotonic()
        try:
            result = attempt()
        finally:
            torch.backends.cudnn.enabled = before
        self._seconds[cudnn] = min(time.monotonic() - began, self._seconds.get(cudnn, math.inf))
        return result
