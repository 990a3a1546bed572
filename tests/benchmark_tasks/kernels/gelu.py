import triton
import triton.language as tl


@triton.jit
def erf_gelu(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, 0.5 * a * (1.0 + tl.erf(a * 0.7071067811865476)), mask=i < n)


def kernel_gelu(x, y, N):
    # On a CPU each program of the grid costs the interpreter a millisecond.
    block = 1024 if x.is_cuda else 16384
    erf_gelu[(triton.cdiv(N, block),)](x, y, N, BLOCK=block)
