import torch
import triton
import triton.language as tl


# In double precision: a GPU's logarithm of float32 takes subnormal numbers for zeros.
@triton.jit
def sum_parts(p, t, weight, parts, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    chance = tl.load(p + i, mask=inside, other=0.5).to(tl.float64)
    target = tl.load(t + i, mask=inside, other=0.0).to(tl.float64)
    share = tl.load(weight + i, mask=inside, other=0.0).to(tl.float64)
    yes = tl.log(chance)
    # A series where 1 - chance would be rounded.
    no = tl.where(chance < 1e-6, -chance * (1 + 0.5 * chance), tl.log(1 - chance))
    yes = tl.where(yes < -100, -100.0, yes)
    no = tl.where(no < -100, -100.0, no)
    tl.store(parts + tl.program_id(0), tl.sum(-share * (target * yes + (1 - target) * no), 0))


@triton.jit
def add_up(parts, loss, count, divisor, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float64)
    for first in range(0, count, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(parts + i, mask=i < count, other=0.0)
    tl.store(loss, (tl.sum(total, 0) / divisor).to(tl.float32))


def kernel_binary_cross_entropy(p, t, weight, loss, M, N):
    block = 1024 if p.is_cuda else 16384
    count = triton.cdiv(M * N, block)
    parts = torch.empty(count, dtype=torch.float64, device=p.device)
    sum_parts[(count,)](p, t, weight, parts, M * N, BLOCK=block)
    add_up[(1,)](parts, loss, count, M * N, BLOCK=1024)
