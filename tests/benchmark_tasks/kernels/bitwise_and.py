import triton
import triton.language as tl


@triton.jit
def conjunction(a, b, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(a + i, mask=i < n) & tl.load(b + i, mask=i < n), mask=i < n)


def kernel_bitwise_and(a, b, y, N):
    block = 1024 if a.is_cuda else 16384
    conjunction[(triton.cdiv(N, block),)](a, b, y, N, BLOCK=block)
