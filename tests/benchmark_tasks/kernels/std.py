import triton
import triton.language as tl


@triton.jit
def row_deviation(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        total += tl.load(x + row + j, mask=j < columns, other=0.0)
    mean = tl.sum(total, 0) / columns
    squares = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        d = tl.where(j < columns, tl.load(x + row + j, mask=j < columns, other=0.0) - mean, 0.0)
        squares += d * d
    tl.store(y + tl.program_id(0), tl.sqrt_rn(tl.sum(squares, 0) / (columns - 1)))


def kernel_std(x, y, M, N):
    row_deviation[(M,)](x, y, N, BLOCK=min(triton.next_power_of_2(N), 4096))
