"""The interpreter made ready: torch imported, on one thread, in full precision, with what it needs first paid for."""

import ctypes
import gc
import inspect  # noqa: F401  candidates look at their own source; cheap now, files to be opened later
import linecache  # noqa: F401
import math  # noqa: F401
import os
import tempfile

import torch
import torch.nn.functional as functional


def fix_torch():
    """As the oracle has it: float32 means float32, and nothing is chosen by trial. cuDNN may take algorithms whose sums
    come in any order, as it does for everybody else: a baseline without them is slower than eager torch is."""
    torch.set_num_threads(1)
    torch.set_num_interop_threads(1)
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = False


def fix_malloc():
    """Freed memory stays with the process. glibc otherwise gives it back and faults it in again or does not, as the heap
    happened to grow: the same eager module took 4 ms a call in one process and 10 in the next, for all its life."""
    trim, mmap = -1, -3  # M_TRIM_THRESHOLD, M_MMAP_THRESHOLD of malloc.h
    library = ctypes.CDLL(None)
    library.mallopt(mmap, 32 << 20)  # the most that glibc takes; what is larger is mapped each time, in every process
    library.mallopt(trim, 512 << 20)


def fix_folders():
    """Parts of torch ask for a folder for temporary files when they are imported, and Python finds one by writing to it:
    there is none here, and a process that writes is ended."""
    if "TMPDIR" not in os.environ:
        tempfile.tempdir = "/"


def warm_up(device):
    """Libraries that set themselves up when they are first called do it here, not in the first timed window, and not
    under the lockdown. On a GPU the context is made here too."""
    with torch.no_grad(), device:
        image = torch.ones(1, 4, 8, 8)
        functional.conv2d(image, torch.ones(4, 4, 3, 3)).softmax(1)
        functional.max_pool2d(image, 2)
        torch.nn.Linear(8, 8)(torch.ones(2, 8)).sum()
        torch.ones(8, 8) @ torch.ones(8, 8)
        torch.randn(8).sort()
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def settle():
    """Keeps what was made so far for good: a collection during a call need not walk it."""
    gc.collect()
    gc.freeze()


def rest(device):
    """Memory that is kept for later calls goes back while nothing is asked of this process."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)
        torch.cuda.empty_cache()
