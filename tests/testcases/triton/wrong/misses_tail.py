# As many programs as whole blocks: what is left of a ragged size is never written.
# task: relu
# expect: correctness wrong_values
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.maximum(tl.load(x + i), 0.0))


def kernel_relu(x, y, N):
    rectify[(N // 64,)](x, y, BLOCK=64)
