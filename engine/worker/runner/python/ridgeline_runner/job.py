"""The job file (engine/worker/protocol/torch_job.hpp): the candidate, and what the arena's arguments are."""

import json
import os

from ridgeline_runner.dtypes import DTYPES
from ridgeline_runner.kernel_calls import Parameters
from ridgeline_runner.tensors import Place


def decoded(value):
    """JSON's values, and {"tuple": [...]} for what the task's file has as a tuple."""
    if isinstance(value, list):
        return [decoded(one) for one in value]
    if isinstance(value, dict):
        if list(value) == ["tuple"]:
            return tuple(decoded(one) for one in value["tuple"])
        return {key: decoded(one) for key, one in value.items()}
    return value


class Job:
    def __init__(self, path, device):
        with open(path, encoding="utf-8") as file:
            told = json.load(file)
        self.parameters = Parameters(told) if told.get("form") == "kernel" else None  # None: it is a module
        self.wanted = told["class"]
        self.source = told["source"]
        self.name = told["name"]
        self.arguments_of_init = decoded(told["init"]["arguments"])
        self.named_of_init = decoded(told["init"]["named"])
        self.training = told["training"]
        self.function = told.get("function", "")  # of a task whose answers are functions
        self.adapter = told.get("adapter", "")
        self.cast_to = DTYPES.get(told.get("cast_to"))
        self.seed = told["seed"]
        self.in_place = told.get("in_place", False)
        self.triton = told.get("triton", False)
        self.compile = told.get("compile")
        beside = os.path.dirname(path)
        self.modules = [{**one, "file": os.path.join(beside, one["file"])} if "file" in one else one
                        for one in told.get("modules", [])]
        self.kernels = os.path.join(beside, "kernels")
        if self.parameters:
            return
        places = [Place(position, one, device) for position, one in enumerate(told["tensors"])]
        self.arguments = max((place.argument for place in places), default=-1) + 1
        self.state = [place for place in places if place.state]
        self.outputs = [place for place in places if place.role == "out"]
        self.forward = [(places[one["tensor"]], None) if "tensor" in one else (None, decoded(one["value"]))
                        for one in told["forward"]]
