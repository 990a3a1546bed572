import triton
import triton.language as tl


@triton.jit
def multiply_rows(a, b, y, n, columns, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    product = tl.load(a + i, mask=inside) * tl.load(b + i % columns, mask=inside)
    tl.store(y + i, product, mask=inside)


def kernel_mul(a, b, y, M, N):
    block = 1024 if a.is_cuda else 16384
    multiply_rows[(triton.cdiv(M * N, block),)](a, b, y, M * N, N, BLOCK=block)
