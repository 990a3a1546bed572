"""Stands for torch.utils.cpp_extension, at build time and at run time: the same words, turned into the same
requests. No compiler is looked for and none is started: a `workshop` says what a request is answered with."""

import hashlib
import json
import sys
import types

import torch
import torch.utils

NAME = "torch.utils.cpp_extension"
MOST_SOURCE = 4 << 20  # bytes of one request


class DidNotBuild(RuntimeError):
    """Is raised by load_inline for sources that no compiler takes."""


def _listed(value, what):
    if value is None:
        return []
    if isinstance(value, str):
        return [value]
    listed = list(value)
    for one in listed:
        if not isinstance(one, str):
            raise TypeError(f"{what} holds a {type(one).__name__}; strings are wanted")
    return listed


def _exported(functions):
    """Pairs of a function and its docstring; None where the sources export by themselves."""
    if functions is None:
        return None
    if isinstance(functions, str):
        functions = [functions]
    if isinstance(functions, list):
        functions = {one: one for one in functions}
    if not isinstance(functions, dict):
        raise ValueError(f"Expected 'functions' to be a list or dict, but was {type(functions)}")
    return [[str(name), str(text)] for name, text in functions.items()]


def _request(form, name, cpp_sources, cuda_sources, functions, options):
    for unknown in ("sycl_sources", "with_sycl", "is_standalone"):
        if options.get(unknown):
            raise RuntimeError(f"load_inline and load build C++ and CUDA here; {unknown} is not supported")
    request = {
        "form": form,
        "name": str(name),
        "cpp_sources": cpp_sources,
        "cuda_sources": cuda_sources,
        "functions": _exported(functions),
        "cflags": _listed(options.get("extra_cflags"), "extra_cflags"),
        "cuda_cflags": _listed(options.get("extra_cuda_cflags"), "extra_cuda_cflags"),
        "ldflags": _listed(options.get("extra_ldflags"), "extra_ldflags"),
        "with_cuda": bool(options.get("with_cuda")),
        "error_handling": bool(options.get("with_pytorch_error_handling", True)),
        "implicit_headers": not options.get("no_implicit_headers", False),
    }
    if sum(map(len, request["cpp_sources"] + request["cuda_sources"])) > MOST_SOURCE:
        raise RuntimeError(f"the sources of {name} are longer than {MOST_SOURCE >> 20} MiB")
    return request


def key_of(request):
    """By content: what was built for a request is found by it. The name is none: some draw it, so that no build of
    theirs meets another in torch's cache."""
    content = {**request, "name": ""}
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode("utf-8", "surrogatepass")).hexdigest()


def _read(paths):
    texts = ([], [])
    for path in _listed(paths, "sources"):
        with open(path, encoding="utf-8") as file:
            texts[path.endswith((".cu", ".cuh"))].append(file.read())
    return texts


def install(workshop):
    """`workshop(request, key, is_python_module)` returns what load_inline and load return."""

    def made(request, is_python_module):
        return workshop(request, key_of(request), is_python_module)

    def load_inline(name, cpp_sources, cuda_sources=None, sycl_sources=None, functions=None, extra_cflags=None,
                    extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None, extra_include_paths=None,
                    build_directory=None, verbose=False, with_cuda=None, with_sycl=None, is_python_module=True,
                    with_pytorch_error_handling=True, keep_intermediates=True, use_pch=False,
                    no_implicit_headers=False):
        return made(_request("inlined", name, _listed(cpp_sources, "cpp_sources"),
                             _listed(cuda_sources, "cuda_sources"), functions, locals()), is_python_module)

    def load(name, sources, extra_cflags=None, extra_cuda_cflags=None, extra_sycl_cflags=None, extra_ldflags=None,
             extra_include_paths=None, build_directory=None, verbose=False, with_cuda=None, with_sycl=None,
             is_python_module=True, is_standalone=False, keep_intermediates=True):
        return made(_request("files", name, *_read(sources), None, locals()), is_python_module)

    class Extension(types.ModuleType):
        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            raise AttributeError(f"{NAME}.{name} is not here: answers are built by load_inline and load alone, and "
                                 "compilers are out of their reach")

    module = Extension(NAME)
    module.load_inline, module.load = load_inline, load
    module.CUDA_HOME = "/usr/local/cuda" if torch.version.cuda else None
    module.ROCM_HOME = None
    module.is_ninja_available = lambda: True
    module.verify_ninja_availability = lambda: None
    module.include_paths = module.library_paths = lambda *_, **__: []
    sys.modules[NAME] = module
    torch.utils.cpp_extension = module
