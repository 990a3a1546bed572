# Returns a tensor of its own, as a module would, and leaves y as it came.
# task: relu
# expect: correctness wrong_values
import torch
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.maximum(tl.load(x + i, mask=i < n, other=0.0), 0.0), mask=i < n)


def kernel_relu(x, y, N):
    result = torch.empty_like(x)
    rectify[(triton.cdiv(N, 8192),)](x, result, N, BLOCK=8192)
    return result
