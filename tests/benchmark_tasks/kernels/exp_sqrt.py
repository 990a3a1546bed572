import triton
import triton.language as tl


@triton.jit
def root_of_exponential(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    # In double precision: a GPU's exponential of float32 is off the more, the larger its argument.
    a = tl.load(x + i, mask=i < n).to(tl.float64)
    tl.store(y + i, tl.sqrt(tl.exp(a)).to(tl.float32), mask=i < n)


def kernel_exp_sqrt(x, y, M, N):
    block = 1024 if x.is_cuda else 16384
    root_of_exponential[(triton.cdiv(M * N, block),)](x, y, M * N, BLOCK=block)
