import torch
import triton
import triton.language as tl


@triton.jit
def sum_parts(x, t, parts, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    d = tl.abs(tl.load(x + i, mask=i < n, other=0.0) - tl.load(t + i, mask=i < n, other=0.0))
    terms = tl.where(d < beta, 0.5 * d * d / beta, d - 0.5 * beta)
    tl.store(parts + tl.program_id(0), tl.sum(terms.to(tl.float64), 0))


@triton.jit
def add_up(parts, loss, count, divisor, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float64)
    for first in range(0, count, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(parts + i, mask=i < count, other=0.0)
    tl.store(loss, (tl.sum(total, 0) / divisor).to(tl.float32))


def kernel_smooth_l1_loss(x, t, loss, M, N, beta):
    block = 1024 if x.is_cuda else 16384
    count = triton.cdiv(M * N, block)
    parts = torch.empty(count, dtype=torch.float64, device=x.device)
    sum_parts[(count,)](x, t, parts, M * N, beta, BLOCK=block)
    add_up[(1,)](parts, loss, count, M * N, BLOCK=1024)
