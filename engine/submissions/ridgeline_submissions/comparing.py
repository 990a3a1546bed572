"""KernelBench-X's comparison of two results of a test, which it calls execution accuracy.

Tolerances: 5e-3 for float16 and bfloat16, 1e-5 for float32 and float64, both relative and absolute; all else is equal
bit by bit, complex numbers too. NaN equals NaN. Shape, dtype and device must match. Tensors of a quantized task are
held against three gates instead, and against these alone.
"""

import math

import numpy
import torch

HALF, WHOLE, EXACT = 5e-3, 1e-5, 0.0
LARGE = 200_000  # elements from which on its figures are computed on the CPU


class Differs(AssertionError):
    pass


def figures(ours, theirs):
    """Cosine, relative L1 and RMSE of two tensors, in float32."""
    if ours.numel() > LARGE:
        ours, theirs = ours.cpu(), theirs.cpu()
    a, b = ours.float(), theirs.float()
    length_a, length_b = (torch.linalg.vector_norm(x.reshape(-1)).item() for x in (a, b))
    if length_a < 1e-12 or length_b < 1e-12:  # the angle to nothing: both or none
        cosine = 1.0 if length_a < 1e-12 and length_b < 1e-12 else 0.0
    else:
        cosine = torch.nn.functional.cosine_similarity(a.reshape(1, -1), b.reshape(1, -1)).item()
    relative = (torch.abs(a - b).sum() / torch.abs(b).sum().clamp_min(1e-12)).item()
    rmse = torch.sqrt(torch.mean((a - b) ** 2)).item()
    return {"cosine_sim": cosine, "l1_relative": relative, "rmse": rmse}


def _tensors(ours, theirs, place, gates):
    if ours.shape != theirs.shape:
        raise Differs(f"shape mismatch at {place}: {tuple(ours.shape)} vs {tuple(theirs.shape)}")
    if ours.dtype != theirs.dtype:
        raise Differs(f"dtype mismatch at {place}: {ours.dtype} vs {theirs.dtype}")
    if gates:
        found = figures(ours, theirs)
        if not (found["cosine_sim"] >= gates["cosine_sim"] and found["l1_relative"] <= gates["l1_relative"]
                and found["rmse"] <= gates["rmse"]):
            raise Differs(f"quantization gates not met at {place}: {found}")
        return
    tolerance = EXACT
    if ours.dtype in (torch.float16, torch.bfloat16):
        tolerance = HALF
    elif ours.dtype in (torch.float32, torch.float64):
        tolerance = WHOLE
    torch.testing.assert_close(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)


def _tolerance_of(dtype):
    dtype = numpy.dtype(dtype)
    return HALF if dtype == numpy.float16 else WHOLE if dtype in (numpy.float32, numpy.float64) else EXACT


def _close(ours, theirs, tolerance, place):
    if tolerance:
        numpy.testing.assert_allclose(ours, theirs, rtol=tolerance, atol=tolerance, equal_nan=True)
    elif not numpy.array_equal(ours, theirs, equal_nan=True):
        raise Differs(f"mismatch at {place}: {ours!r} vs {theirs!r}")


def _arrays(ours, theirs, place):
    if not (isinstance(ours, numpy.ndarray) and isinstance(theirs, numpy.ndarray)):
        raise Differs(f"type mismatch at {place}: {type(ours).__name__} vs {type(theirs).__name__}")
    if ours.shape != theirs.shape or ours.dtype != theirs.dtype:
        raise Differs(f"mismatch at {place}: {ours.dtype} {ours.shape} vs {theirs.dtype} {theirs.shape}")
    _close(ours, theirs, _tolerance_of(ours.dtype), place)


def _numbers(ours, theirs, place):
    """Whether the two were compared as numbers."""
    a, b = numpy.asarray(ours), numpy.asarray(theirs)
    if a.shape != () or b.shape != () or not all(numpy.issubdtype(x.dtype, numpy.number) for x in (a, b)):
        return False
    if not (isinstance(ours, float) and isinstance(theirs, float) and math.isnan(ours) and math.isnan(theirs)):
        _close(a, b, _tolerance_of(numpy.result_type(a.dtype, b.dtype)), place)
    return True


def compare(ours, theirs, gates, place="test_results"):
    """Raises if the two differ."""
    if isinstance(ours, torch.Tensor) and isinstance(theirs, torch.Tensor):
        return _tensors(ours, theirs, place, gates)
    if isinstance(ours, (list, tuple)) and isinstance(theirs, (list, tuple)):
        if len(ours) != len(theirs):
            raise Differs(f"length mismatch at {place}: {len(ours)} vs {len(theirs)}")
        for index, (a, b) in enumerate(zip(ours, theirs)):
            compare(a, b, gates, f"{place}[{index}]")
        return None
    if isinstance(ours, dict) and isinstance(theirs, dict):
        if set(ours) != set(theirs):
            raise Differs(f"keys mismatch at {place}: {sorted(ours)} vs {sorted(theirs)}")
        for key in sorted(ours):
            compare(ours[key], theirs[key], gates, f"{place}.{key}")
        return None
    if isinstance(ours, numpy.ndarray) or isinstance(theirs, numpy.ndarray):
        return _arrays(ours, theirs, place)
    number = (int, float, complex, numpy.number)
    if (isinstance(ours, number) or isinstance(theirs, number)) and _numbers(ours, theirs, place):
        return None
    if ours != theirs:
        raise Differs(f"value mismatch at {place}: {ours!r} vs {theirs!r}")
    return None


def worst_figures(ours, theirs):
    """The worst of each figure over all pairs of tensors of one shape; None if there is no such pair."""
    found = []

    def walk(a, b):
        if isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and a.shape == b.shape:
            found.append(figures(a, b))
        elif isinstance(a, dict) and isinstance(b, dict):
            for key in a.keys() & b.keys():
                walk(a[key], b[key])
        elif isinstance(a, (list, tuple)) and isinstance(b, (list, tuple)):
            for pair in zip(a, b):
                walk(*pair)

    walk(ours, theirs)
    if not found:
        return None
    worst = {"cosine_sim": min(one["cosine_sim"] for one in found),
             "l1_relative": max(one["l1_relative"] for one in found), "rmse": max(one["rmse"] for one in found)}
    return worst if all(math.isfinite(figure) for figure in worst.values()) else None
