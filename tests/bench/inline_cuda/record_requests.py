#!/usr/bin/env python3
"""Records what an answer hands to torch.utils.cpp_extension, without torch and without a GPU.

    record_requests.py OUT_FOLDER ANSWER.py...

Runs each answer in a process of its own against a stand-in for torch in which every name exists, and writes one
JSON file a call of load_inline or load: {name, kind, cpp_sources, cuda_sources, functions, cflags, cuda_cflags,
ldflags}. Where importing the answer makes no call, ModelNew is constructed with what get_init_inputs returns, and
then called.
Answers are programs of other people: run this where that does no harm.
"""
import importlib.machinery
import json
import os
import sys
import types


class Anything:
    """Stands for any object of torch: callable, of four parts (a shape), with every attribute."""

    def __init__(self, *args, **kwargs):
        pass

    def __call__(self, *args, **kwargs):
        # A decorator hands the decorated thing back.
        return args[0] if len(args) == 1 and not kwargs and callable(args[0]) else Anything()

    def __getattr__(self, name):
        if name.startswith("__") and name.endswith("__"):
            raise AttributeError(name)
        return Anything()

    def __getitem__(self, key):
        return Anything()

    def __setitem__(self, key, value):
        pass

    def __iter__(self):
        return iter([Anything() for _ in range(4)])

    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False

    def __bool__(self):
        return True

    def __int__(self):
        return 1

    __index__ = __int__

    def __float__(self):
        return 1.0

    def __lt__(self, other):
        return False

    def _self(self, *_):
        return Anything()

    __gt__ = __le__ = __ge__ = __lt__
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __rtruediv__ = _self
    __floordiv__ = __mod__ = __neg__ = __matmul__ = __pow__ = __rpow__ = __or__ = _self


class Module:
    """torch.nn.Module as far as constructors of answers need it."""

    def __init__(self, *args, **kwargs):
        pass

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Anything()


class Function(Anything):
    """torch.autograd.Function: apply runs forward."""

    @classmethod
    def apply(cls, *args):
        return cls.forward(Anything(), *args)


class StandIn(types.ModuleType):
    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []
        self.__spec__ = importlib.machinery.ModuleSpec(name, None)

    def __getattr__(self, name):
        if name in ("Module", "Function"):
            return globals()[name]
        if name.startswith("__"):
            raise AttributeError(name)
        full = f"{self.__name__}.{name}"
        if full in sys.modules:
            return sys.modules[full]
        # A class, so that it can be a base and an annotation.
        return type(name, (Anything,), {"__class_getitem__": classmethod(lambda cls, key: cls)}) if name[:1].isupper() else Anything()


def as_list(value):
    return [] if value is None else [value] if isinstance(value, str) else [str(part) for part in value]


class Recorder:
    def __init__(self):
        self.requests = []

    def record(self, kind, name, cpp, cuda, functions, options):
        if isinstance(functions, dict):
            functions = [[key, text] for key, text in functions.items()]
        elif functions is not None:
            functions = [[key, key] for key in as_list(functions)]
        self.requests.append({
            "kind": kind, "name": str(name), "cpp_sources": as_list(cpp), "cuda_sources": as_list(cuda),
            "functions": functions,
            "cflags": as_list(options.get("extra_cflags")),
            "cuda_cflags": as_list(options.get("extra_cuda_cflags")),
            "ldflags": as_list(options.get("extra_ldflags")),
            "error_handling": bool(options.get("with_pytorch_error_handling", True)),
            "implicit_headers": not options.get("no_implicit_headers", False),
        })
        return Anything()

    def load_inline(self, name, cpp_sources, cuda_sources=None, functions=None, extra_cflags=None,
                    extra_cuda_cflags=None, extra_ldflags=None, **options):
        options.update(extra_cflags=extra_cflags, extra_cuda_cflags=extra_cuda_cflags, extra_ldflags=extra_ldflags)
        return self.record("inline", name, cpp_sources, cuda_sources, functions, options)

    def load(self, name, sources, extra_cflags=None, extra_cuda_cflags=None, extra_ldflags=None, **options):
        texts = {".cu": [], ".cpp": []}
        for path in as_list(sources):
            with open(path, encoding="utf-8") as file:
                texts[".cu" if path.endswith((".cu", ".cuh")) else ".cpp"].append(file.read())
        options.update(extra_cflags=extra_cflags, extra_cuda_cflags=extra_cuda_cflags, extra_ldflags=extra_ldflags)
        return self.record("files", name, texts[".cpp"], texts[".cu"], None, options)


def install(recorder):
    for name in ("torch", "torch.nn", "torch.nn.functional", "torch.nn.init", "torch.nn.parameter", "torch.utils",
                 "torch.utils.cpp_extension", "torch.utils.checkpoint", "torch.cuda", "torch.cuda.amp", "torch.autograd",
                 "torch.backends", "torch.backends.cudnn", "torch.fx", "torch.jit", "torch._dynamo", "torch.amp",
                 "torch.nn.modules", "torch.nn.modules.utils", "torch.nn.utils", "triton", "triton.language", "numpy",
                 "einops"):
        sys.modules[name] = StandIn(name)
    extension = sys.modules["torch.utils.cpp_extension"]
    extension.load_inline, extension.load = recorder.load_inline, recorder.load
    extension.CUDA_HOME = "/usr/local/cuda"


def run(path, folder):
    recorder = Recorder()
    install(recorder)
    words = ""
    scope = {"__name__": "answer", "__file__": path}
    try:
        with open(path, encoding="utf-8") as file:
            exec(compile(file.read(), path, "exec"), scope)
        if not recorder.requests:
            model = scope["ModelNew"](*scope.get("get_init_inputs", list)())
            if not recorder.requests:
                model.forward(*scope.get("get_inputs", list)())
    except BaseException as error:  # an answer may raise anything after the call that is looked for
        words = f"{type(error).__name__}: {error}"
    stem = os.path.splitext(os.path.basename(path))[0]
    for number, request in enumerate(recorder.requests):
        with open(os.path.join(folder, f"{stem}-{number}.json"), "w", encoding="utf-8") as file:
            json.dump(request, file, indent=1)
    if not recorder.requests:
        print(f"{path}: no request; {words}", file=sys.stderr)


def main():
    folder, answers = sys.argv[1], sys.argv[2:]
    os.makedirs(folder, exist_ok=True)
    for path in answers:
        child = os.fork()
        if child == 0:
            os.chdir(folder)
            run(path, folder)
            os._exit(0)
        os.waitpid(child, 0)


if __name__ == "__main__":
    main()
