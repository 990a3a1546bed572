"""Given to the interpreter by -c: takes the package's texts and the settings in the first line of descriptor 3, and
serves. The texts stay importable, so that the program needs no file beside it."""

import importlib.abc
import importlib.util
import json
import sys


class BuiltIn(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    PACKAGE = "ridgeline_submissions"

    def __init__(self, texts):
        self.texts = texts

    def _text(self, name):
        if name == self.PACKAGE:
            return self.texts["__init__"]
        return self.texts.get(name.removeprefix(self.PACKAGE + ".")) if name.startswith(self.PACKAGE + ".") else None

    def find_spec(self, name, path=None, target=None):
        if self._text(name) is None:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=name == self.PACKAGE)

    def is_package(self, name):
        return name == self.PACKAGE

    def get_source(self, name):
        return self._text(name)


sys.dont_write_bytecode = True  # files of the clone are read where the user keeps them
lines = open(3, "rb", closefd=False)
start = json.loads(lines.readline())
sys.meta_path.append(BuiltIn(start["texts"]))

from ridgeline_submissions.zygote import serve  # noqa: E402

serve(lines, start["settings"])
