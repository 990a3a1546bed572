"""Memory: how much there is, how much a request took, and giving it back."""

import ctypes
import gc
import resource

import torch

KEPT = 256 << 20  # of a device's memory, for the next request: giving back and asking anew costs milliseconds
GUARD = 256 << 20  # beside what is granted: torch's own tables and threads


def _free():
    with open("/proc/meminfo") as lines:
        fields = dict(line.split(":", 1) for line in lines)
    return int(fields["MemAvailable"].split()[0]) * 1024


def _own(field):
    """Bytes of this process: VmData, VmRSS, VmHWM."""
    with open("/proc/self/status") as lines:
        fields = dict(line.split(":", 1) for line in lines)
    return int(fields[field].split()[0]) * 1024


def _group(folder="/sys/fs/cgroup"):
    """What the control group leaves, None where it sets no bound. Files that are only kept in memory are no loss."""
    try:
        with open(f"{folder}/memory.max") as limit, open(f"{folder}/memory.current") as used:
            left = int(limit.read()) - int(used.read())
        with open(f"{folder}/memory.stat") as lines:
            kept = dict(line.split() for line in lines)
        return left + int(kept["inactive_file"]) + int(kept["active_file"])
    except (OSError, ValueError, KeyError):
        return None


def available(device, cap):
    """Bytes that tensors may take now. On a CPU a tenth stays for the rest of the machine."""
    if device.type == "cuda":
        free = torch.cuda.mem_get_info(device)[0]
    else:
        free = min(one for one in (_free(), _group()) if one is not None) * 9 // 10
    return min(free, cap) if cap else free


def bound_host(granted):
    """Lets an allocation beyond `granted` bytes fail as an error here, not as a kill of whatever is largest."""
    limit = _own("VmData") + granted + GUARD
    resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))


def bound_device(device, cap):
    """Lets an allocation beyond `cap` bytes of a GPU fail; 0: none does before the device is full."""
    if cap and device.type == "cuda":
        torch.cuda.set_per_process_memory_fraction(min(1.0, cap / torch.cuda.mem_get_info(device)[1]), device)


def goes_first():
    """Where memory runs out all the same, the kernel ends this process, which is started again, and nobody else's."""
    try:
        with open("/proc/self/oom_score_adj", "w") as control:
            control.write("1000")
    except OSError:
        pass


def forget_peak(device):
    if device.type == "cuda":
        torch.cuda.reset_peak_memory_stats(device)
        return
    try:
        with open("/proc/self/clear_refs", "w") as control:
            control.write("5")  # VmHWM starts again
    except OSError:
        pass


def peak(device):
    """Bytes at the most since `forget_peak`: tensors' on a GPU, the process's resident memory on a CPU."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return _own("VmHWM")


def held(device):
    """Bytes that tensors and torch's cache of them hold now; 0 on a CPU."""
    return torch.cuda.memory_reserved(device) if device.type == "cuda" else 0


class PeakBytes:
    """What a stretch of work took beside what was held before it: `peak`, afterwards."""

    def __init__(self, device):
        self._device = device
        self.peak = 0

    def __enter__(self):
        forget_peak(self._device)
        cuda = self._device.type == "cuda"
        self._before = torch.cuda.memory_allocated(self._device) if cuda else _own("VmRSS")

    def __exit__(self, *_):
        self.peak = max(0, peak(self._device) - self._before)


def give_back(device):
    gc.collect()
    if device.type == "cuda":
        torch.cuda.empty_cache()
    else:
        ctypes.CDLL(None).malloc_trim(0)


def trim(device):
    """Gives back what a large request left unused: the judge and candidates need the memory."""
    if device.type == "cuda" and torch.cuda.memory_reserved(device) - torch.cuda.memory_allocated(device) > KEPT:
        torch.cuda.empty_cache()
