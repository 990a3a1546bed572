import triton
import triton.language as tl


@triton.jit
def add_rows(a, b, y, n, columns, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    total = tl.load(a + i, mask=inside) + alpha * tl.load(b + i % columns, mask=inside)
    tl.store(y + i, total, mask=inside)


def kernel_add(a, b, y, M, N, alpha):
    block = 1024 if a.is_cuda else 16384
    add_rows[(triton.cdiv(M * N, block),)](a, b, y, M * N, N, alpha, BLOCK=block)
