# A fixed number of programs, which loop over the blocks.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    for block in range(tl.program_id(0), tl.cdiv(n, BLOCK), tl.num_programs(0)):
        i = block.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(x + i, mask=i < n)
        tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    rectify[(min(264, triton.cdiv(N, 8192)),)](x, y, N, BLOCK=8192)
