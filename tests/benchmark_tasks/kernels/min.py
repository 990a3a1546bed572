import triton
import triton.language as tl


@triton.jit
def row_min(x, y, index, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    best = tl.full([BLOCK], float("inf"), tl.float32)
    place = tl.arange(0, BLOCK).to(tl.int64)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        a = tl.load(x + row * columns + j, mask=j < columns, other=float("inf"))
        better = (a < best) | ((a != a) & (best == best))  # a NaN is the least, and the first of them counts
        best = tl.where(better, a, best)
        place = tl.where(better, j.to(tl.int64), place)
    least = tl.min(tl.where(best == best, best, float("inf")), 0)
    any_nan = tl.max((best != best).to(tl.int32), 0)
    chosen = tl.where(any_nan > 0, best != best, best == least)
    lowest = tl.min(tl.where(chosen, place, columns), 0)
    tl.store(index + row, lowest)
    tl.store(y + row, tl.load(x + row * columns + lowest))


def kernel_min(x, y, index, M, N):
    row_min[(M,)](x, y, index, N, BLOCK=min(triton.next_power_of_2(N), 4096))
