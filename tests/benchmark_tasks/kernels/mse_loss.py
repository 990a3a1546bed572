import torch
import triton
import triton.language as tl


@triton.jit
def partial_sums(x, y, sums, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    d = tl.load(x + i, mask=i < n, other=0.0) - tl.load(y + i, mask=i < n, other=0.0)
    tl.store(sums + tl.program_id(0), tl.sum(d * d, 0))


@triton.jit
def total(sums, loss, parts, n, BLOCK: tl.constexpr):
    together = tl.zeros([BLOCK], tl.float32)
    for first in range(0, parts, BLOCK):
        i = first + tl.arange(0, BLOCK)
        together += tl.load(sums + i, mask=i < parts, other=0.0)
    tl.store(loss, tl.sum(together, 0) / n)


def kernel_mse_loss(x, y, loss, N):
    block = 4096 if x.is_cuda else 16384
    parts = triton.cdiv(N, block)
    sums = torch.empty(parts, dtype=torch.float32, device=x.device)
    partial_sums[(parts,)](x, y, sums, N, BLOCK=block)
    total[(1,)](sums, loss, parts, N, BLOCK=1024)
