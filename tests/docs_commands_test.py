"""docs_commands.py finds what is planted in a page, and passes what is right.

    docs_commands_test.py ROOT RIDGELINE
"""

import sys
import unittest
from pathlib import Path

from docs_commands import Tree, wrong_with_ci, wrong_with_help, wrong_with_page

ROOT, PROGRAM = Path(sys.argv[1]).resolve(), sys.argv[2]


class Page(unittest.TestCase):
    tree = Tree(ROOT, PROGRAM)

    def findings(self, text: str) -> list[str]:
        return list(wrong_with_page(self.tree, ROOT / "docs" / "page.md", text))

    def is_found(self, text: str, words: str):
        found = self.findings(text)
        self.assertEqual(len(found), 1, found)
        self.assertIn("docs/page.md:1: ", found[0])
        self.assertIn(words, found[0])

    def is_right(self, text: str):
        self.assertEqual(self.findings(text), [])

    def test_commands_of_dev(self):
        self.is_found("Try `./dev tset`.", "`./dev tset` is no command")
        self.is_found("    ./dev build fast", "there is no 'fast'")
        self.is_found("`./dev bench lop`", "there is no 'lop'")
        self.is_found("`./dev sanitize asan|ubsan`", "there is no 'ubsan'")
        self.is_right("`./dev test` and `./dev test debug`, `./dev test --gpu`, `./dev bench loop 3`")
        self.is_right("    ./dev test          # all tests")

    def test_commands_of_ridgeline(self):
        self.is_found("`ridgeline rnu FILE`", "`ridgeline rnu` is no command")
        self.is_found("`ridgeline run FILE --plna`", "`ridgeline run` has no option --plna")
        self.is_found("    ridgeline tasks check --tiemout 3", "has no option --tiemout")
        self.is_right("    ridgeline run CONFIG [--set key=value] [--plan]     run; not --this")
        self.is_right("    ridgeline tasks show TASK --stub cuda")
        self.is_right("ridgeline runs, `ridgeline-worker --torch DIR` and runs/ridgeline rnu in plain words")

    def test_presets_and_phases(self):
        self.is_found("`- preset: best_of_m`", "preset 'best_of_m'")
        self.is_found("`measure.sh OUT tests sustaned`", "measure.sh has no phase 'sustaned'")
        self.is_right("`preset: geak`, `measure.sh OUT tests tests-busy sustained-counted`")

    def test_commands_of_the_readme_are_those_of_ci(self):
        ci = "timed ./dev quickstart\ntimed ./dev test -j 1  # one at a time\n"
        self.assertEqual(list(wrong_with_ci("    ./dev quickstart    # first\n    ./dev test -j 1\n", ci)), [])
        self.assertEqual(len(list(wrong_with_ci("    ./dev quickstart\n    ./dev test\n", ci))), 1)
        self.assertEqual(len(list(wrong_with_ci("no command", ci))), 1)

    def test_what_dev_offers(self):
        self.assertEqual(list(wrong_with_help(self.tree)), [])
        odd = Tree(ROOT, PROGRAM)
        odd.dev_commands = odd.dev_commands | {"sing"}
        self.assertEqual(len(list(wrong_with_help(odd))), 2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
