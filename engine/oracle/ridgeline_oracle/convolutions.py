"""Whose convolutions a task's runs in float64 take on a GPU: torch's own, by matrices, or cuDNN's. Of sixteen tasks of
KernelBench on an H200 cuDNN's took 0.5 to 10 times as long, of seven more than twice (level2/78: 386 ms and 55)."""

import math
import time
import traceback

import torch

from ridgeline_oracle.tensors import Unsupported


class Convolutions:
    """One run by each, and from there on by whichever was quicker. One object a task, since shapes decide."""

    def __init__(self):
        self._seconds = {}  # of the quickest run, by whether cuDNN's
        self._once_more = True  # torch's own, whose first run may be the first of the process

    def run(self, attempt):
        """What `attempt` returns; it is called once more, with the other ones, where these fail and the others may not: by
        what memory is wanted, or by a shape that is not for them."""
        cudnn = self._next()
        try:
            return self._timed(attempt, cudnn)
        except Unsupported:  # of the task, whoever computes
            raise
        except Exception as error:
            first = error
        self._seconds[cudnn] = math.inf
        traceback.clear_frames(first.__traceback__)  # they hold tensors
        try:
            torch.cuda.empty_cache()
            return self._timed(attempt, not cudnn)
        except Exception as second:
            self._seconds.clear()  # what both lack may be there the next time
            raise second if isinstance(second, torch.OutOfMemoryError) else first

    def _next(self):
        for cudnn in (False, True):
            if cudnn not in self._seconds:
                return cudnn
        quicker = min(self._seconds, key=self._seconds.get)
        if quicker and self._once_more and self._seconds[False] != math.inf:
            self._once_more = False
            return False
        return quicker

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
