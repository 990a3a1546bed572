"""Links, paths and sizes of the documents.

    docs_links.py ROOT

Looks at README.md, CONTRIBUTING.md, every page under docs/ and the README of any folder: links lead to a file that is
there and to a section that it has; what stands in backticks and looks like a path of this tree is there, or is a
pattern; a `Class::member` is in a source; no line has more than 100 columns; README.md has at most 120 lines; a
decision has at most 60, and is told as context, decision, consequences. Pages that sources name are there too. Ends
with 1 and a line for each finding: FILE:LINE: what is wrong.
"""

import os
import re
import sys
from functools import cache, cached_property
from pathlib import Path

COLUMNS, README_LINES, DECISION_LINES = 100, 120, 60
SECTIONS = ["Context", "Decision", "Consequences"]
NOT_SOURCES = {"build", "runs"}  # made here, so what lies there is nobody else's
SOURCES = {".cpp", ".hpp", ".h", ".inc", ".py", ".sh", ".cmake", ".yaml", ".txt"}
PLACEHOLDER = re.compile(r"<[^<>]*>|…|\.\.\.|\b(?:NAME|DIR|FILE|TASK|NNN)\b")  # stands for any name


class Tree:
    def __init__(self, root: Path):
        self.root = root
        self.folders = sorted(one.name for one in root.iterdir()
                              if one.is_dir() and one.name not in NOT_SOURCES and not one.name.startswith("."))
        found: list[str] = []
        for folder in self.folders:
            for place, below, files in os.walk(root / folder):
                below[:] = [one for one in below if one != "__pycache__" and not one.startswith(".")]
                found += [str((Path(place) / name).relative_to(root)) for name in below + files]
        self.paths = found
        self.names = {Path(one).name for one in found}

    @cached_property
    def words(self) -> list[set[str]]:
        """Of each C++ source."""
        sources = [self.root / one for one in self.paths if one.endswith((".hpp", ".cpp"))]
        return [set(re.findall(r"\w+", one.read_text(errors="replace"))) for one in sources]

    def pages(self) -> list[Path]:
        readmes = [self.root / one for one in self.paths if Path(one).name == "README.md"]
        wanted = [self.root / "README.md", self.root / "CONTRIBUTING.md", *(self.root / "docs").rglob("*.md"), *readmes]
        return sorted({one for one in wanted if one.exists()})

    def ends_with(self, path: str) -> bool:
        return any(one == path or one.endswith("/" + path) for one in self.paths)


@cache
def anchors(page: Path) -> frozenset[str]:
    """The anchors that GitHub gives a page's headings; a repeated heading gets -1, -2."""
    seen: dict[str, int] = {}
    found = set()
    for line, fenced in lines_of(page.read_text()):
        heading = None if fenced else re.match(r"#+ +(.*?)\s*#*$", line)
        if not heading:
            continue
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading[1])
        slug = re.sub(r"[^\w\- ]", "", text).strip().lower().replace(" ", "-")
        found.add(f"{slug}-{seen[slug]}" if slug in seen else slug)
        seen[slug] = seen.get(slug, 0) + 1
    return frozenset(found)


def lines_of(text: str):
    """Each line, and whether it stands in a fenced block."""
    fenced = False
    for line in text.splitlines():
        fence = line.lstrip().startswith("```")
        yield line, fenced or fence
        fenced ^= fence


def wrong_links(tree: Tree, page: Path, line: str):
    for target, anchor in re.findall(r"\]\(([^)\s#]*)(?:#([^)\s]*))?\)", line):
        if re.match(r"[a-z]+:", target):
            continue
        other = (page.parent / target).resolve() if target else page
        if not other.exists():
            yield f"the link to {target} leads nowhere"
        elif not other.is_relative_to(tree.root):
            yield f"the link to {target} leads out of the tree"
        elif anchor and other.suffix == ".md" and anchor not in anchors(other):
            yield f"{target or page.name} has no section #{anchor}"


def alternatives(path: str) -> list[str]:
    """`a/{b,c}.hpp` is a/b.hpp and a/c.hpp."""
    braces = re.search(r"\{([^{}]*)\}", path)
    if not braces:
        return [path]
    return [one for part in braces[1].split(",")
            for one in alternatives(path[:braces.start()] + part.strip() + path[braces.end():])]


def is_there(tree: Tree, path: str) -> bool:
    pattern = PLACEHOLDER.sub("*", path).rstrip("/")
    if pattern.split("/")[0] in tree.folders:
        return any(True for _ in tree.root.glob(pattern))
    return "*" in pattern or tree.ends_with(pattern)


def wrong_paths(tree: Tree, code: str):
    """Of a piece of code: what begins with a folder of the root, and headers by whatever part of their path."""
    starts = "|".join(map(re.escape, tree.folders))
    for path in re.findall(rf"(?<![\w/.<~$-])((?:{starts})/[\w./*<>{{}},…-]*|[\w/]+\.hpp)(?![\w(])", code):
        path = path.rstrip(".,…") if not path.endswith("...") else path
        for one in alternatives(path):
            if not is_there(tree, one):
                yield f"{one} does not exist"


def wrong_names(tree: Tree, code: str):
    """`Class::member`: some source has both words."""
    for name in re.findall(r"(?<![\w:])((?:[A-Za-z]\w*::)+[A-Za-z]\w*)", code):
        words = name.split("::")
        if words[0] in ("std", "at", "c10", "torch", "py", "aten"):
            continue
        if not any(set(words) <= found for found in tree.words):
            yield f"{name} is in no source"


def code_of(line: str, fenced: bool) -> list[str]:
    return [line] if fenced or line.startswith("    ") else re.findall(r"`([^`]+)`", line)


def wrong_sizes(tree: Tree, page: Path, text: str):
    lines, name = text.splitlines(), page.relative_to(tree.root)
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS:
            yield number, f"{len(line)} columns; {COLUMNS} are allowed"
    decision = "decisions" in name.parts and name.name != "README.md"
    most = README_LINES if str(name) == "README.md" else DECISION_LINES if decision else None
    if most and len(lines) > most:
        yield len(lines), f"{len(lines)} lines; {most} are allowed"
    if decision:
        sections = [one for one in re.findall(r"^## +(.*)$", text, re.M) if one in SECTIONS]
        if sections != SECTIONS:
            yield 1, f"a decision has the sections {', '.join(SECTIONS)}, in this order"


def wrong_page(tree: Tree, page: Path) -> list[str]:
    text = page.read_text()
    wrong = list(wrong_sizes(tree, page, text))
    for number, (line, fenced) in enumerate(lines_of(text), 1):
        if not fenced:
            wrong += [(number, one) for one in wrong_links(tree, page, line)]
        for code in code_of(line, fenced):
            wrong += [(number, one) for check in (wrong_paths, wrong_names) for one in check(tree, code)]
    return [f"{page.relative_to(tree.root)}:{number}: {one}" for number, one in sorted(wrong)]


def wrong_sources(tree: Tree):
    """Sources, scripts and configurations name pages that are there."""
    for path in tree.paths:
        file = tree.root / path
        if file.suffix not in SOURCES or path.startswith("tests/docs_") or not file.is_file():
            continue
        for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
            for page in re.findall(r"(?<![\w/.])docs/[\w/-]+\.md", line):
                if not (tree.root / page).exists():
                    yield f"{path}:{number}: {page} does not exist"


def unlisted(tree: Tree):
    """The decisions' README names each of them."""
    index = tree.root / "docs/decisions/README.md"
    listed = index.read_text() if index.exists() else ""
    for page in sorted((tree.root / "docs/decisions").glob("*.md")):
        if page != index and f"]({page.name})" not in listed:
            yield f"docs/decisions/README.md:1: {page.name} is not listed"


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    tree = Tree(Path(sys.argv[1]).resolve())
    pages = tree.pages()
    found = [one for page in pages for one in wrong_page(tree, page)] + [*unlisted(tree), *wrong_sources(tree)]
    print("\n".join(found) if found else f"docs: links, paths and sizes of {len(pages)} pages are right")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
