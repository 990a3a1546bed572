import triton
import triton.language as tl


@triton.jit
def tangents(index, table, other, y, I, D, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    source = tl.load(index + i, mask=i < I, other=0)
    inside = (i[:, None] < I) & (j[None, :] < D)
    t = tl.load(table + source[:, None] * D + j[None, :], mask=inside, other=0.0)
    t = (t + tl.load(other + j, mask=j < D, other=0.0)[None, :]).to(tl.float64)
    # In double precision 1 - e loses nothing that a float32 would show, but where t is tiny.
    e = tl.exp(-2.0 * tl.abs(t))
    tangent = (1.0 - e) / (1.0 + e)
    tangent = tl.where(t < 0, -tangent, tangent)
    tangent = tl.where(tl.abs(t) < 0.001, t * (1.0 - t * t / 3.0), tangent)
    tl.store(y + i[:, None] * D + j[None, :], tangent.to(tl.float32), mask=inside)


def kernel_fused_embedding_add_tanh(index, table, other, y, R, I, D):
    rows, columns = (8, 128) if table.is_cuda else (128, 128)
    grid = (triton.cdiv(I, rows), triton.cdiv(D, columns))
    tangents[grid](index, table, other, y, I, D, ROWS=rows, COLUMNS=columns)
