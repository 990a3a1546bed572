"""The interpreter's side of the Python runner, without a judge: python3 ridgeline_runner_test.py PACKAGE_FOLDER."""

import contextlib
import ctypes
import inspect
import io
import json
import os
import sys
import tempfile
import unittest

PACKAGE = sys.argv.pop(1)
sys.path.insert(0, PACKAGE)
sys.dont_write_bytecode = True

import torch  # noqa: E402

import ridgeline_runner  # noqa: E402

# In the library the shared modules are the package's own.
ridgeline_runner.__path__.append(os.path.join(PACKAGE, "../../../python/shared"))

from ridgeline_runner import addresses, extension, operators, prebuilt, record, source  # noqa: E402
from ridgeline_runner.calls import Calls, WrongOutput  # noqa: E402
from ridgeline_runner.job import Job, decoded  # noqa: E402
from ridgeline_runner.kernel_calls import KernelCalls, Parameters  # noqa: E402
from ridgeline_runner.state import State  # noqa: E402
from ridgeline_runner.dtypes import DTYPES  # noqa: E402
from ridgeline_runner.tensors import Place  # noqa: E402


def place(name, shape, dtype="float32", **rest):
    return {"name": name, "role": "in", "dtype": dtype, "shape": shape, **rest}


class Bench:
    """A model, its job, and memory for its tensors: one slot."""

    def __init__(self, text, tensors, forward, arguments=None):
        arguments = arguments or len(tensors)
        told = {"class": "ModelNew", "source": text, "name": "answer.py", "init": {"arguments": [], "named": {}},
                "training": True, "seed": 42, "tensors": tensors, "forward": forward}
        with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
            json.dump(told, file)
            file.flush()
            self.job = Job(file.name, torch.device("cpu"))
        self.memory = [(ctypes.c_ubyte * 4096)() for _ in range(arguments)]
        module = source.execute(text, "answer.py")
        self.model = source.build(module, "ModelNew", "answer.py", [], {}, 42)
        self.said = io.StringIO()
        with contextlib.redirect_stderr(self.said):
            self.state = State(self.model, self.job.state)
        self.calls = Calls(self.model, self.job, self.state)
        self.calls.arrange([ctypes.addressof(one) for one in self.memory], 1, arguments)

    def tensor(self, position, dtype=torch.float32):
        return torch.frombuffer(self.memory[position], dtype=dtype)

    def fill(self, *values):
        """The first tensors' first numbers."""
        for position, some in enumerate(values):
            self.tensor(position)[:len(some)] = torch.tensor(some, dtype=torch.float32)

    def call(self):
        self.calls.run(0, 1)


LINEAR = """
import torch
class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.{name} = torch.nn.Linear(2, 2)
        self.scale = torch.ones(1)
    def forward(self, x):
        return self.{name}(x) * self.scale
"""


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

    def test_a_wrong_shape_is_told(self):
        text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x.T\n"
        bench = Bench(text, [place("x", [3, 2]), {**place("z", [3, 2]), "role": "out"}], [{"tensor": 0}])
        with self.assertRaisesRegex(WrongOutput, r"returned \[2, 3\] float32 as output 0; \[3, 2\] float32 is wanted"):
            bench.call()

    def test_the_place_of_the_output_itself_is_no_output(self):
        text = ("import torch\nclass ModelNew(torch.nn.Module):\n    found = None\n    def forward(self, x):\n"
                "        return x * 2 if self.found is None else self.found\n")
        bench = Bench(text, [place("x", [3, 2]), {**place("z", [3, 2]), "role": "out"}], [{"tensor": 0}])
        bench.call()
        bench.model.found = bench.calls._slots[0].outputs[0][0]
        with self.assertRaisesRegex(WrongOutput, "returned the place that output 0 is copied to"):
            bench.call()

    def test_empty_outputs_lie_nowhere(self):
        text = "import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return x[:0]\n"
        Bench(text, [place("x", [3]), {**place("z", [0]), "role": "out"}], [{"tensor": 0}]).call()

    def test_an_arrangement_of_another_task_is_refused(self):
        bench = linear("fc")
        with self.assertRaisesRegex(ValueError, "3 arguments are arranged; the job has 5"):
            bench.calls.arrange([0, 0, 0], 1, 3)


class SourceTest(unittest.TestCase):
    def test_in_place_is_on_that_device_and_plain_tensors_are_what_they_were(self):
        text = ("import torch\nclass Model(torch.nn.Module):\n    def __init__(self, plain):\n        super().__init__()\n"
                "        self.linear = torch.nn.Linear(2, 3)\n"
                "        if plain:\n            self.hidden = self.alias = torch.ones(4)\n")
        module = source.execute(text, "reference.py")

        def built(plain, in_place=None):
            return source.build(module, "Model", "reference.py", [plain], {}, 42, in_place)

        self.assertTrue(built(False, torch.device("meta")).linear.weight.is_meta)
        self.assertEqual(built(False).linear.weight.device.type, "cpu")
        here = built(True, torch.device("cpu"))
        self.assertTrue(torch.equal(here.hidden, torch.ones(4)))
        self.assertIs(here.hidden, here.alias)

    def test_its_lines_are_there_for_inspect(self):
        module = source.execute(LINEAR.format(name="fc"), "answer.py")
        self.assertIn("self.fc(x)", inspect.getsource(module.ModelNew.forward))
        self.assertIn("class ModelNew", inspect.getsource(module.ModelNew))

    def test_what_would_start_compilers_says_so(self):
        kept = torch.compile
        try:
            source.forbid_compiling()
            module = source.execute("import torch\n@torch.compile\ndef f(x):\n    return x\n", "answer.py")
        except RuntimeError as error:
            self.assertIn("torch.compile is not there for answers", str(error))
        else:
            self.fail(f"{module} was executed")
        finally:
            torch.compile = kept

    def test_errors_name_the_innermost_line_of_the_candidate(self):
        try:
            source.execute("def f():\n    return [].pop()\n\nf()\n", "answer.py")
        except IndexError as error:
            self.assertEqual(source.told(error, "answer.py"), "IndexError: pop from empty list (line 2 of answer.py)")

    def test_an_error_that_cannot_say_what_it_is(self):
        class Mute(Exception):
            def __str__(self):
                raise SystemExit

        self.assertEqual(source.told(Mute(), "answer.py"), "an exception that cannot be told")

    def test_a_class_of_another_kind_is_no_entry_point(self):
        for text in ("ModelNew = 3\n", "class ModelNew:\n    pass\n"):
            with self.assertRaisesRegex(source.NoEntryPoint, "no class derived from torch.nn.Module"):
                source.build(source.execute(text, "answer.py"), "ModelNew", "answer.py", [], {}, 42)

    def test_plain_values(self):
        self.assertEqual(decoded({"tuple": [1, [2], {"tuple": []}]}), (1, [2], ()))
        self.assertEqual(decoded({"a": {"tuple": [None]}}), {"a": (None,)})


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

        told = {"sizes": ["N"], "scalars": ["float64"], "tensors": [place("x", ["N"]), place("y", ["N"])]}
        calls = KernelCalls(kernel, Parameters(told), torch.device("cpu"))
        at = [ctypes.addressof(one) for one in memory]
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


def recorded(text, failed=None, arguments=()):
    """The lines that the recorder tells of an answer."""
    lines = []
    with contextlib.redirect_stderr(io.StringIO()):
        record.follow({"name": "answer.py", "source": text, "class": "ModelNew", "seed": 42, "failed": failed or {},
                       "init": {"arguments": list(arguments), "named": {}}, "device": "cpu", "tensors": [],
                       "forward": []}, lines.append)
    return lines


INLINE = """import torch
from torch.utils.cpp_extension import load_inline
A = '''
int a;
'''
made = load_inline(name="a", cpp_sources=[A, "int b;"], functions=["f"], extra_cflags="-O1", verbose=True)
class ModelNew(torch.nn.Module):
    pass
"""


class RecordTest(unittest.TestCase):
    def test_a_request_is_told_whole(self):
        told, end = recorded(INLINE)
        self.assertEqual(told["request"], {
            "form": "inlined", "name": "a", "cpp_sources": ["\nint a;\n", "int b;"], "cuda_sources": [],
            "functions": [["f", "f"]], "cflags": ["-O1"], "cuda_cflags": [], "ldflags": [], "with_cuda": False,
            "error_handling": True, "implicit_headers": True})
        self.assertEqual(told["lines"], {"cpp_sources": [3, 6], "cuda_sources": []})
        self.assertEqual(end, {"end": "done"})

    def test_the_same_request_has_the_same_key_and_another_has_not(self):
        keys = [recorded(INLINE.replace(*change))[0]["key"]
                for change in (("", ""), ("verbose=True", "verbose=False"), ("-O1", "-O2"))]
        self.assertEqual(keys[0], keys[1])
        self.assertNotEqual(keys[0], keys[2])

    def test_a_name_that_is_drawn_makes_no_other_request(self):
        names = [recorded(INLINE.replace('name="a"', name))[0] for name in ('name="b"', 'name="c"')]
        self.assertEqual(names[0]["key"], names[1]["key"])
        self.assertEqual(names[1]["request"]["name"], "c")

    def test_constructors_are_run_only_where_they_may_ask(self):
        raises = "    def __init__(self, n):\n        {}\n        raise ValueError(n)\n"
        self.assertEqual(recorded(INLINE.replace("    pass", raises.format("pass")))[-1], {"end": "done"})
        late = raises.format("load_inline('lazy', 'int l;', functions=[])")
        lazy = recorded(INLINE.replace("    pass", late), arguments=[7])
        self.assertEqual([one["request"]["name"] for one in lazy[:-1]], ["a", "lazy"])
        self.assertEqual((lazy[-1]["end"], lazy[-1]["stage"]), ("raised", "construction"))
        self.assertIn("ValueError: 7", lazy[-1]["words"])

    def test_calling_what_is_not_built_says_so(self):
        end = recorded(INLINE + "made.ops.f(1)\n")[-1]
        self.assertIn("a.ops.f was called while the answer is built", end["words"])
        self.assertIn("line 9 of answer.py", end["words"])

    def test_what_did_not_build_fails_as_load_inline_would(self):
        key = recorded(INLINE)[0]["key"]
        self.assertIn("DidNotBuild: expected ;", recorded(INLINE, {key: "expected ;"})[-1]["words"])

    def test_nor_does_it_where_forward_asks_for_it_unless_that_catches_it(self):
        late = INLINE.replace("    pass", "    def forward(self):\n        load_inline('late', 'int l;')")
        key = recorded(late)[1]["key"]
        self.assertEqual(recorded(late)[-1]["end"], "done")
        self.assertIn("DidNotBuild: no", recorded(late, {key: "no"})[-1]["words"])
        caught = late.replace("        load_inline", "        try: load_inline") + "\n        except RuntimeError: pass\n"
        self.assertEqual(recorded(caught, {key: "no"})[-1]["end"], "done")

    def test_a_text_that_is_no_python_is_told(self):
        self.assertIn("SyntaxError", recorded("def")[-1]["words"])

    def test_strings_with_escapes_have_no_line(self):
        told = recorded(INLINE.replace("int a;", "int a;\\n"))[0]
        self.assertEqual(told["lines"]["cpp_sources"], [0, 6])


class PrebuiltTest(unittest.TestCase):
    def test_what_was_not_built_is_reported_with_the_fix(self):
        prebuilt.install([])
        with self.assertRaisesRegex(RuntimeError, "'x' was not built.*ModelNew is constructed"):
            torch.utils.cpp_extension.load_inline("x", "int x;")

    def test_a_failure_that_the_answer_went_on_without_is_raised_again(self):
        asked = []
        extension.install(lambda request, key, is_python_module: asked.append(key))
        torch.utils.cpp_extension.load_inline("x", "int x;")
        prebuilt.install([{"key": asked[0], "error": "Error building extension"}])
        with self.assertRaisesRegex(RuntimeError, "Error building extension"):
            torch.utils.cpp_extension.load_inline("x", ["int x;"])

    def test_the_real_module_is_not_imported(self):
        prebuilt.install([])
        from torch.utils import cpp_extension
        self.assertFalse(hasattr(cpp_extension, "_join_cuda_home"))
        with self.assertRaisesRegex(AttributeError, "CUDAExtension is not here"):
            cpp_extension.CUDAExtension


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


unittest.main()
