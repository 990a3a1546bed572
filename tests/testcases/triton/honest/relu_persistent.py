# A fixed number of programs, which loop over the blocks.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, n, rounds, BLOCK: tl.constexpr):
    for turn in range(0, rounds):
        block = tl.program_id(0).to(tl.int64) + turn * tl.num_programs(0)
        i = block * BLOCK + tl.arange(0, BLOCK)
        a = tl.load(x + i, mask=i < n)
        tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    blocks = triton.cdiv(N, 8192)
    programs = min(264, blocks)
    rectify[(programs,)](x, y, N, triton.cdiv(blocks, programs), BLOCK=8192)
