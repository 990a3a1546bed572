import torch
import triton
import triton.language as tl


@triton.jit
def row_distances(x1, x2, distances, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    squares = tl.zeros([BLOCK], tl.float64)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        difference = tl.load(x1 + row + j, mask=j < columns, other=0.0).to(tl.float64)
        difference -= tl.load(x2 + row + j, mask=j < columns, other=0.0).to(tl.float64)
        squares += difference * difference
    tl.store(distances + tl.program_id(0), tl.sqrt(tl.sum(squares, 0)) + eps)


@triton.jit
def normalize(distances, y, M, BLOCK: tl.constexpr):
    batch = tl.program_id(0).to(tl.int64) * M
    squares = tl.zeros([BLOCK], tl.float64)
    for first in range(0, M, BLOCK):
        i = first + tl.arange(0, BLOCK)
        distance = tl.load(distances + batch + i, mask=i < M, other=0.0)
        squares += distance * distance
    norm = tl.maximum(tl.sqrt(tl.sum(squares, 0)), 1e-12)
    for first in range(0, M, BLOCK):
        i = first + tl.arange(0, BLOCK)
        distance = tl.load(distances + batch + i, mask=i < M, other=0.0)
        tl.store(y + batch + i, (distance / norm).to(tl.float32), mask=i < M)


def kernel_normalize_pairwise_distance(x1, x2, y, B, M, N, eps):
    distances = torch.empty(B * M, dtype=torch.float64, device=x1.device)
    row_distances[(B * M,)](x1, x2, distances, N, eps, BLOCK=min(triton.next_power_of_2(N), 1024))
    normalize[(B,)](distances, y, M, BLOCK=min(triton.next_power_of_2(M), 1024))
