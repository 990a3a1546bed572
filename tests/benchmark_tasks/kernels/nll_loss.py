import torch
import triton
import triton.language as tl


@triton.jit
def sum_parts(x, target, weight, sums, weights, M, C, ignored, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    chosen = tl.load(target + i, mask=i < M, other=0)
    counts = (i < M) & (chosen != ignored)
    share = tl.load(weight + chosen, mask=counts, other=0.0).to(tl.float64)
    logarithm = tl.load(x + i * C + chosen, mask=counts, other=0.0).to(tl.float64)
    tl.store(sums + tl.program_id(0), tl.sum(-share * logarithm, 0))
    tl.store(weights + tl.program_id(0), tl.sum(share, 0))


@triton.jit
def divide(sums, weights, loss, count, BLOCK: tl.constexpr):
    total = tl.zeros([BLOCK], tl.float64)
    whole = tl.zeros([BLOCK], tl.float64)
    for first in range(0, count, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(sums + i, mask=i < count, other=0.0)
        whole += tl.load(weights + i, mask=i < count, other=0.0)
    tl.store(loss, (tl.sum(total, 0) / tl.sum(whole, 0)).to(tl.float32))


def kernel_nll_loss(x, target, weight, loss, M, C, ignored):
    block = 1024 if x.is_cuda else 16384
    count = triton.cdiv(M, block)
    sums = torch.empty(count, dtype=torch.float64, device=x.device)
    weights = torch.empty(count, dtype=torch.float64, device=x.device)
    sum_parts[(count,)](x, target, weight, sums, weights, M, C, ignored, BLOCK=block)
    divide[(1,)](sums, weights, loss, count, BLOCK=1024)
