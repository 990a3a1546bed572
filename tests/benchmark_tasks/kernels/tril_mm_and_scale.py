import triton
import triton.language as tl


@triton.jit
def triangle_product(a, b, y, scale, N, P, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    top = tl.program_id(0) * BM
    i = top.to(tl.int64) + tl.arange(0, BM)
    j = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32)
    for first in range(0, tl.minimum(top + BM, N), BK):
        k = (first + tl.arange(0, BK)).to(tl.int64)
        below = (i[:, None] < N) & (k[None, :] <= i[:, None])
        left = tl.load(a + i[:, None] * N + k[None, :], mask=below, other=0.0)
        right = tl.load(b + k[:, None] * P + j[None, :], mask=(k[:, None] < N) & (j[None, :] < P), other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    tl.store(y + i[:, None] * P + j[None, :], scale * total, mask=(i[:, None] < N) & (j[None, :] < P))


def kernel_tril_mm_and_scale(a, b, y, N, P, alpha, beta):
    grid = (triton.cdiv(N, 64), triton.cdiv(P, 64))
    triangle_product[grid](a, b, y, beta * alpha, N, P, BM=64, BN=64, BK=32 if a.is_cuda else 64)
