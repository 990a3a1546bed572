"""Makes a module of a KernelBench-X file: the calls of its test that can be judged, wrapped (wrapped.py).

A call is judged if its inputs are other ones in each draw, and its result is theirs alone: the same from run to run,
finite, of one shape, the same in double precision, the same by any right factorization. What a call lacks is measured
and told. Calls that differ in values alone are one case.
"""

import collections
import math

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from ridgeline_oracle.forward import default_dtype, dtype_in
from ridgeline_oracle.gauge import OtherFactors
from ridgeline_oracle.on_device import OnDevice
from ridgeline_oracle.real_lineage import RealLineage
from ridgeline_oracle.task_file import Task, module_of, seed_all
from ridgeline_oracle.tensors import NAMES, Unsupported
from ridgeline_oracle.test_run import Test, run_test
from ridgeline_oracle.widened import Widened
from ridgeline_oracle.wrapped import Inputs, adapter_text, inputs_text, literal

SEEDS = (0x1F123BB5, 0x159A55E5)  # of two draws
SAME = 1e-5  # of the largest element: off by less, a result is the same
FEW = 0.002  # of integers: how many may be others in double precision, where a float is rounded to one
FAR = 0.05  # of the largest element: how far double precision may be off, and other factors
RANDOM_SEEDS = 32  # that are tried where random numbers are drawn
STRETCH = 50.0  # what outliers are multiplied by, as the judge has it


class LeftOut(Exception):
    """Why a call is not judged: a word of engine/oracle/harvest.hpp, and what was seen."""

    def __init__(self, why, words):
        super().__init__(words)
        self.why = why


def flat(value):
    """As the adapter of wrapped.py does it."""
    if value is None:
        return []
    if isinstance(value, torch.Tensor):
        if value.layout != torch.strided:
            raise LeftOut("result", f"a result is {value.layout}")
        return [value]
    if isinstance(value, (list, tuple)):
        return [leaf for one in value for leaf in flat(one)]
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in flat(value[key])]
    if isinstance(value, (bool, int, float, complex)):
        return [torch.as_tensor(value)]
    raise LeftOut("result", f"returns a {type(value).__name__}")


def in_float64(tensor):
    return tensor.to(dtype_in(tensor.dtype, torch.float64))


def has_fractions(tensor):
    return tensor.is_floating_point() or tensor.is_complex()


def finite(tensor):
    return not has_fractions(tensor) or bool(torch.isfinite(tensor).all())


def differ(one, other):
    return bool(((one != other) & ~((one != one) & (other != other))).any())  # no number stays no number


def off(one, other):
    """By how much of its largest element; for integers and bools the share of elements that differ."""
    if one.shape != other.shape or has_fractions(one) != has_fractions(other):
        return math.inf
    if one.numel() == 0:
        return 0.0
    if not has_fractions(one):
        return float((one != other).double().mean())
    one, other = in_float64(one), in_float64(other)
    largest = float(other.abs().max())
    distance = float((one - other).abs().max())
    return distance / largest if largest > 0 else distance


class Narrow(TorchDispatchMode):
    """Notes a dtype that is narrower than double precision, in a computation that was given nothing such."""

    def __init__(self):
        super().__init__()
        self.seen = None

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        result = operator(*args, **(kwargs or {}))
        for one in tree_leaves(result):
            if isinstance(one, torch.Tensor) and dtype_in(one.dtype, torch.float64) != one.dtype:
                self.seen = self.seen or str(one.dtype)
        return result


class RandomNumbers(TorchDispatchMode):
    """Notes whether random numbers are drawn."""

    def __init__(self):
        super().__init__()
        self.drawn = False

    def __torch_dispatch__(self, operator, types, args=(), kwargs=None):
        self.drawn |= torch.Tag.nondeterministic_seeded in operator.tags
        return operator(*args, **(kwargs or {}))


class Examiner:
    """Tries calls, each by itself, on copies of its arguments."""

    def __init__(self, function, device):
        self._function, self._device = function, device

    def results(self, call, change=torch.clone, seed=1):
        """What the call returns, and what it leaves in the arguments that it writes into and does not return."""
        positional, named = call.arguments(change)
        leaves = tree_leaves((positional, named))
        before = [one.clone() if isinstance(one, torch.Tensor) else None for one in leaves]
        seed_all(seed)
        with torch.no_grad(), torch.device(self._device), OnDevice(self._device):
            results = flat(self._function(*positional, **named))
        storages = {one.untyped_storage()._cdata for one in results}
        # By values: batch_norm writes running statistics past torch's version counters.
        call.written = tuple(at for at, one in enumerate(leaves) if before[at] is not None and differ(one, before[at]))
        call.returned = tuple(at for at in call.written if leaves[at].untyped_storage()._cdata in storages)
        return results + [leaves[at] for at in call.written if at not in call.returned]

    def attempt(self, why, call, **how):
        try:
            return self.results(call, **how)
        except LeftOut:
            raise
        except Exception as error:
            raise LeftOut(why, f"{type(error).__name__}: {' '.join(str(error).split())[:200]}") from error

    def examine(self, call, other):
        """Raises LeftOut. `other` is the same call of another draw."""
        for position, one in call.tensors():
            if call.names[position] == "out":
                raise LeftOut("argument", "is given where to write its result by position")
            if one.dtype not in NAMES or one.layout != torch.strided:
                raise LeftOut("argument", f"an argument is a tensor of {one.dtype}, {one.layout}")
        for one in call.leaves:
            if not isinstance(one, torch.Tensor):
                try:
                    literal(one)
                except Unsupported as error:
                    raise LeftOut("argument", str(error)) from error
        if call.signature() != other.signature():
            raise LeftOut("shape_varies", "takes other shapes or values in each draw")
        if all(torch.equal(one, two) for (_, one), (_, two) in zip(call.tensors(), other.tensors())):
            raise LeftOut("fixed", "takes the same values in each draw")
        results = self.attempt("raises", call)
        if not results:
            raise LeftOut("result", "returns no tensor")
        for one in results:
            if one.dtype not in NAMES:
                raise LeftOut("result", f"a result is of {one.dtype}")
        self._repeats(call, results)
        if not all(finite(one) for one in results):
            raise LeftOut("not_finite", "its results are infinite or no numbers")
        anew = self.attempt("raises", other)
        if [one.shape for one in results] != [one.shape for one in anew]:
            raise LeftOut("shape_varies", "the shape of its results depends on values")
        if all(off(one, two) < SAME for one, two in zip(results, anew)):
            raise LeftOut("same_result", "its results are the same whatever is drawn")
        tensors = [tensor for _, tensor in call.tensors()]
        if all(any(off(one, two) < SAME for two in tensors) for one in results):
            raise LeftOut("input_copy", "a copy of an input is its result")
        self._double_precision(call, results)
        self._factors(call, results)

    def _repeats(self, call, results):
        """Few random numbers show in few runs (where windows of a fractional pooling begin), so that more are made
        where some were drawn."""
        seed, last = 2, 2
        while seed <= last:
            with RandomNumbers() as numbers:
                others = self.attempt("raises", call, seed=seed)
            # Libraries may round otherwise from run to run, by how memory is aligned.
            least = SAME if numbers.drawn else FAR
            if any(off(one, two) > least for one, two in zip(results, others) if finite(two)):
                raise LeftOut("random", "draws random numbers")
            seed, last = seed + 1, RANDOM_SEEDS if numbers.drawn else last

    def _double_precision(self, call, results):
        with default_dtype(torch.float64), Narrow() as narrow, Widened():
            wide = self.attempt("float64", call, change=lambda one: in_float64(one).clone())
        if len(wide) != len(results):
            raise LeftOut("float64", "returns something else in double precision")
        worst = max(off(one, two) if has_fractions(one) else off(one, two) * FAR / FEW
                    for one, two in zip(results, wide))
        if worst > FAR:
            raise LeftOut("float64", "in double precision it gives another result")
        # The judge perturbs inputs by their rounding, to see what an honest answer may be off by.
        self.attempt("raises", call,
                     change=lambda one: in_float64(one) * (1 + 1e-6) if has_fractions(one) else one.clone())
        if narrow.seen:
            raise LeftOut("float64", f"computes in {narrow.seen} whatever it is given")

    def _factors(self, call, results):
        with OtherFactors() as factors:
            others = self.attempt("raises", call)
        if factors.packed:
            raise LeftOut("not_unique", "its factorization is packed by a convention of the library")
        worst = max(off(one, two) for one, two in zip(others, results)) if factors.replaced else 0
        if worst > FAR:
            raise LeftOut("not_unique", "another factorization, as right, gives another result")

    def takes_outliers(self, call):
        """Whether results stay finite with a few elements far out."""
        def far_out(tensor):
            if not tensor.is_floating_point() or tensor.numel() == 0:
                return tensor.clone()
            far = tensor.clone().reshape(-1)
            far[::3] *= -STRETCH
            return far.reshape(tensor.shape)

        try:
            return all(finite(one) for one in self.results(call, change=far_out))
        except Exception:
            return False


def recorded(test, names, device):
    """The calls under two seeds, and whether the test must be given results. Raises what the test raises."""
    def run(seed, computes, lineage=None):
        return run_test(test, names, seed, device, lineage, computes)

    def same(one, other):
        return [call.signature() for call in one] == [call.signature() for call in other]

    try:
        without = run(SEEDS[0], False, RealLineage())
    except Exception:  # it looks into a result
        without = None
    try:
        calls = run(SEEDS[0], True, RealLineage())
    except Exception:
        if not without:
            raise
        calls = without  # a call raises here, and does not where the test was written
    computes = without is None or not same(calls, without) or not all(
        torch.equal(a, b) or not finite(a) for one, two in zip(calls, without)
        for (_, a), (_, b) in zip(one.tensors(), two.tensors()))
    return calls, run(SEEDS[1], computes), computes


def how_made(inputs):
    """For each input how it was drawn, where it shares its draws with no other."""
    made = [call.made[leaf] for call, leaf in inputs.first]
    times = collections.Counter(draw for _, draws in made for draw in draws)
    return [how if all(times[draw] == 1 for draw in draws) else None for how, draws in made]


def certainty(call):
    return sum(call.made[leaf][0] is not None for leaf, _ in call.tensors())


def chosen_of(calls, others, examiner):
    """One call for each signature, and why others are left out."""
    best, left_out = {}, []
    for number, call in enumerate(calls):
        try:
            if number >= len(others):
                raise LeftOut("shape_varies", "is not made in each draw")
            examiner.examine(call, others[number])
        except LeftOut as error:
            left_out.append({"call": number + 1, "why": error.why, "words": str(error)})
            continue
        key = call.signature()
        if key not in best or certainty(call) > certainty(best[key]):
            best[key] = call
    return sorted(best.values(), key=lambda call: call.number), left_out


def check_wrapped(name, text, examiner, calls, device):
    """That the module computes what the calls do, of its own inputs' shapes. Raises Unsupported."""
    task = Task(name, text)
    model, inputs = task.build(1, device), Inputs(calls)
    values = [call.leaves[leaf] for call, leaf in inputs.first]
    drawn = task.inputs(1, device)
    if [(one.shape, one.dtype) for one in drawn] != [(one.shape, one.dtype) for one in values]:
        raise Unsupported("its inputs are drawn in other shapes than the test draws them")
    expected = [one for call in calls for one in examiner.results(call)]
    with torch.no_grad():
        got = model(*values)
    if len(got) != len(expected) or any(off(one, two) > FAR for one, two in zip(got, expected)):
        raise Unsupported("as a module it computes something else than under its test")


def harvest(request, device):
    name, entry = request["name"], request["entry"]
    module = module_of(name, request["text"])
    function = vars(module).get(entry)
    if not callable(function):
        raise Unsupported(f"{name} defines no {entry} that can be called")
    test = Test(name, request["test"], entry, request["support"])
    calls, others, computes = recorded(test, vars(module), device)
    examiner = Examiner(function, device)
    chosen, left_out = chosen_of(calls, others, examiner)
    answer = {"calls": len(calls), "chosen": [call.number + 1 for call in chosen], "left_out": left_out}
    if not chosen:
        return answer
    inputs = Inputs(chosen)
    adapter = adapter_text(chosen, inputs)
    made = how_made(inputs)
    text = (request["text"].rstrip() + f"\n\n\n_ridgeline_entry = {entry}\n" + adapter + "\n\n"
            + inputs_text(test, inputs, made, computes))
    check_wrapped(name, text, examiner, chosen, device)
    bounded = {call.number for call in chosen if not examiner.takes_outliers(call)}
    within = [any(call in bounded for (call, leaf), at in inputs.of.items() if at == position)
              for position in range(len(inputs.first))]
    fixed = sum(torch.equal(call.leaves[leaf], others[call.number].leaves[leaf]) for call, leaf in inputs.first)
    return {**answer, "text": text, "adapter": adapter, "within": within, "fixed_inputs": fixed,
            "replayed": sum(how is None for how in made)}
