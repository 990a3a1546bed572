import triton
import triton.language as tl


@triton.jit
def update(a, x, y, N, alpha, beta, BM: tl.constexpr, BN: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    total = tl.zeros([BM, BN], tl.float32)
    for first in range(0, N, BN):
        j = first + tl.arange(0, BN)
        inside = (i[:, None] < N) & (j[None, :] < N)
        factor = tl.load(x + j, mask=j < N, other=0.0)
        total += tl.load(a + i[:, None] * N + j[None, :], mask=inside, other=0.0) * factor[None, :]
    old = tl.load(y + i, mask=i < N, other=0.0)
    tl.store(y + i, alpha * tl.sum(total, 1) + beta * old, mask=i < N)


@triton.jit
def multiply_and_sum(x, y, dot, N, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, N, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + i, mask=i < N, other=0.0) * tl.load(y + i, mask=i < N, other=0.0)
    tl.store(dot, tl.sum(total, 0))


def kernel_matrix_vector_dot(a, x, y, dot, N, alpha, beta):
    rows = 8 if a.is_cuda else 64
    update[(triton.cdiv(N, rows),)](a, x, y, N, alpha, beta, BM=rows, BN=512)
    multiply_and_sum[(1,)](x, y, dot, N, BLOCK=1024)
