import triton
import triton.language as tl


@triton.jit
def cosine(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.cos(tl.load(x + i, mask=i < n)), mask=i < n)


def kernel_cos(x, y, N):
    block = 1024 if x.is_cuda else 16384
    cosine[(triton.cdiv(N, block),)](x, y, N, BLOCK=block)
