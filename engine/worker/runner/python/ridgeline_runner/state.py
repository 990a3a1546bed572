"""The reference's weights, given to the candidate's model."""

import sys

import torch

_set_data = torch._C.TensorBase.data.__set__
_version = torch._C.TensorBase._version.__get__
_copy_all = torch._foreach_copy_
_equal = torch.equal


def _attributes(model):
    for prefix, module in model.named_modules():
        for name, value in vars(module).items():
            if isinstance(value, torch.Tensor):
                yield f"{prefix}.{name}" if prefix else name, vars(module), name, value


def _buffers(model):
    for prefix, module in model.named_modules(remove_duplicate=False):
        for name, value in module._buffers.items():
            if value is not None:
                yield f"{prefix}.{name}" if prefix else name, module._buffers, name, value


def _ordinary(own, known):
    """Replaces a tensor that was made or moved in inference mode, which has no version and takes no values outside it,
    by an ordinary one for all its names. (Whatever else refers to it keeps what the constructor made.)"""
    if not own.is_inference():
        return own
    if id(own) not in known:
        known[id(own)] = own.clone()
    return known[id(own)]


def _fits(place, tensor):
    return tensor.shape == place.shape and tensor.dtype == place.dtype


def _by_shape(places, parameters):
    """Pairs of all of them, or None where they are not as many of each shape."""
    left = {}
    for one in reversed(parameters):
        left.setdefault((tuple(one.shape), one.dtype), []).append(one)
    pairs = []
    for place in places:
        alike = left.get((tuple(place.shape), place.dtype))
        if not alike:
            return None
        pairs.append((place, alike.pop()))
    return pairs if len(places) == len(parameters) else None


class Held:
    """A buffer or plain tensor of the model, which forward may change or replace."""

    def __init__(self, place, holder, name, own):
        self.place = place
        self.holder = holder
        self.name = name
        self.own = own
        self.version = None  # as restored
        self.silent = False  # whether forward changes it and leaves the version as it is


class State:
    """Parameters become views of the shared buffers. Buffers and plain tensors stay the model's own and are given their
    values before a call whenever they may have lost them: each call starts from what the reference starts from."""

    def __init__(self, model, places):
        self._parameters = []  # (place, parameter)
        self._held = []
        self._bound = None
        missing = self._match(model, places)
        if missing:
            print("ridgeline: no tensor of the model is named and shaped as these of the reference, so they keep what "
                  f"the constructor gave them: {', '.join(missing)}", file=sys.stderr, flush=True)

    def _match(self, model, places):
        """By name. Where a parameter's name differs, all of them by order of construction, if that fits: names may be
        numbers, of other layers here. Else those whose names differ by shape, and those of one shape by that order."""
        parameters = dict(model.named_parameters(remove_duplicate=False))
        held = {name: (holder, key, own) for name, holder, key, own in _attributes(model)}
        held.update({name: (holder, key, own) for name, holder, key, own in _buffers(model)})
        missing, ordinary = [], {}
        for place in places:
            own = parameters.get(place.state)
            if own is not None and _fits(place, own):
                self._parameters.append((place, own))
            elif place.state in held and _fits(place, held[place.state][2]):
                holder, key, own = held[place.state]
                self._held.append(Held(place, holder, key, _ordinary(own, ordinary)))
            else:
                missing.append(place)
        wanted = [place for place in missing if place.kind == "parameter"]
        if wanted and self._match_parameters(wanted, [place for place in places if place.kind == "parameter"],
                                             list(model.parameters())):
            missing = [place for place in missing if place.kind != "parameter"]
        return [place.state for place in missing]

    def _match_parameters(self, nameless, places, parameters):
        """Whether all of `places`, of which some are named otherwise in the model, have a parameter now."""
        if len(parameters) == len(places) and all(map(_fits, places, parameters)):
            self._parameters = list(zip(places, parameters))
            self._held = [one for one in self._held if one.place.kind != "parameter"]
            return True
        named = {id(one) for _, one in self._parameters}
        matched = _by_shape(nameless, [one for one in parameters if id(one) not in named])
        self._parameters += matched or []
        return matched is not None

    def used(self):
        """The places whose pointers matter."""
        return [place for place, _ in self._parameters] + [one.place for one in self._held]

    def views(self, pointers):
        """Returns what `restore` wants for a slot whose arguments lie at `pointers`."""
        return ([place.view(pointers[place.argument]) for place, _ in self._parameters],
                [one.place.view(pointers[one.place.argument]) for one in self._held])

    def learn(self, views):
        """After the first call: operators such as batch_norm write into running statistics without saying so."""
        for one, value in zip(self._held, views[1]):
            one.silent = not _equal(one.own, value.to(one.own.device))

    def restore(self, views):
        """Before a call, in the window: cheap where nothing was changed since the last one."""
        parameters, given = views
        if self._bound is not views:
            for (_, parameter), view in zip(self._parameters, parameters):
                _set_data(parameter, view)
            for one in self._held:
                one.version = None
            self._bound = views
        lost, values = [], []
        for one, value in zip(self._held, given):
            if one.holder.get(one.name) is not one.own:
                one.holder[one.name] = one.own
            if one.silent or _version(one.own) != one.version:
                lost.append(one)
                values.append(value)
        if lost:
            _copy_all([one.own for one in lost], values)
            for one in lost:
                one.version = _version(one.own)
