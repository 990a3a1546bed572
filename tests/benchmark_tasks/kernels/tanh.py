import triton
import triton.language as tl


@triton.jit
def tangent(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    # In double precision: 1 - e cancels. Close to zero nothing would be left of it, and the tangent is a.
    e = tl.exp(-2.0 * tl.abs(a).to(tl.float64))
    t = ((1.0 - e) / (1.0 + e)).to(tl.float32)
    tl.store(y + i, tl.where(tl.abs(a) < 1e-4, a, tl.where(a < 0, -t, t)), mask=i < n)


def kernel_tanh(x, y, M, N):
    block = 1024 if x.is_cuda else 16384
    tangent[(triton.cdiv(M * N, block),)](x, y, M * N, BLOCK=block)
