# Block pointers, which check their bounds.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK
    source = tl.make_block_ptr(x, (n,), (1,), (at,), (BLOCK,), (0,))
    target = tl.make_block_ptr(y, (n,), (1,), (at,), (BLOCK,), (0,))
    a = tl.load(source, boundary_check=(0,))
    tl.store(target, tl.where(a != a, a, tl.maximum(a, 0.0)), boundary_check=(0,))


def kernel_relu(x, y, N):
    rectify[(triton.cdiv(N, 8192),)](x, y, N, BLOCK=8192)
