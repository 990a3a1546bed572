"""Calls candidates on memory of the judge's, without a judge: their weights, arguments and outputs."""

import contextlib
import ctypes
import io
import json
import os
import sys
import tempfile
import unittest

import torch

from package_under_test import LINEAR, place

from ridgeline_runner import addresses, operators, source
from ridgeline_runner.calls import Calls, WrongOutput, refusal_of
from ridgeline_runner.dtypes import DTYPES
from ridgeline_runner.job import Job
from ridgeline_runner.kernel_calls import KernelCalls, Parameters
from ridgeline_runner.native import Native
from ridgeline_runner.state import State
from ridgeline_runner.tensors import Place


LIBRARY = ctypes.CDLL(os.environ["RIDGELINE_LIBRARY"])


class Bench:
    """A model, its job, and memory for its tensors: one slot."""

    def __init__(self, text, tensors, forward, arguments=None):
        arguments = arguments or len(tensors)
        document = {"class": "ModelNew", "source": text, "name": "answer.py", "init": {"arguments": [], "named": {}},
                "training": True, "seed": 42, "tensors": tensors, "forward": forward}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(document, file)
            file.flush()
            self.job = Job(file.name, torch.device("cpu"))
        self.memory = [(ctypes.c_ubyte * 4096)() for _ in range(arguments)]
        module = source.execute(text, "answer.py")
        self.model = source.build(module, "ModelNew", "answer.py", [], {}, 42)
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            self.state = State(self.model, self.job.state)
        native = Native(LIBRARY, torch.device("cpu"))
        native.take_job(self.job.outputs, refusal_of(self.job.outputs), lambda error: source.told(error, "answer.py"))
        self.calls = Calls(self.model, self.job, self.state, native)
        at = [ctypes.addressof(memory) for memory in self.memory]
        self.pointers = (ctypes.c_void_p * arguments)(*at)
        native.place(self.pointers, arguments)
        self.calls.arrange(at, 1, arguments)

    def tensor(self, position, dtype=torch.float32):
        return torch.frombuffer(self.memory[position], dtype=dtype)

    def fill(self, *values):
        """Sets the first tensors' first numbers."""
        for position, some in enumerate(values):
            self.tensor(position)[:len(some)] = torch.tensor(some, dtype=torch.float32)

    def call(self):
        self.calls.run(0, 1)


def linear(name):
    tensors = [place("x", [1, 2]), place("w", [2, 2], state="fc.weight"), place("b", [2], state="fc.bias"),
               place("s", [1], state="scale", kind="attribute"), {**place("z", [1, 2]), "role": "out"}]
    bench = Bench(LINEAR.format(name=name), tensors, [{"tensor": 0}])
    bench.fill([1, 2], [1, 2, 3, 4], [5, 6], [10])
    return bench


class StateTest(unittest.TestCase):
    def test_weights_by_name(self):
        bench = linear("fc")
        bench.call()
        self.assertEqual(bench.tensor(4)[:2].tolist(), [100, 170])
        self.assertEqual(bench.model.fc.weight.data_ptr(), ctypes.addressof(bench.memory[1]))
        self.assertNotEqual(bench.model.scale.data_ptr(), ctypes.addressof(bench.memory[3]))
        self.assertEqual(bench.said.getvalue(), "")

    def test_weights_by_order_where_no_name_fits(self):
        bench = linear("other")
        bench.call()
        self.assertEqual(bench.tensor(4)[:2].tolist(), [100, 170])
        self.assertEqual(bench.said.getvalue(), "")

    def test_weights_by_shape_where_no_name_fits_and_the_last_was_made_first(self):
        text = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.last = torch.nn.Linear(1, 2)
        self.first = torch.nn.Linear(2, 1)
    def forward(self, x):
        return self.last(self.first(x))
"""
        bench = Bench(text, [place("x", [1, 2]), place("w", [1, 2], state="0.weight"), place("b", [1], state="0.bias"),
                             place("v", [2, 1], state="1.weight"), place("c", [2], state="1.bias"),
                             {**place("z", [1, 2]), "role": "out"}], [{"tensor": 0}])
        bench.fill([1, 2], [3, 4], [5], [6, 7], [8, 9])
        bench.call()
        self.assertEqual(bench.tensor(5)[:2].tolist(), [16 * 6 + 8, 16 * 7 + 9])
        self.assertEqual(bench.said.getvalue(), "")

    def test_weights_by_name_where_one_fits_and_the_others_by_shape(self):
        text = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros(2, 2))
        self.bias_linear = torch.nn.Parameter(torch.zeros(2))
        self.bias = torch.nn.Parameter(torch.zeros(2))
    def forward(self, x):
        return 10 * torch.nn.functional.linear(x, self.weight, self.bias_linear) + self.bias
"""
        # A module's own parameters come before those of its parts: `bias` is the first of its shape here, not there.
        bench = Bench(text, [place("x", [1, 2]), place("c", [2], state="bias"), place("w", [2, 2], state="fc.weight"),
                             place("b", [2], state="fc.bias"), {**place("z", [1, 2]), "role": "out"}], [{"tensor": 0}])
        bench.fill([1, 2], [7, 8], [1, 2, 3, 4], [5, 6])
        bench.call()
        self.assertEqual(bench.tensor(4)[:2].tolist(), [107, 178])
        self.assertEqual(bench.said.getvalue(), "")

    def test_weights_by_order_where_numbers_are_those_of_other_layers(self):
        text = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.network = torch.nn.ModuleList(torch.nn.Linear(1, 1, bias=False) for _ in range(3))
    def forward(self, x):
        for layer in self.network:
            x = 10 * x + layer.weight[0]
        return x
"""
        # The reference has something without weights between its layers: `network.2` is the second there, the third here.
        bench = Bench(text, [place("x", [1]), place("u", [1, 1], state="network.0.weight"),
                             place("v", [1, 1], state="network.2.weight"), place("w", [1, 1], state="network.4.weight"),
                             {**place("z", [1]), "role": "out"}], [{"tensor": 0}])
        bench.fill([0], [1], [2], [3])
        bench.call()
        self.assertEqual(bench.tensor(4)[:1].tolist(), [123])
        self.assertEqual(bench.said.getvalue(), "")

    def test_what_fits_neither_way_keeps_what_the_seed_gave(self):
        text = LINEAR.format(name="fc").replace("Linear(2, 2)", "Linear(2, 2, bias=False)")
        bench = Bench(text, [place("x", [1, 2]), place("w", [2, 2], state="gone.weight"),
                             place("b", [2], state="gone.bias"), {**place("z", [1, 2]), "role": "out"}],
                      [{"tensor": 0}])
        torch.manual_seed(42)
        wanted = torch.nn.Linear(2, 2, bias=False).weight
        self.assertTrue(torch.equal(bench.model.fc.weight, wanted))
        self.assertIn("gone.weight, gone.bias", bench.said.getvalue())

    def test_a_replaced_or_changed_tensor_is_restored(self):
        text = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden = torch.zeros(2)
        self.norm = torch.nn.BatchNorm1d(2)
    def forward(self, x):
        self.hidden = self.hidden + x
        self.norm.running_mean.add_(1)
        return self.hidden + self.norm.running_mean
"""
        bench = Bench(text, [place("x", [2]), place("h", [2], state="hidden", kind="attribute"),
                             place("m", [2], state="norm.running_mean", kind="buffer"),
                             {**place("z", [2]), "role": "out"}], [{"tensor": 0}])
        bench.tensor(0)[:2] = 1
        bench.tensor(1)[:2] = 20
        bench.tensor(2)[:2] = 300
        for _ in range(3):
            bench.call()
            self.assertEqual(bench.tensor(3)[:2].tolist(), [322, 322])

    def test_several_tensors_may_share_an_argument(self):
        tensors = [place("x", [1, 2]), place("w", [2, 2], state="fc.weight", argument=1),
                   place("b", [2], state="fc.bias", argument=1, offset=64),
                   {**place("z", [1, 2]), "role": "out", "argument": 2}]
        bench = Bench(LINEAR.format(name="fc"), tensors, [{"tensor": 0}], arguments=3)
        bench.tensor(0)[:2] = 1
        bench.tensor(1)[:4] = 2
        bench.tensor(1)[16:18] = 7
        bench.call()
        self.assertEqual(bench.tensor(2)[:2].tolist(), [11, 11])


class CallTest(unittest.TestCase):
    def test_every_dtype_and_empty_tensors_have_views(self):
        for name, dtype in DTYPES.items():
            memory = (ctypes.c_ubyte * 4096)()
            for shape in ([3, 2], [], [0, 4]):
                view = Place(0, place("x", shape, name), torch.device("cpu")).view(ctypes.addressof(memory))
                self.assertEqual((view.dtype, list(view.shape)), (dtype, shape))
                view.fill_(1)

    def test_views_are_no_views_and_leave_nothing_behind(self):
        memory = (ctypes.c_ubyte * 4096)()
        one = Place(0, place("x", [3, 2]), torch.device("cpu"))
        before = len(addresses._kept)
        view = one.view(ctypes.addressof(memory))
        self.assertEqual(view.data_ptr(), ctypes.addressof(memory))
        self.assertEqual(view.untyped_storage().nbytes(), 24)
        self.assertIsNone(view._base)
        self.assertEqual(len(addresses._kept), before + 1)
        del view
        self.assertEqual(len(addresses._kept), before)

    def test_a_rest_forgets_the_slots(self):
        bench = linear("fc")
        bench.calls.arrange([], 0, 0)
        bench.memory[4][0:8] = bytes(8)
        bench.call()
        self.assertEqual(bytes(bench.memory[4][0:8]), bytes(8))

    def test_several_outputs(self):
        text = ("import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x, k, pair):\n"
                "        return x + k, x.argmax(), torch.tensor(pair[0] * isinstance(pair, tuple))\n")
        bench = Bench(text, [place("x", [3])] + [{**place(name, shape, dtype), "role": "out"} for name, shape, dtype in (
            ("a", [3], "float32"), ("b", [], "int64"), ("c", [], "int64"))],
                      [{"tensor": 0}, {"value": 1.5}, {"value": {"tuple": [9, [8]]}}])
        bench.tensor(0)[:3] = torch.tensor([1.0, 3.0, 2.0])
        bench.call()
        self.assertEqual(bench.tensor(1)[:3].tolist(), [2.5, 4.5, 3.5])
        self.assertEqual(bench.tensor(2, torch.int64)[0], 1)
        self.assertEqual(bench.tensor(3, torch.int64)[0], 9)

    def test_gradients_are_off_whatever_forward_leaves(self):
        text = ("import torch\nclass ModelNew(torch.nn.Module):\n    def __init__(self):\n        super().__init__()\n"
                "        self.w = torch.nn.Parameter(torch.ones(2))\n    def forward(self, x):\n"
                "        torch.set_grad_enabled(True)\n        return x * self.w\n")
        bench = Bench(text, [place("x", [2]), {**place("z", [2]), "role": "out"}], [{"tensor": 0}])
        for _ in range(2):
            bench.call()
        self.assertFalse(torch.is_grad_enabled())

    def test_a_wrong_shape_is_reported(self):
        text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.T\n"
        bench = Bench(text, [place("x", [3, 2]), {**place("z", [3, 2]), "role": "out"}], [{"tensor": 0}])
        with self.assertRaisesRegex(WrongOutput, r"returned \[2, 3\] float32 as output 0; \[3, 2\] float32 is wanted"):
            bench.call()

    def test_the_place_of_the_output_itself_is_no_output(self):
        text = ("import torch\nclass ModelNew(torch.nn.Module):\n    found = None\n    def forward(self, x):\n"
                "        return x * 2 if self.found is None else self.found\n")
        bench = Bench(text, [place("x", [3, 2]), {**place("z", [3, 2]), "role": "out"}], [{"tensor": 0}])
        bench.call()
        bench.model.found = bench.job.outputs[0].view(ctypes.addressof(bench.memory[1]))
        with self.assertRaisesRegex(WrongOutput, "returned the place that output 0 is copied to"):
            bench.call()

    def test_results_are_copied_whatever_their_layout(self):
        text = ("import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n"
                "        c = torch.complex(x, -x)\n        return x.T, c.conj(), c.conj().imag, [9][0] * x[0].expand(2, 3)\n")
        bench = Bench(text, [place("x", [2, 3])] + [{**place(name, shape, dtype), "role": "out"} for name, shape, dtype in (
            ("a", [3, 2], "float32"), ("b", [2, 3], "complex64"), ("c", [2, 3], "float32"), ("d", [2, 3], "float32"))],
                      [{"tensor": 0}])
        bench.fill([1, 2, 3, 4, 5, 6])
        bench.call()
        self.assertEqual(bench.tensor(1)[:6].tolist(), [1, 4, 2, 5, 3, 6])
        self.assertEqual(bench.tensor(2, torch.complex64)[:2].tolist(), [1 + 1j, 2 + 2j])
        self.assertEqual(bench.tensor(3)[:6].tolist(), [1, 2, 3, 4, 5, 6])
        self.assertEqual(bench.tensor(4)[:6].tolist(), [9, 18, 27, 9, 18, 27])

    def test_what_forward_raises_names_its_line(self):
        text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.nothing\n"
        bench = Bench(text, [place("x", [3]), {**place("z", [3]), "role": "out"}], [{"tensor": 0}])
        with self.assertRaisesRegex(WrongOutput, r"^AttributeError: .*nothing.* \(line 4 of answer.py\)$"):
            bench.call()

    def test_a_subclass_and_too_few_outputs_are_named(self):
        text = ("import torch\nclass Lazy(torch.Tensor):\n    pass\nclass ModelNew(torch.nn.Module):\n"
                "    def forward(self, x):\n        return {}\n")
        for returned, words in (("x.as_subclass(Lazy)", "returned a Lazy, a subclass of torch.Tensor, as output 0"),
                                ("(x, x)", "returned 2 outputs; 1 are wanted"), ("3", "returned a int as output 0")):
            bench = Bench(text.format(returned), [place("x", [3]), {**place("z", [3]), "role": "out"}], [{"tensor": 0}])
            with self.assertRaisesRegex(WrongOutput, words):
                bench.call()

    def test_a_mode_that_swallows_copies_and_a_patched_tensor_change_nothing(self):
        text = """
import gc
import torch
from torch.utils._python_dispatch import TorchDispatchMode

class Swallow(TorchDispatchMode):
    def __torch_dispatch__(self, function, types, arguments=(), named=None):
        return arguments[0] if "copy_" in str(function) else function(*arguments, **(named or {}))

class ModelNew(torch.nn.Module):
    def forward(self, x):
        Swallow().__enter__()
        torch.Tensor.copy_ = torch.Tensor.data_ptr = torch.Tensor.contiguous = None
        return x + 1
"""
        bench = Bench(text, [place("x", [3]), {**place("z", [3]), "role": "out"}], [{"tensor": 0}])
        bench.fill([1, 2, 3])
        kept = {name: getattr(torch.Tensor, name) for name in ("copy_", "data_ptr", "contiguous")}
        try:
            bench.call()
            self.assertEqual((ctypes.c_float * 3).from_buffer(bench.memory[1])[:], [2, 3, 4])
        finally:
            torch._C._pop_torch_dispatch_stack(None) if torch._C._len_torch_dispatch_stack() else None
            for name, function in kept.items():
                setattr(torch.Tensor, name, function)

    def test_empty_outputs_lie_nowhere(self):
        text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x[:0]\n"
        Bench(text, [place("x", [3]), {**place("z", [0]), "role": "out"}], [{"tensor": 0}]).call()

    def test_an_arrangement_of_another_task_is_refused(self):
        bench = linear("fc")
        with self.assertRaisesRegex(ValueError, "3 arguments are arranged; the job has 5"):
            bench.calls.arrange([0, 0, 0], 1, 3)


class KernelTest(unittest.TestCase):
    SIGNATURE = {"sizes": ["M", "N"], "scalars": ["bool", "float64", "int64"],
                 "tensors": [place("x", ["M", "ceil_div(N, 4) + 1"]), place("z", ["N"], "complex64"), place("s", [])]}

    def test_shapes_follow_the_sizes_and_complex_numbers_are_pairs(self):
        shapes = list(Parameters(self.SIGNATURE).shapes([3, 5]))
        self.assertEqual(shapes, [(torch.float32, (3, 3)), (torch.float32, (5, 2)), (torch.float32, ())])

    def test_scalars_come_behind_the_sizes_each_as_its_kind(self):
        values = Parameters(self.SIGNATURE).values([3, 5] + [0] * 22, [0.5] + [0.0] * 23, [1, 7] + [0] * 22)
        self.assertEqual(values, [3, 5, True, 0.5, 7])
        self.assertIs(values[2], True)

    def test_it_writes_where_the_judge_looks_and_is_called_with_all_by_position(self):
        memory = [(ctypes.c_float * 8)(*range(8)) for _ in range(2)]
        seen = []

        def kernel(x, y, N, factor):
            seen.append((x.data_ptr(), tuple(x.shape), N, factor, torch.is_grad_enabled()))
            y.copy_(x * factor)
            return "ignored"

        document = {"sizes": ["N"], "scalars": ["float64"], "tensors": [place("x", ["N"]), place("y", ["N"])]}
        calls = KernelCalls(kernel, Parameters(document), torch.device("cpu"))
        at = [ctypes.addressof(block) for block in memory]
        calls.arrange(at + [at[0] + 16, at[1] + 16], 2, 2, [4], [2.0], [])
        torch.set_grad_enabled(True)
        calls.run(0, 2)
        torch.set_grad_enabled(True)
        self.assertEqual(list(memory[1]), [0, 2, 4, 6, 8, 10, 12, 14])
        self.assertEqual(seen, [(at[0], (4,), 4, 2.0, False), (at[0] + 16, (4,), 4, 2.0, False)])
        calls.arrange([], 0, 0, (), (), ())
        calls.run(0, 2)
        self.assertEqual(len(seen), 2)

    def test_an_arrangement_of_another_task_is_refused(self):
        calls = KernelCalls(print, Parameters(self.SIGNATURE), torch.device("cpu"))
        with self.assertRaisesRegex(ValueError, "2 arguments are arranged; the job has 3"):
            calls.arrange([0, 0], 1, 2, [1, 1], [0.0], [0, 0])

    def test_what_cannot_be_called_is_no_entry_point(self):
        for text in ("", "kernel_a = 3\n", "class JITFunction:\n    def __call__(self): pass\nkernel_a = JITFunction()\n"):
            with self.assertRaises(source.NoEntryPoint):
                source.function(source.execute(text, "answer.py"), "kernel_a", "answer.py")


class OperatorsTest(unittest.TestCase):
    def test_what_computes_is_counted_and_what_makes_or_views_is_not(self):
        a, b = torch.ones(3, 4), torch.ones(5, 4)
        with operators.Watch() as watch:
            made = torch.zeros(3, 5)
            torch.nn.functional.linear(a, b).t().reshape(3, 5).relu_()
            made.copy_(a @ b.t())
        self.assertEqual(watch.told().splitlines(), ["mm 2", "relu_ 1"])

    def test_nothing_is_imported_for_it(self):  # it is first used where nothing may be
        before = set(sys.modules)
        with operators.Watch():
            torch.ones(2).add(1)
        self.assertEqual(set(sys.modules) - before, set())


if __name__ == "__main__":
    unittest.main()
