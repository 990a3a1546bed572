# Right, and computed by an operator of torch: its kernel only copies. Judged with `--fallback reject`.
# task: relu
# expect: correctness falls_back
import torch
import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


def kernel_relu(x, y, N):
    copy[(triton.cdiv(N, 8192),)](torch.relu(x), y, N, BLOCK=8192)
