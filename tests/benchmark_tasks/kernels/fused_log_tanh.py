import triton
import triton.language as tl


@triton.jit
def tangents(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n, other=1.0).to(tl.float64)
    # tanh(t) = 1 - 2 / (exp(2 t) + 1), and the exponential undoes the logarithm. In double precision the
    # difference is exact enough next to its zero at 1.
    tl.store(y + i, (1.0 - 2.0 / (a * a + 1.0)).to(tl.float32), mask=i < n)


def kernel_fused_log_tanh(x, y, M, N):
    block = 1024 if x.is_cuda else 16384
    tangents[(triton.cdiv(M * N, block),)](x, y, M * N, BLOCK=block)
