"""Executes the texts of answers: their errors, the modules that they ask for, and those that were built before."""

import contextlib
import inspect
import io
import unittest

import torch

from package_under_test import LINEAR

from ridgeline_runner import adapted, extension, prebuilt, record, source
from ridgeline_runner.job import decoded


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


class AdaptedTest(unittest.TestCase):
    ADAPTER = ("import torch\nclass Model(torch.nn.Module):\n    def forward(self, x):\n"
               "        return [_ridgeline_entry(x), _ridgeline_entry(x, scale=3)]\n")

    def model(self, text, adapter=ADAPTER):
        module = source.execute(text, "answer.py")
        adapted.add_class(module, "ModelNew", "answer.py", "scaled", adapter)
        return source.build(module, "ModelNew", "answer.py", [], {}, 42)

    def test_a_function_is_called_in_each_case(self):
        for name in ("scaled", "kernel_function"):
            results = self.model(f"def {name}(x, scale=2):\n    return x * scale\n")(torch.ones(1))
            self.assertEqual([one.item() for one in results], [2, 3])

    def test_the_tasks_own_name_comes_before_the_common_one(self):
        text = "def kernel_function(x, scale=2):\n    return x\ndef scaled(x, scale=2):\n    return x * scale\n"
        self.assertEqual(self.model(text)(torch.ones(1))[0].item(), 2)

    def test_a_class_of_the_answers_own_is_taken_as_it_is(self):
        model = self.model("import torch\nclass ModelNew(torch.nn.Module):\n    def forward(self, x):\n        return 7\n")
        self.assertEqual(model(None), 7)

    def test_says_what_is_missing(self):
        with self.assertRaisesRegex(source.NoEntryPoint, "defines no scaled; the answer is a function of that name"):
            self.model("def other(x):\n    return x\n")
        with self.assertRaisesRegex(source.NoEntryPoint, "scaled of answer.py is no function"):
            self.model("scaled = 3\n")

    def test_a_task_of_classes_gets_none(self):
        with self.assertRaisesRegex(source.NoEntryPoint, "defines no class ModelNew"):
            self.model("def scaled(x):\n    return x\n", adapter="")


class RecordTest(unittest.TestCase):
    def test_a_request_is_recorded_whole(self):
        line, end = recorded(INLINE)
        self.assertEqual(line["request"], {
            "form": "inlined", "name": "a", "cpp_sources": ["\nint a;\n", "int b;"], "cuda_sources": [],
            "functions": [["f", "f"]], "cflags": ["-O1"], "cuda_cflags": [], "ldflags": [], "with_cuda": False,
            "error_handling": True, "implicit_headers": True})
        self.assertEqual(line["lines"], {"cpp_sources": [3, 6], "cuda_sources": []})
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

    def test_a_text_that_is_no_python_is_reported(self):
        self.assertIn("SyntaxError", recorded("def")[-1]["words"])

    def test_strings_with_escapes_have_no_line(self):
        line = recorded(INLINE.replace("int a;", "int a;\\n"))[0]
        self.assertEqual(line["lines"]["cpp_sources"], [0, 6])


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


if __name__ == "__main__":
    unittest.main()
