"""What a task takes, keeps and returns, and the bytes of each."""

import math

import torch

from ridgeline_oracle import machine
from ridgeline_oracle.forward import forward
from ridgeline_oracle.meter import LiveBytes
from ridgeline_oracle.operations import Operations
from ridgeline_oracle.provenance import provenance
from ridgeline_oracle.sums import Sums
from ridgeline_oracle.task_file import PUBLIC_SEED, state
from ridgeline_oracle.tensors import Unsupported, byte_count, facts, tensors_of

META_OPERATORS = 3000


def plain(value):
    """An argument as JSON; what JSON has no word for, as its repr."""
    if isinstance(value, torch.Tensor):
        return {"tensor": facts("argument", value)}
    if isinstance(value, tuple):
        return {"tuple": [plain(one) for one in value]}  # a constructor may tell it from a list
    if isinstance(value, list):
        return [plain(one) for one in value]
    if isinstance(value, dict):
        return {str(key): plain(one) for key, one in value.items()}
    if isinstance(value, float) and not math.isfinite(value):
        return repr(value)
    return value if value is None or isinstance(value, (bool, int, float, str)) else repr(value)


def input_facts(task, inputs):
    names, origins = task.input_names(), provenance(task, inputs)
    result = []
    for position, value in enumerate(inputs):
        name = names[position] if position < len(names) else f"input_{position}"
        if isinstance(value, torch.Tensor):
            made = {key: plain(one) for key, one in origins[position].items()}
            result.append({**facts(name, value), "made": made})
        else:
            result.append({"name": name, "value": plain(value)})
    return result


def on_device(task, device, meter):
    model = task.build(PUBLIC_SEED, device)
    inputs = task.inputs(PUBLIC_SEED, device)
    arguments, named = task.init_arguments()
    described = {
        "init": {"arguments": plain(arguments), "named": plain(named)},
        "state": [{"kind": kind, **facts(name, value)} for kind, name, value in state(model)],
        "inputs": input_facts(task, inputs),
        "training": model.training,
    }
    state_bytes = byte_count(value for _, _, value in state(model))
    operations, sums = Operations(), Sums()
    with meter, operations, sums:
        outputs = forward(model, inputs, PUBLIC_SEED)
    described["outputs"] = [facts(f"output_{position}", one) for position, one in enumerate(outputs)]
    described["operations"] = operations.count(outputs)
    described["longest_sum"] = sums.longest
    described["all_sums"] = sums.all
    described["bytes"] = {
        "state": state_bytes,
        "inputs": byte_count(tensors_of(inputs)),
        "outputs": byte_count(outputs),
        "forward": meter.peak,
    }
    return described


def describe(task, device):
    """On the meta device where the task runs there (no memory, no time), else by running it."""
    try:
        return {**on_device(task, "meta", LiveBytes(META_OPERATORS)), "found_by": "meta"}
    except Unsupported:
        raise
    except Exception:  # whatever reads a value, makes an array, asks for a real device or takes too many steps
        return {**on_device(task, device, machine.PeakBytes(device)), "found_by": "run"}
