import triton
import triton.language as tl


@triton.jit
def multiply_and_subtract(a, b, c, y, n, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    product = tl.load(a + i, mask=inside) * tl.load(b + i, mask=inside)
    tl.store(y + i, product - alpha * tl.load(c + i, mask=inside), mask=inside)


def kernel_fused_mul_sub(a, b, c, y, M, N, alpha):
    block = 1024 if a.is_cuda else 16384
    multiply_and_subtract[(triton.cdiv(M * N, block),)](a, b, c, y, M * N, alpha, BLOCK=block)
