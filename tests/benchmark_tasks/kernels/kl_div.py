import torch
import triton
import triton.language as tl


# In double precision: a GPU's logarithm of float32 takes subnormal numbers for zeros.
@triton.jit
def sum_parts(log_q, p, parts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    chance = tl.load(p + i, mask=i < n, other=0.0).to(tl.float64)
    other = tl.load(log_q + i, mask=i < n, other=0.0).to(tl.float64)
    none = chance == 0
    terms = tl.where(none, 0.0, chance * (tl.log(tl.where(none, 1.0, chance)) - other))
    tl.store(parts + tl.program_id(0), tl.sum(terms, 0))


@triton.jit
def add_up(parts, loss, count, divisor, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float64)
    for first in range(0, count, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(parts + i, mask=i < count, other=0.0)
    tl.store(loss, (tl.sum(total, 0) / divisor).to(tl.float32))


def kernel_kl_div(log_q, p, loss, M, N):
    block = 1024 if p.is_cuda else 16384
    count = triton.cdiv(M * N, block)
    parts = torch.empty(count, dtype=torch.float64, device=p.device)
    sum_parts[(count,)](log_q, p, parts, M * N, BLOCK=block)
    add_up[(1,)](parts, loss, count, M, BLOCK=1024)
