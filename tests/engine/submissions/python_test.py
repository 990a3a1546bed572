"""The Python side of scoring: comparison, kept values, the entry check, performance scripts, radon's figures.

    python_test.py ROOT    with a Python that has torch
"""

import os
import sys
import tempfile
import types
import unittest

ROOT = sys.argv.pop(1)
sys.path[:0] = [os.path.join(ROOT, "engine", "submissions"), os.path.join(ROOT, "engine", "python", "shared")]

import numpy  # noqa: E402
import torch  # noqa: E402

import quality  # noqa: E402
from ridgeline_submissions import comparing, entry_point, perf_script, values  # noqa: E402

GATES = {"cosine_sim": 0.95, "l1_relative": 0.05, "rmse": 0.10}


def equal(ours, theirs, gates=None):
    try:
        comparing.compare(ours, theirs, gates)
        return True
    except Exception:
        return False


class Comparison(unittest.TestCase):
    def test_tolerances_are_those_of_the_dtype(self):
        for dtype, near, far in ((torch.float16, 1.004, 1.02), (torch.bfloat16, 1.0, 1.03),
                                 (torch.float32, 1.00001, 1.00003), (torch.float64, 1.00001, 1.00003)):
            one = torch.ones(4, dtype=dtype)
            self.assertTrue(equal(one * near, one), dtype)
            self.assertFalse(equal(one * far, one), dtype)

    def test_all_other_dtypes_are_equal_bit_by_bit(self):
        self.assertFalse(equal(torch.tensor([1 + 1e-7j], dtype=torch.complex128),
                               torch.tensor([1 + 0j], dtype=torch.complex128)))
        self.assertFalse(equal(torch.tensor([1, 2]), torch.tensor([1, 3])))
        self.assertTrue(equal(torch.tensor([True]), torch.tensor([True])))

    def test_shape_dtype_and_structure_must_match(self):
        one = torch.ones(2)
        self.assertFalse(equal(one, one.double()))
        self.assertFalse(equal(one, torch.ones(2, 1)))
        self.assertFalse(equal([one], [one, one]))
        self.assertFalse(equal({"a": one}, {"b": one}))
        self.assertTrue(equal((one, {"a": [one]}), [one, {"a": (one,)}]))
        self.assertFalse(equal(one, 1.0))

    def test_nan_equals_nan(self):
        gone = float("nan")
        self.assertTrue(equal(torch.tensor([gone]), torch.tensor([gone])))
        self.assertTrue(equal(gone, gone))
        self.assertTrue(equal(numpy.array([gone]), numpy.array([gone])))
        self.assertFalse(equal(torch.tensor([gone]), torch.tensor([1.0])))

    def test_numbers_texts_and_arrays(self):
        self.assertTrue(equal(1.0, 1.000001))
        self.assertFalse(equal(1.0, 1.001))
        self.assertFalse(equal(1, 2))
        self.assertTrue(equal(True, True))
        self.assertFalse(equal("singular", "Singular"))
        self.assertFalse(equal(numpy.float32([1]), numpy.float64([1])))
        self.assertFalse(equal(numpy.int64([1]), [1]))

    def test_a_quantized_task_has_its_gates_and_nothing_else(self):
        exact = torch.linspace(-1, 1, 200)
        self.assertTrue(equal(exact + 0.005, exact, GATES))
        self.assertFalse(equal(exact + 0.2, exact, GATES))
        self.assertFalse(equal(-exact, exact, GATES))
        self.assertTrue(equal(torch.zeros(3), torch.zeros(3), GATES))
        self.assertFalse(equal(torch.zeros(3), torch.ones(3), GATES))

    def test_the_worst_figures_are_told(self):
        exact = torch.linspace(-1, 1, 200)
        worst = comparing.worst_figures({"a": exact, "b": [exact + 0.1]}, {"a": exact, "b": [exact]})
        self.assertAlmostEqual(worst["rmse"], 0.1, places=5)
        self.assertIsNone(comparing.worst_figures({"a": 1}, {"a": 1}))


class KeptValues(unittest.TestCase):
    def again(self, value):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "values")
            values.keep(value, path)
            return values.kept(path)

    def test_data_comes_back_as_it_was(self):
        value = {"a": [torch.arange(6, dtype=torch.bfloat16).reshape(2, 3).T, 1, 2.5, True, None, "text"],
                 "b": (numpy.arange(4, dtype=numpy.int16).reshape(2, 2), numpy.float32(1.5), 1 + 2j, torch.float16,
                     torch.device("cpu"), torch.Size([2, 3]), numpy.array([]), torch.tensor([1j]))}
        again = self.again(value)
        comparing.compare(again, value, None)
        self.assertIs(type(again["a"][3]), bool)
        self.assertIs(type(again["b"][1]), numpy.float32)
        self.assertIs(again["b"][3], torch.float16)

    def test_a_view_keeps_its_own_elements_alone(self):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "values")
            values.keep(torch.zeros(1 << 20)[:4], path)
            self.assertLess(os.path.getsize(path), 1 << 16)

    def test_another_object_equals_nothing(self):
        class Always:
            def __eq__(self, other):
                return True

        again = self.again({"a": Always(), "b": lambda: 1})
        self.assertIn("Always", repr(again["a"]))
        self.assertFalse(equal(again["a"], 1.0))
        self.assertFalse(equal(again["b"], "text"))


class Entry(unittest.TestCase):
    def test_the_top_level_defines_the_name(self):
        for text in ("def add(x): pass", "add = lambda x: x", "add: object = 1", "def kernel_function(): pass",
                     "import torch\na = add = 1"):
            self.assertEqual(entry_point.missing(text, "add"), "", text)

    def test_else_it_says_what_is_missing(self):
        for text, part in (("", "empty"), ("def add(:", "syntax error"), ("class add: pass", "neither"),
                           ("if True:\n    def add(): pass", "neither"), ("import add", "neither")):
            self.assertIn(part, entry_point.missing(text, "add"), text)


class PerformanceScript(unittest.TestCase):
    def test_it_imports_the_candidate_and_nothing_else_changes(self):
        clone = os.path.join(ROOT, "tests", "engine", "submissions")
        template = os.path.join(clone, "metrics", "golden_metrics", "half_relu_perf.py")
        with tempfile.TemporaryDirectory() as folder:
            job = {"stem": "half_relu", "candidate": "code\n" + "#" * 146 + "\ntest", "template": template}
            with open(perf_script.write(job, clone, folder)) as file:
                script = file.read()
            with open(os.path.join(folder, "half_relu.py")) as file:
                self.assertEqual(file.read(), "code")
        with open(template) as file:
            text = file.read()
        for line in ("from half_relu import half_relu\n", f"sys.path.insert(0, {folder!r})\n",
                     "    op_perf.get_do_bench_config(warmup=100, rep=1000)\n", f"    folder_path = {folder!r}\n"):
            self.assertIn(line, script)
        self.assertNotIn("kernelbenchx", script)
        self.assertEqual(len(set(text.splitlines()) - set(script.splitlines())), 4)

    def test_a_table_is_read_with_what_is_no_number_as_null(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(perf_script.results(folder, "add"), {"sizes": None})
            with open(os.path.join(folder, "add.json"), "w") as file:
                file.write('[{"input_size": [[4]], "ms": NaN, "GB/s": 1, "TFLOPS": true}]')
            self.assertEqual(perf_script.results(folder, "add"),
                             {"sizes": [{"input_size": [[4]], "ms": None, "GB/s": 1, "TFLOPS": None}]})


class Quality(unittest.TestCase):
    TEXT = "# one\ndef f(x):\n\n    return x  # not a comment line\n"

    def setUp(self):
        radon = types.ModuleType("radon")
        radon.complexity = types.ModuleType("radon.complexity")
        radon.metrics = types.ModuleType("radon.metrics")
        radon.complexity.cc_visit = lambda text: [types.SimpleNamespace(complexity=n) for n in (1, 4)]
        radon.metrics.mi_visit = lambda text, multi: 61.23456 if multi else 0
        self.modules = {"radon": radon, "radon.complexity": radon.complexity, "radon.metrics": radon.metrics}

    def test_its_keys_are_there_with_radon(self):
        sys.modules.update(self.modules)
        self.addCleanup(lambda: [sys.modules.pop(name) for name in self.modules])
        self.assertEqual(quality.figures(self.TEXT),
                         {"avg_complexity": 2.5, "max_complexity": 4, "maintainability_index": 61.23,
                          "total_lines": 5, "code_lines": 2, "comment_lines": 1, "comment_ratio": 0.2})

    def test_without_radon_there_are_none(self):
        sys.modules["radon"] = None  # as an import that fails
        self.addCleanup(lambda: sys.modules.pop("radon"))
        self.assertEqual(quality.figures(self.TEXT), {})


if __name__ == "__main__":
    unittest.main()
