"""Given to the interpreter by -c: takes the package's texts from the socket and serves.

The texts travel in the first line, so the program needs no file beside it. They stay importable, and tracebacks show
their lines.
"""

import importlib.abc
import importlib.util
import json
import os
import socket
import sys

sys.path[:] = [folder for folder in sys.path if folder]  # never import from whatever folder this was started in
sys.dont_write_bytecode = True  # task files lie in a user's clone, which stays as it is


class BuiltIn(importlib.abc.MetaPathFinder, importlib.abc.InspectLoader):
    def __init__(self, texts):
        self.texts = texts

    def find_spec(self, name, path=None, target=None):
        package = name + ".__init__" in self.texts
        if not package and name not in self.texts:
            return None
        return importlib.util.spec_from_loader(name, self, is_package=package)

    def is_package(self, name):
        return name + ".__init__" in self.texts

    def get_source(self, name):
        return self.texts.get(name) or self.texts[name + ".__init__"]


def first_line(link):
    line = bytearray()
    while not line.endswith(b"\n"):
        piece = link.recv(1 << 16)  # nothing follows the line before our answer to it
        if not piece:
            os._exit(0)
        line += piece
    return json.loads(line)


link = socket.socket(fileno=int(sys.argv[1]))
start = first_line(link)
sys.meta_path.append(BuiltIn(start["texts"]))
try:
    import torch  # noqa: F401
except Exception as error:  # a broken torch fails in more ways than ImportError
    hello = {"missing": "torch", "message": f"{type(error).__name__}: {error}", "python": sys.executable}
    link.sendall(json.dumps(hello).encode() + b"\n")
    os._exit(0)

from ridgeline_oracle.serve import serve  # noqa: E402

serve(link, start["settings"])
