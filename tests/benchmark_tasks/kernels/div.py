import triton
import triton.language as tl


@triton.jit
def divide(a, b, y, n, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    top = tl.load(a + i, mask=i < n)
    bottom = tl.load(b + i % columns, mask=i < n, other=1.0)
    tl.store(y + i, tl.div_rn(top, bottom), mask=i < n)


def kernel_div(a, b, y, M, N):
    block = 1024 if a.is_cuda else 16384
    divide[(triton.cdiv(M * N, block),)](a, b, y, M * N, N, BLOCK=block)
