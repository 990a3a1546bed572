"""What `ridgeline tasks check` wants to know of a task, as facts. What they amount to is decided elsewhere."""

import time

import torch

from ridgeline_oracle import faithful
from ridgeline_oracle.forward import forward
from ridgeline_oracle.nulls import Nulls
from ridgeline_oracle.task_file import PUBLIC_SEED, copy_state


class TooSlow(Exception):
    """The trials would outlast the time given; the message has the figures."""


def cast_failure(task, model, inputs, expected, seed):
    """KernelBench's evaluator casts integer inputs too. "" where that changes nothing, None without any."""
    integers = [one for one in inputs if isinstance(one, torch.Tensor) and not one.is_floating_point()
                and not one.is_complex()]
    if not integers:
        return None
    try:
        floating = task.cast_to or torch.float32
        got = forward(model, [one.to(floating) if any(one is other for other in integers) else one for one in inputs],
                      seed)
    except (MemoryError, torch.OutOfMemoryError):
        raise
    except Exception as error:
        return f"{type(error).__name__}: {error}".splitlines()[0]
    return faithful.why_not(expected, got, task.cast_to)


def float64_facts(task, model, inputs, expected, seed):
    try:
        return faithful.against_float64(expected, forward(model, inputs, seed, torch.float64), task.cast_to)
    except Exception as error:
        return {"failure": f"{type(error).__name__}: {error}".splitlines()[0]}


def check(task, device, seconds, with_float64):
    began = time.monotonic()
    model = task.build(PUBLIC_SEED, device)
    # Built under another seed: only the explicit copy of its state makes it the same model.
    candidate = task.build(PUBLIC_SEED + 1, device)
    copy_state(model, candidate)
    nulls = Nulls(task, model)
    facts = {"trials": [], "forward_seconds": 0.0}
    other = None
    for number, seed in enumerate(faithful.trial_seeds()):
        trial_began = time.monotonic()
        inputs = task.inputs(seed, device)
        forward_began = time.monotonic()
        expected = forward(model, inputs, seed)
        facts["forward_seconds"] = time.monotonic() - forward_began
        got = forward(candidate, inputs, seed)
        facts["trials"].append(faithful.why_not(expected, got, task.cast_to))
        trial_seconds = time.monotonic() - trial_began
        if began + seconds < time.monotonic() + trial_seconds * (faithful.TRIALS - number):
            raise TooSlow(f"a forward takes {facts['forward_seconds']:.1f} s and a trial {trial_seconds:.1f} s: "
                          f"{faithful.TRIALS} of them and the rest do not fit into {seconds:.0f} s")
        if number == 0:
            facts["repeats"] = faithful.bit_equal(expected, got)
            got = forward(model, inputs, None)
            facts["random"] = not faithful.all_pass(expected, got, task.cast_to)
        del got
        nulls.trial(inputs, expected, other, seed)
        if number == 0:
            facts["cast"] = cast_failure(task, model, inputs, expected, seed)
            if with_float64:
                facts["float64"] = float64_facts(task, model, inputs, expected, seed)
        other = expected
        del inputs, expected
    facts["nulls"] = nulls.standing()
    return facts
