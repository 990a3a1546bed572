"""One forward: reseeded, from the state as constructed or as given, in a stated precision."""

import contextlib
import copy

import torch

from ridgeline_oracle.task_file import attributes, copy_of, seed_all
from ridgeline_oracle.tensors import Unsupported
from ridgeline_oracle.widened import Widened

AS_WRITTEN = torch.float32  # the precision in which nothing is cast
# Of a model that harvest.py made: its code names dtypes that double precision has to replace. KernelBench's files
# keep those that they name.
WIDENS = "ridgeline_widens"


def fix_precision():
    """float32 means float32: TF32 is off for multiplications and convolutions, and algorithms are not chosen by
    trial. KernelBench leaves cuDNN's TF32 on, and then a fifth of a convolution's outputs are off by over 1e-4. What
    cuDNN offers as deterministic can be many times slower, and tolerances have room for the order of a sum."""
    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    torch.backends.cudnn.benchmark = False
    torch.backends.cudnn.deterministic = False


@contextlib.contextmanager
def default_dtype(dtype):
    """A state that forward itself makes (zeros for a recurrent net) follows the precision."""
    before = torch.get_default_dtype()
    torch.set_default_dtype(dtype)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


def dtype_in(dtype, precision):
    """Of a tensor that the file has in `dtype`: an index stays an index."""
    if precision == AS_WRITTEN:
        return dtype
    return precision if dtype.is_floating_point else precision.to_complex() if dtype.is_complex else dtype


def cast(value, precision):
    return value.to(dtype_in(value.dtype, precision)) if isinstance(value, torch.Tensor) else value


def own_copy(model, precision):
    """A copy that shares nothing with `model`, its state in `precision`."""
    other = copy.deepcopy(model)
    if precision != AS_WRITTEN:
        other._apply(lambda one: cast(one, precision))  # Module.to would drop the imaginary parts
        for module, name, _, value in list(attributes(other)):
            setattr(module, name, cast(value, precision))
    return other


def outputs_of(result):
    """A tensor, or a list or tuple of tensors, as a list."""
    several = list(result) if isinstance(result, (list, tuple)) else [result]
    for one in several:
        if not isinstance(one, torch.Tensor):
            raise Unsupported(f"forward returns a {type(one).__name__} among its outputs; tensors are wanted")
    return several


def versions(model, inputs):
    watched = [one for one in inputs if isinstance(one, torch.Tensor)] + list(model.parameters())
    return [one._version for one in watched]


def call(model, inputs, seed, precision):
    """Outputs as a list, of a model that may change. None as seed lets the generator go on. A task that writes into its
    inputs or parameters is refused: whoever ran second would get other ones."""
    before = versions(model, inputs)
    if seed is not None:
        seed_all(seed)
    widens = precision == torch.float64 and getattr(model, WIDENS, False)
    with torch.no_grad(), default_dtype(precision), Widened() if widens else contextlib.nullcontext():
        results = outputs_of(model(*inputs))
    if versions(model, inputs) != before:
        raise Unsupported("forward writes into its inputs or parameters")
    if any(result.is_cuda for result in results):
        torch.cuda.synchronize()
    return [cast(result, precision) for result in results]  # where forward names a dtype of its own


def forward(model, inputs, seed, precision=AS_WRITTEN):
    """On a copy: `model` and `inputs` stay as they are."""
    runs = copy_of(model) if precision == AS_WRITTEN else own_copy(model, precision)
    return call(runs, [cast(one, precision) for one in inputs], seed, precision)
