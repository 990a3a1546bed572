import triton
import triton.language as tl


@triton.jit
def row_minima(x, y, index, rows, columns, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    least = tl.full([ROWS, BLOCK], float("inf"), tl.float32)
    place = tl.zeros([ROWS, BLOCK], tl.int64) + tl.arange(0, BLOCK)[None, :]
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        inside = (i[:, None] < rows) & (j[None, :] < columns)
        a = tl.load(x + i[:, None] * columns + j[None, :], mask=inside, other=float("inf"))
        g = 0.5 * a * (1.0 + tl.erf(a * 0.7071067811865476))
        better = (g < least) | ((g != g) & (least == least))  # a NaN is the least, as in argmin
        least = tl.where(better, g, least)
        place = tl.where(better, j.to(tl.int64)[None, :], place)
    number = least == least
    lowest = tl.min(tl.where(number, least, float("inf")), 1)
    any_nan = tl.max((least != least).to(tl.int32), 1) > 0
    chosen = tl.where(any_nan[:, None], least != least, number & (least == lowest[:, None]))
    tl.store(y + i, tl.where(any_nan, float("nan"), lowest), mask=i < rows)
    tl.store(index + i, tl.min(tl.where(chosen, place, columns), 1), mask=i < rows)


def kernel_fused_gelu_min(x, y, index, M, N):
    block = min(triton.next_power_of_2(N), 2048)
    # On a CPU each program of the grid costs the interpreter a millisecond.
    rows = 1 if x.is_cuda else 32
    row_minima[(triton.cdiv(M, rows),)](x, y, index, M, N, ROWS=rows, BLOCK=block)
