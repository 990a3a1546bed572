"""Build time: an answer's forward called once on a CUDA device that is not there, or its kernel once a case, so that
triton compiles what it will launch. Nothing is launched, and tensors have shapes and no values.

One process an answer, in the sandbox of a compiler, with one folder to write to: triton starts ptxas, and the host's
compiler for the module by which Python launches a kernel. What lies in the folder afterwards is the candidate's claim.
It imports all that it needs before it is told that there is an answer: one may wait, warm, for the next.
"""

import json
import os
import subprocess
import sys
import types

import torch
from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode

from ridgeline_runner import extension, kernels, machine, rehearsal, source
from ridgeline_runner.kernel_calls import Parameters
from ridgeline_runner.record import Promised

_BASE = 1 << 32  # where every tensor seems to begin: torch's allocator and the judge align by more than triton asks for


def _link(name, text, folder, library_dirs, include_dirs, libraries):
    """Triton's module `name` out of C, linked to a libcuda that is only a name: the real one is where it runs."""
    import sysconfig

    cuda = os.path.join(folder, "libcuda.so.1")
    out = os.path.join(folder, name + sysconfig.get_config_var("EXT_SUFFIX"))
    compiler = [*os.environ["CC"].split(), "-x", "c", "-shared", "-fPIC"]
    subprocess.run([*compiler, os.devnull, "-Wl,-soname,libcuda.so.1", "-o", cuda], check=True)
    includes = [f"-I{one}" for one in [*include_dirs, sysconfig.get_paths()["include"]]]
    subprocess.run([*compiler, "-O2", "-w", *includes, text, "-Wl,--no-as-needed", "-L" + folder, "-l:libcuda.so.1",
                    "-o", out], check=True)
    return out


def _pretended(name, path):
    """In place of such a module, which has no libcuda to be loaded with: what launches launches nothing."""
    card = torch.cuda.get_device_properties(0)
    module = types.ModuleType(name)
    module.PyCUtensorMap = type("PyCUtensorMap", (), {})
    module.launch = module.set_printf_fifo_size = lambda *_: None
    module.fill_tma_descriptor = lambda *_: module.PyCUtensorMap()
    module.cuOccupancyMaxActiveClusters = lambda *_: card.multi_processor_count
    module.load_binary = lambda *_: (1, 1, 0, 0, 1024)  # module, function, registers, spills, most threads
    module.get_device_properties = lambda _: {
        "max_shared_mem": card.shared_memory_per_block_optin, "max_num_regs": card.regs_per_multiprocessor,
        "multiprocessor_count": card.multi_processor_count, "warpSize": card.warp_size,
        "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144}
    return module


def _once(kernel_call, *_, quantiles=None, **__):
    """Each of autotune's configurations is compiled, since any may be the fastest where they are measured."""
    kernel_call()
    return [0.0] * len(quantiles) if quantiles else 0.0


def _pretend_driver(folder, writable):
    import triton
    import triton.testing
    from triton.backends.nvidia.driver import CudaDriver
    from triton.runtime import build

    kernels.agree()
    kernels.Folder.place, kernels.Folder.writable = folder, writable
    triton.knobs.cache.manager_class = kernels.Folder
    triton.knobs.build.impl = _link if writable else kernels._no_compiler
    build._load_module_from_path = _pretended
    FakeTensor.data_ptr = lambda self: _BASE + self.storage_offset() * self.element_size()
    driver = CudaDriver()
    driver.get_current_stream = lambda *_: 0
    triton.runtime.driver.set_active(driver)
    triton.testing.do_bench = triton.testing.do_bench_cudagraph = _once


def _attention(query, key, value, *_, **__):
    """Which of its implementations torch takes hangs on the driver; the shape does not."""
    return query.new_empty((*query.shape[:-1], value.shape[-1]))


def _complaint(error, text):
    """Returns what the compiler says, and in which line of the answer; None for an error that is not its own."""
    from triton.compiler.errors import CompilationError
    from triton.runtime.errors import PTXASError

    if isinstance(error, PTXASError):
        return {"words": str(error).split("\n", 1)[0], "log": str(error), "line": 0}
    found = None
    while error is not None:  # the innermost is about the line that is wrong, in whichever function
        found = error if isinstance(error, CompilationError) else found
        error = error.__cause__
    if found is None:
        return None
    words = found.error_message or type(found).__name__
    return {"words": words.split("\n", 1)[0], "log": str(found), "line": _line_of(found, text)}


def _line_of(error, text):
    """Its own lines count from the function's `def`."""
    lines = (error.src or "").rstrip().split("\n")
    answer = text.split("\n")
    begins = [at for at, line in enumerate(answer) if line.strip() == lines[0].strip()]
    same = [at for at in begins if all(a.strip() == b.strip() for a, b in zip(answer[at:], lines))]
    return same[0] + getattr(error.node, "lineno", 1) if lines[0].strip() and same else 0


def _follow_kernel(job, module):
    """Each case once, with the sizes and scalars that it will be called with. Raises what the first raised that did,
    when all were tried."""
    entry = source.function(module, job["class"], job["name"])
    parameters, first = Parameters(job), None
    for case in job["cases"]:
        tensors = [torch.empty(shape, dtype=dtype, device=job["device"])
                   for dtype, shape in parameters.shapes(case["sizes"])]
        try:
            entry(*tensors, *parameters.values(case["sizes"], case["floats"], case["integers"]))
        except BaseException as error:
            if _complaint(error, job["source"]):
                raise
            first = first or error
    if first:
        raise first


def _follow(job):
    extension.install(lambda request, *_: Promised(request["name"]))
    stage = "import"
    try:
        module = source.execute(job["source"], job["name"])
        with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
            if job.get("form") == "kernel":
                stage = "call"
                _follow_kernel(job, module)
                return {"end": "done"}
            stage = "construction"
            model = rehearsal.moved(rehearsal.model_of(job, module), job["device"])
            if not job["training"]:
                model.eval()
            stage = "forward"
            model(*rehearsal.inputs_of(job))
        return {"end": "done"}
    except BaseException as error:  # also sys.exit()
        complaint = _complaint(error, job["source"])
        if complaint:
            return {"end": "complaint", **complaint}
        return {"end": "raised", "stage": stage, "words": source.told(error, job["name"])}


def warm_up(architecture, folder, writable):
    """All that no answer is needed for. The first tensor without values has torch import two seconds more."""
    machine.fix_torch()
    torch.backends.cudnn.enabled = False  # whose choices ask the driver; shapes do not hang on them
    torch.nn.functional.scaled_dot_product_attention = _attention
    rehearsal.prepare({"device": "cuda", "architecture": architecture})
    _pretend_driver(folder, writable)
    with torch.no_grad(), FakeTensorMode(allow_non_fake_inputs=True):
        torch.nn.functional.relu(torch.empty(2, 8, device="cuda") + 1)


def compile_ahead(job, folder, told, architecture, writable=True, waits_on=None):
    """Does not return: the interpreter's own end could run a candidate's code. `writable`: what is not yet there is
    compiled; else it is told as missing, as a runner would. `waits_on`: a socket, on which a word says that the file
    `job` is there."""
    warm_up(architecture, folder, writable)
    if waits_on is not None:
        if not os.read(waits_on, 1):
            os._exit(0)  # nobody will come
    with open(job, encoding="utf-8") as file:
        job = json.load(file)
    if waits_on is not None:
        os.write(waits_on, b"r")  # from here on an end is the answer's
        os.close(waits_on)
    report = _follow(job)
    with open(told, "w", encoding="utf-8") as file:
        json.dump(report, file)
    os._exit(0)


def main():
    job, folder, told, architecture, *how = sys.argv[3:]
    compile_ahead(job, folder, told, int(architecture), writable="look" not in how,
                  waits_on=3 if "waits" in how else None)
