# Stores a whole block where less than one is left: the zeros behind the end of y belong to nobody.
# task: relu
# expect: correctness out_of_bounds_write | call crashed | call launch_error
import triton
import triton.language as tl


@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.maximum(tl.load(x + i, mask=i < n, other=0.0), 0.0))


def kernel_relu(x, y, N):
    rectify[(triton.cdiv(N, 16),)](x, y, N, BLOCK=16)
