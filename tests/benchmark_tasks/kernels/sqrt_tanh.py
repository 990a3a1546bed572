import triton
import triton.language as tl


@triton.jit
def tangent_of_root(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    root = tl.sqrt_rn(tl.load(x + i, mask=i < n, other=0.0))
    # In double precision: 1 - e cancels. Close to zero nothing would be left of it, and the tangent is the
    # root.
    e = tl.exp(-2.0 * root.to(tl.float64))
    t = ((1.0 - e) / (1.0 + e)).to(tl.float32)
    tl.store(y + i, tl.where(root < 1e-4, root, t), mask=i < n)


def kernel_sqrt_tanh(x, y, M, N):
    block = 1024 if x.is_cuda else 16384
    tangent_of_root[(triton.cdiv(M * N, block),)](x, y, M * N, BLOCK=block)
