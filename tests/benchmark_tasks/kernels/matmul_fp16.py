import triton
import triton.language as tl


@triton.jit
def product(a, b, c, M, N, K, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    j = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32)
    for first in range(0, K, BK):
        k = (first + tl.arange(0, BK)).to(tl.int64)
        left = tl.load(a + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0.0)
        right = tl.load(b + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        total = tl.dot(left, right, total)
    tl.store(c + i[:, None] * N + j[None, :], total.to(tl.float16), mask=(i[:, None] < M) & (j[None, :] < N))


def kernel_matmul_fp16(a, b, c, M, N, K):
    grid = (triton.cdiv(M, 128), triton.cdiv(N, 128))
    product[grid](a, b, c, M, N, K, BM=128, BN=128, BK=64, num_warps=8)
