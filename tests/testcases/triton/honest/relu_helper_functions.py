# A helper that is a kernel's function, and one that branches on a constant.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.jit
def rectified(a, KEEP_NAN: tl.constexpr):
    if KEEP_NAN:
        return tl.where(a != a, a, tl.maximum(a, 0.0))
    else:
        return tl.maximum(a, 0.0)


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr, KEEP_NAN: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, rectified(tl.load(x + i, mask=i < n), KEEP_NAN), mask=i < n)


def kernel_relu(x, y, N):
    rectify[(triton.cdiv(N, 8192),)](x, y, N, BLOCK=8192, KEEP_NAN=True)
