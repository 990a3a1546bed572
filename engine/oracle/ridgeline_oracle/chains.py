"""What torch's random functions draw, and what arithmetic with plain numbers makes of that."""

import math

import torch

aten = torch.ops.aten


def number(value):
    return isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value)


def _uniform(low, high):
    return {"kind": "uniform", "low": float(low), "high": float(high)} if number(low) and number(high) else None


def _normal(mean, std):
    return {"kind": "normal", "mean": float(mean), "std": float(std)} if number(mean) and number(std) else None


def _integers(low, high):
    return {"kind": "integers", "low": low, "high": high} if isinstance(low, int) and isinstance(high, int) else None


def _constant(value):
    exact = isinstance(value, float) or (isinstance(value, int) and abs(value) <= 2**53)
    return {"kind": "constant", "value": float(value)} if exact else None


_SOURCES = {
    aten.rand: lambda given: _uniform(0, 1),
    aten.rand_like: lambda given: _uniform(0, 1),
    aten.uniform_: lambda given: _uniform(given["from"], given["to"]),
    aten.randn: lambda given: _normal(0, 1),
    aten.randn_like: lambda given: _normal(0, 1),
    aten.normal: lambda given: _normal(given["mean"], given["std"]),
    aten.normal_: lambda given: _normal(given["mean"], given["std"]),
    aten.randint: lambda given: _integers(given.get("low", 0), given["high"]),
    aten.randint_like: lambda given: _integers(given.get("low", 0), given["high"]),
    aten.zeros: lambda given: _constant(0),
    aten.zeros_like: lambda given: _constant(0),
    aten.ones: lambda given: _constant(1),
    aten.ones_like: lambda given: _constant(1),
    aten.full: lambda given: _constant(given["fill_value"]),
    aten.full_like: lambda given: _constant(given["fill_value"]),
}


def _by_name(operator, args, kwargs):
    declared = operator._schema.arguments
    given = {one.name: one.default_value for one in declared if one.has_default_value()}
    given.update((declared[position].name, value) for position, value in enumerate(args))
    return {**given, **kwargs}


def drawn(operator, args, kwargs):
    """What `operator` fills its result with; None if it is no source, or draws from a generator of the caller's."""
    source = _SOURCES.get(operator.overloadpacket)
    if source is None:
        return None
    given = _by_name(operator, args, kwargs)
    return source(given) if given.get("generator") is None else None


# How arithmetic with a number moves a value, and how it stretches a difference.
_STEPS = {
    aten.add: (lambda v, k: v + k, lambda d, k: d),
    aten.sub: (lambda v, k: v - k, lambda d, k: d),
    aten.rsub: (lambda v, k: k - v, lambda d, k: d),
    aten.mul: (lambda v, k: v * k, lambda d, k: d * k),
    aten.div: (lambda v, k: v / k, lambda d, k: d / k),
}
_IN_PLACE = {aten.add_: aten.add, aten.sub_: aten.sub, aten.mul_: aten.mul, aten.div_: aten.div, aten.neg_: aten.neg}


def chained(operator, made, args, kwargs):
    """What becomes of elements that are `made`; None where the chain breaks."""
    packet = _IN_PLACE.get(operator.overloadpacket, operator.overloadpacket)
    if made is None or packet is aten.clone:
        return made
    if packet is aten.neg:
        packet, args = aten.mul, (args[0], -1)
    if packet not in _STEPS or kwargs or len(args) != 2 or not number(args[1]):
        return None
    value, stretch = _STEPS[packet]
    factor = args[1]
    if packet in (aten.mul, aten.div) and factor == 0:
        return None
    if made["kind"] == "uniform":
        return _uniform(*sorted((value(made["low"], factor), value(made["high"], factor))))
    if made["kind"] == "normal":
        return _normal(value(made["mean"], factor), abs(stretch(made["std"], factor)))
    return None


def plausible(made, dtype):
    """Whether elements of `dtype` can be that: rounding or an overflow may have made them something else."""
    if made["kind"] == "constant":
        return not dtype.is_complex
    if made["kind"] == "integers":
        return not (dtype.is_floating_point or dtype.is_complex or dtype is torch.bool) and made["low"] < made["high"]
    if not dtype.is_floating_point:
        return False
    limits = torch.finfo(dtype)
    if made["kind"] == "uniform":
        spread, extent = made["high"] - made["low"], max(abs(made["low"]), abs(made["high"]))
    else:
        spread, extent = made["std"], abs(made["mean"]) + 8 * made["std"]
    return extent <= limits.max and spread >= max(limits.tiny / limits.eps, 16 * limits.eps * extent)
