import triton
import triton.language as tl


@triton.jit
def magnitude(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.abs(a), mask=i < n)


def kernel_abs(x, y, N):
    # On a CPU each program of the grid costs the interpreter a millisecond.
    block = 1024 if x.is_cuda else 16384
    magnitude[(triton.cdiv(N, block),)](x, y, N, BLOCK=block)
