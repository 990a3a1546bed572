"""docs_links.py finds what is planted in a small tree, and passes what is right.

    docs_links_test.py
"""

import sys
import tempfile
import unittest
from pathlib import Path

from docs_links import Tree, unlisted, wrong_page, wrong_sources

DECISION = "# A decision\n\n## Context\n\nx\n\n## Decision\n\ny\n\n## Consequences\n\nz\n"


class SmallTree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name).resolve()
        self.write("docs/other.md", "# Other\n\n## A part, named `so`\n\n## Twice\n\n## Twice\n\n```\n# no heading\n```\n")
        self.write("engine/core/hash.hpp", "")
        self.write("prompts/iterative/refine.md", "")
        self.write("build/bin/ridgeline", "")

    def write(self, path: str, text: str) -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)
        return file

    def findings(self, text: str, path: str = "docs/page.md") -> list[str]:
        page = self.write(path, text)
        return wrong_page(Tree(self.root), page)

    def is_found(self, text: str, words: str, path: str = "docs/page.md"):
        found = self.findings(text, path)
        self.assertEqual(len(found), 1, found)
        self.assertIn(words, found[0])

    def is_right(self, text: str, path: str = "docs/page.md"):
        self.assertEqual(self.findings(text, path), [])

    def test_a_link_to_no_file_is_found(self):
        self.is_found("Line.\n\n[a page](no-page.md)", "docs/page.md:3: the link to no-page.md leads nowhere")
        self.is_found("![a picture](images/none.png)", "leads nowhere")
        self.is_found("[out](../../elsewhere/x.md)", "leads nowhere")
        self.is_right("[a page](other.md), [the web](https://example.org/x), [a header](../engine/core/hash.hpp)")

    def test_a_link_to_no_section_is_found(self):
        self.is_found("[a part](other.md#no-such-part)", "other.md has no section #no-such-part")
        self.is_found("[code](other.md#no-heading)", "no section #no-heading")
        self.is_found("# Here\n\n[there](#there)", "page.md has no section #there")
        self.is_right("# Here\n\n[here](#here), [x](other.md#a-part-named-so), [y](other.md#twice-1)")

    def test_a_path_that_is_not_there_is_found(self):
        self.is_found("see `engine/core/no_such.hpp`", "engine/core/no_such.hpp does not exist")
        self.is_found("see `engine/cores/`", "engine/cores does not exist".replace("cores", "cores/"))
        self.is_found("see `no_such.hpp`", "no_such.hpp does not exist")
        self.is_found("see `engine/core/{hash,sum}.hpp`", "engine/core/sum.hpp does not exist")
        self.is_found("```\ncat docs/none.md\n```", "docs/page.md:2: docs/none.md does not exist")
        self.is_right("`engine/core/hash.hpp`, `core/hash.hpp`, `hash.hpp`, `engine/core`, `engine/core/*.hpp`")
        self.is_right("`prompts/<strategy>/refine.md`, `prompts/…`, `build/bin/anything`, `~/docs/x`, plain docs/none.md")

    def test_a_member_that_no_source_has_is_found(self):
        self.write("engine/core/hash.cpp", "Hash Hasher::finish() {}")
        self.is_found("`Hasher::stop` ends it", "Hasher::stop is in no source")
        self.is_right("`Hasher::finish` ends it, `std::byte` is the standard's, Hasher::stop in plain words")

    def test_a_long_line_is_found_in_columns_and_not_in_bytes(self):
        self.is_found("x" * 101, "101 columns; 100 are allowed")
        self.is_right("µ" * 100)

    def test_a_long_readme_is_found(self):
        self.is_found("line\n" * 121, "README.md:121: 121 lines; 120 are allowed", "README.md")
        self.is_right("line\n" * 120, "README.md")
        self.is_right("line\n" * 300)

    def test_a_decision_is_short_and_has_its_three_sections(self):
        self.is_right(DECISION, "docs/decisions/x.md")
        self.is_found(DECISION + "line\n" * 48, "61 lines; 60 are allowed", "docs/decisions/x.md")
        self.is_found(DECISION.replace("## Context", "## Why"), "has the sections", "docs/decisions/x.md")

    def test_a_decision_that_the_index_does_not_list_is_found(self):
        self.write("docs/decisions/x.md", DECISION)
        self.assertEqual(list(unlisted(Tree(self.root))), ["docs/decisions/README.md:1: x.md is not listed"])
        self.write("docs/decisions/README.md", "# Decisions\n\n- [x](x.md)\n")
        self.assertEqual(list(unlisted(Tree(self.root))), [])
        self.is_right((self.root / "docs/decisions/README.md").read_text(), "docs/decisions/README.md")

    def test_a_page_that_a_source_names_and_is_not_there_is_found(self):
        self.write("engine/core/hash.cpp", "// docs/other.md\n// as docs/gone.md says\n")
        found = list(wrong_sources(Tree(self.root)))
        self.assertEqual(found, ["engine/core/hash.cpp:2: docs/gone.md does not exist"])

    def test_pages_are_found_wherever_they_lie(self):
        for path in ("README.md", "CONTRIBUTING.md", "docs/decisions/x.md", "engine/core/README.md"):
            self.write(path, "")
        names = [str(one.relative_to(self.root)) for one in Tree(self.root).pages()]
        self.assertEqual(names, ["CONTRIBUTING.md", "README.md", "docs/decisions/x.md", "docs/other.md",
                                 "engine/core/README.md"])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
