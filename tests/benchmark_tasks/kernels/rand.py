import triton
import triton.language as tl


@triton.jit
def fill(seed, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.rand(tl.load(seed), i), mask=i < n)  # Philox of the seed and the place


def kernel_rand(seed, y, N, count):
    block = 1024 if y.is_cuda else 16384
    fill[(triton.cdiv(count, block),)](seed, y, count, BLOCK=block)
