import triton
import triton.language as tl


@triton.jit
def compare_rows(x, index, other, y, I, D, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    source = tl.load(index + i, mask=i < I, other=0)
    inside = (i[:, None] < I) & (j[None, :] < D)
    place = i[:, None] * D + j[None, :]
    selected = tl.load(x + source[:, None] * D + j[None, :], mask=inside)
    tl.store(y + place, selected == tl.load(other + place, mask=inside), mask=inside)


def kernel_fused_index_select_eq(x, index, other, y, R, I, D):
    rows, columns = (8, 128) if x.is_cuda else (128, 128)
    grid = (triton.cdiv(I, rows), triton.cdiv(D, columns))
    compare_rows[grid](x, index, other, y, I, D, ROWS=rows, COLUMNS=columns)
