"""A model made and called once, with tensors that have shapes and no values, on a device that need not be there: for
answers that load what they have built no sooner than that."""

import torch
from torch._subclasses.fake_tensor import FakeTensorMode

from ridgeline_runner import adapted, extension, pretended_card, source
from ridgeline_runner.job import decoded
from ridgeline_runner.dtypes import DTYPES


def prepare(job):
    """Before the answer is executed."""
    if job["device"] == "cuda":
        pretended_card.pretend(job.get("architecture", 90))


def inputs_of(job):
    for one in job["forward"]:
        if "tensor" in one:
            told = job["tensors"][one["tensor"]]
            yield torch.empty(told["shape"], dtype=DTYPES[told["dtype"]], device=job["device"])
        else:
            yield decoded(one["value"])


def model_of(job, module):
    adapted.add_class(module, job["class"], job["name"], job.get("function", ""), job.get("adapter", ""))
    model = source.build(module, job["class"], job["name"], decoded(job["init"]["arguments"]),
                         decoded(job["init"]["named"]), job["seed"])
    return model.to(DTYPES[job["cast_to"]]) if "cast_to" in job else model


def moved(model, device):
    """`Module.to` for a model without values, whose parameters cannot be given others."""
    known = {}

    def on_device(tensor):
        if tensor is not None and id(tensor) not in known:
            there = torch.empty_strided(tensor.shape, tensor.stride(), dtype=tensor.dtype, device=device)
            known[id(tensor)] = torch.nn.Parameter(there, tensor.requires_grad) if isinstance(
                tensor, torch.nn.Parameter) else there
        return known.get(id(tensor))

    originals = [*model.parameters(), *model.buffers()]  # alive, so that no address is used twice
    for module in model.modules():
        for held in (module._parameters, module._buffers):
            for name, tensor in held.items():
                held[name] = on_device(tensor)
    del originals
    return model


def rehearse(job, module):
    """Raises what construction raises. What forward raises is no news, since it may want values; but that something did
    not build is."""
    try:
        with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
            model = model_of(job, module)
            try:
                model(*inputs_of(job))
            except extension.DidNotBuild:
                raise
            except Exception:
                pass
    except extension.DidNotBuild:
        raise
    except Exception:
        if job["device"] == "cuda":
            raise
        model_of(job, module)  # with values


def warm_up():
    """Does what the first such call would pay for."""
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
        torch.nn.Linear(8, 8)(torch.empty(2, 8))
