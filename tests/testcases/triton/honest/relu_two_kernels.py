# Two kernels, and scratch memory that is kept between calls.
# task: relu
# expect: passed
import torch
import triton
import triton.language as tl

scratch = {}


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    if N not in scratch:
        scratch[N] = torch.empty_like(x)
    grid = (triton.cdiv(N, 8192),)
    copy[grid](x, scratch[N], N, BLOCK=8192)
    rectify[grid](scratch[N], y, N, BLOCK=8192)
