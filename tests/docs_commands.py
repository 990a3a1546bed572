"""What README.md and docs/ tell a reader to type is there.

    docs_commands.py ROOT [RIDGELINE]

Commands of `./dev` with their presets and benches, those of README.md among what .ci/run calls, phases of measure.sh,
presets of strategies, and, where RIDGELINE names the program, its commands and options. Links and paths are
docs_links.py's. Ends with 1 and a line for each finding: FILE:LINE: what is missing.
"""

import json
import re
import subprocess
import sys
from functools import cache
from pathlib import Path


class Tree:
    """What there is to be named."""

    def __init__(self, root: Path, program: str | None):
        self.root, self.program = root, program
        dev = (root / "dev").read_text()
        self.dev_commands = set(re.findall(r"^cmd_([\w-]+)\(\)", dev, re.M))
        offered = re.search(r"^  ([\w|-]+)\) command=", dev, re.M)
        self.dev_offered = set(offered[1].split("|")) if offered else set()
        self.dev_helped = set(re.findall(r"^\./dev ([\w-]+)", dev.split("<<'HELP'")[-1], re.M))
        presets = json.loads((root / "CMakePresets.json").read_text())["configurePresets"]
        self.cmake_presets = {one["name"] for one in presets if not one.get("hidden")}
        self.benches = set(re.findall(r"ridgeline_bench\((\w+)", (root / "tests/CMakeLists.txt").read_text()))
        measure = (root / "tests/bench/node/measure.sh").read_text().partition("case $1 in")[2]
        self.phases = {name for names in re.findall(r"^    ([a-z|-]+)\)", measure, re.M) for name in names.split("|")}
        self.strategy_presets = {one.stem for one in (root / "configs/strategies").glob("*.yaml")}

    @cache
    def options(self, *command: str) -> set[str] | None:
        """Those of `ridgeline COMMAND`, with its own commands'; none where there is no such command."""
        if command and command[-1] not in self.commands(*command[:-1]):
            return None
        found = set(re.findall(r"--[a-z][\w-]*", self.help(*command)))
        for below in self.commands(*command):
            found |= self.options(*command, below) or set()
        return found

    @cache
    def commands(self, *command: str) -> tuple[str, ...]:
        text = re.split(r"^(?:Subcommands|SUBCOMMANDS):", self.help(*command), flags=re.M)
        return tuple(re.findall(r"^ {2}([a-z][\w-]*)", text[1], re.M)) if len(text) > 1 else ()

    @cache
    def help(self, *command: str) -> str:
        done = subprocess.run([self.program, *command, "--help"], capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise SystemExit(f"'{self.program} {' '.join(command)} --help' ended with {done.returncode}: {done.stderr}")
        return done.stdout


def code_of(line: str, fenced: bool) -> list[str]:
    """The pieces of a line that are code: all of it in a block, or what stands between backticks."""
    if fenced or line.startswith("    "):
        return [line.strip()]
    return re.findall(r"`([^`]+)`", line)


def wrong_with_dev(tree: Tree, code: str):
    for name, rest in re.findall(r"\./dev ([a-z][\w-]*)((?: +[\w|-]+)*)", code):
        if name not in tree.dev_commands & tree.dev_offered:
            yield f"`./dev {name}` is no command of dev"
            continue
        known = {"build": tree.cmake_presets, "test": tree.cmake_presets, "bench": tree.benches,
                 "sanitize": {"asan", "tsan"}}.get(name, set())
        for word in rest.split()[:1]:
            if known and re.fullmatch(r"[a-z][\w|-]*", word):
                for one in word.split("|"):
                    if one not in known:
                        yield f"`./dev {name} {one}`: there is no '{one}', there are {', '.join(sorted(known))}"


def wrong_with_ridgeline(tree: Tree, code: str):
    if not tree.program:
        return
    # A command ends where its line, another command or a comment begins, or where the explanation beside it does.
    for name, rest in re.findall(r"(?<![\w/-])ridgeline +([a-z][\w-]*)((?:(?! {3,}|#|;|&&|\bridgeline\b)[^\n])*)", code):
        options = tree.options(name)
        if options is None:
            yield f"`ridgeline {name}` is no command"
            continue
        for option in re.findall(r"(?<![\w-])--[a-z][\w-]*", rest):
            if option not in options:
                yield f"`ridgeline {name}` has no option {option}"


def wrong_with_presets(tree: Tree, code: str):
    for name in re.findall(r"preset: *(\w+)", code):
        if name not in tree.strategy_presets:
            yield f"preset '{name}' is not in configs/strategies"


def wrong_with_phases(tree: Tree, code: str):
    for words in re.findall(r"measure\.sh +[A-Z]\w*((?: +[a-z][\w-]*)+)", code):
        for name in words.split():
            if name not in tree.phases:
                yield f"measure.sh has no phase '{name}', it has {', '.join(sorted(tree.phases))}"


def wrong_with_page(tree: Tree, page: Path, text: str):
    fenced = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            continue
        wrong = []
        for code in code_of(line, fenced):
            for check in (wrong_with_dev, wrong_with_ridgeline, wrong_with_presets, wrong_with_phases):
                wrong += check(tree, code)
        for one in wrong:
            yield f"{page.relative_to(tree.root)}:{number}: {one}"


def wrong_with_help(tree: Tree):
    for what, names in (("case list", tree.dev_offered), ("help", tree.dev_helped)):
        for name in sorted(tree.dev_commands ^ names):
            yield f"dev: cmd_{name} and '{name}' in its {what} are not both there"


def wrong_with_ci(readme: str, ci: str):
    """The commands that README.md begins with are those that .ci/run calls, so that they are tested."""
    called = set(re.findall(r"^timed (\./dev .*?)\s*(?:#.*)?$", ci, re.M))
    begun = re.findall(r"^    (\./dev .*?)\s*(?:#.*)?$", readme, re.M)
    if not begun:
        yield "README.md: no command of ./dev stands in a block of its own"
    for command in begun:
        if command not in called:
            yield f"README.md: `{command}` is not called by .ci/run"


def main() -> int:
    if len(sys.argv) < 2:
        print(__doc__, file=sys.stderr)
        return 2
    tree = Tree(Path(sys.argv[1]).resolve(), sys.argv[2] if len(sys.argv) > 2 else None)
    pages = [tree.root / "README.md", tree.root / "CONTRIBUTING.md"]
    pages += sorted((tree.root / "docs").glob("*.md")) + sorted((tree.root / "docs/decisions").glob("*.md"))
    found = list(wrong_with_help(tree))
    found += wrong_with_ci((tree.root / "README.md").read_text(), (tree.root / ".ci/run").read_text())
    for page in pages:
        found += wrong_with_page(tree, page, page.read_text())
    print("\n".join(found) if found else f"docs: what {len(pages)} pages tell to type is there")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
