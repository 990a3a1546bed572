import triton
import triton.language as tl


# Where a number repeats, programs write the same value to the same place.
@triton.jit
def fill_rows(x, index, n, R, D, I, value, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    row = i // I * R + tl.load(index + i % I, mask=i < n, other=0)
    filled = tl.full([ROWS, COLUMNS], value, tl.float32)
    tl.store(x + row[:, None] * D + j[None, :], filled, mask=(i[:, None] < n) & (j[None, :] < D))


def kernel_index_fill_(x, index, A, R, D, I, value):
    columns = min(triton.next_power_of_2(D), 256)
    rows = (1024 if x.is_cuda else 16384) // columns
    fill_rows[(triton.cdiv(A * I, rows), triton.cdiv(D, columns))](x, index, A * I, R, D, I, value,
                                                                   ROWS=rows, COLUMNS=columns)
