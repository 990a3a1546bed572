import torch
import triton
import triton.language as tl


@triton.jit
def dot_columns(a, b, c, parts, alpha, beta, N, K, BN: tl.constexpr, BK: tl.constexpr):
    j = tl.program_id(0).to(tl.int64) * BN + tl.arange(0, BN)
    one = tl.zeros([BK, BN], tl.float32)
    other = tl.zeros([BK, BN], tl.float32)
    for first in range(0, K, BK):
        k = (first + tl.arange(0, BK)).to(tl.int64)
        column = tl.load(b + k[:, None] * N + j[None, :], mask=(k[:, None] < K) & (j[None, :] < N), other=0.0)
        one += tl.load(a + k, mask=k < K, other=0.0)[:, None] * column
        other += tl.load(a + K + k, mask=k < K, other=0.0)[:, None] * column
    row = alpha * tl.sum(one, 0) + beta * tl.load(c + j, mask=j < N, other=0.0)
    next_row = alpha * tl.sum(other, 0) + beta * tl.load(c + N + j, mask=j < N, other=0.0)
    tl.store(parts + tl.program_id(0), tl.sum(row * next_row, 0))


@triton.jit
def add_parts(parts, y, count, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, count, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(parts + i, mask=i < count, other=0.0)
    tl.store(y, tl.sum(total, 0))


def kernel_matrix_multiply_and_row_dot(a, b, c, y, M, N, K, alpha, beta):
    columns = 32
    count = triton.cdiv(N, columns)
    parts = torch.empty(count, dtype=torch.float32, device=a.device)
    dot_columns[(count,)](a, b, c, parts, alpha, beta, N, K, BN=columns, BK=128, num_warps=8)
    add_parts[(1,)](parts, y, count, BLOCK=256)
