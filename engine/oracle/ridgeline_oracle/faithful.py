"""KernelBench's own rule: five trials, shapes equal, then allclose with one tolerance, absolute and relative. `cast_to`:
the dtype in which the task is posed; None: as its file has it."""

import math

import torch

from ridgeline_oracle.tensors import blocks

SEED = 42
TRIALS = 5


def trial_seeds():
    """Derived from its one seed as there, so that trials are the same."""
    torch.manual_seed(SEED)
    return [torch.randint(0, 2**32 - 1, (1,)).item() for _ in range(TRIALS)]


def tolerance(dtype, cast_to=None):
    """By the precision of the whole task there, whatever dtype an output has (get_tolerance_for_precision)."""
    return 1e-2 if (cast_to or dtype) in (torch.float16, torch.bfloat16) else 1e-4


def close(expected, got, limit):
    """Elementwise on a block; integers as float64, since the rule speaks of differences."""
    if not expected.is_floating_point() and not expected.is_complex():
        expected, got = expected.double(), got.double()
    return torch.isclose(expected, got, rtol=limit, atol=limit)


def passes(expected, got, cast_to=None):
    """One output. `got` is a tensor of its shape or a scalar tensor; stops at the first block that fails."""
    limit = tolerance(expected.dtype, cast_to)
    for index in blocks(expected):
        right = expected[index]
        candidate = got[index] if got.dim() else got.to(right.dtype)
        if not bool(close(right, candidate, limit).all()):
            return False
    return True


def all_pass(expected, got, cast_to=None):
    return len(expected) == len(got) and all(
        one.shape == other.shape and passes(one, other, cast_to) for one, other in zip(expected, got))


def why_not(expected, got, cast_to=None):
    """A line for a trial that failed; "" if it passed."""
    if len(expected) != len(got):
        return f"{len(got)} outputs in the place of {len(expected)}"
    for position, (one, other) in enumerate(zip(expected, got)):
        if one.shape != other.shape:
            return f"output {position}: shape {list(other.shape)} in the place of {list(one.shape)}"
        if passes(one, other, cast_to):
            continue
        if one.is_floating_point() and not all(bool(one[index].isfinite().all()) for index in blocks(one)):
            return f"output {position}: is not finite, and nothing is close to NaN"
        limit = tolerance(one.dtype, cast_to)
        off = sum(int((~close(one[index], other[index], limit)).sum()) for index in blocks(one))
        worst = max(float((one[index].double() - other[index].double()).abs().max()) for index in blocks(one))
        return f"output {position}: {off} of {one.numel()} elements differ, by {worst:.3g} at the most"
    return ""


def bit_equal(expected, got):
    return all(bool((one[index] == other[index]).all()) for one, other in zip(expected, got) for index in blocks(one))


def against_float64(expected, exact, cast_to=None):
    """How far the reference is off float64, in units of the tolerance: above 1 the rule rejects a perfect answer."""
    worst, off, count = 0.0, 0, 0
    for one, other in zip(expected, exact):
        limit = tolerance(one.dtype, cast_to)
        count += one.numel()
        if not one.is_floating_point():
            off += sum(int((one[index] != other[index]).sum()) for index in blocks(one))
            continue
        for index in blocks(one):
            right = other[index].double()
            units = (one[index].double() - right).abs() / (limit + limit * right.abs())
            units = units.nan_to_num(0.0)  # infinite or NaN in both
            if units.numel():
                worst = max(worst, float(units.max()))
                off += int((units > 1).sum())
    return {"units": worst if math.isfinite(worst) else "inf", "beyond": off, "elements": count}
