import triton
import triton.language as tl


@triton.jit
def transpose(x, y, rows, columns, BR: tl.constexpr, BC: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BR + tl.arange(0, BR)
    k = tl.program_id(1).to(tl.int64) * BC + tl.arange(0, BC)
    inside = (i[:, None] < rows) & (k[None, :] < columns)
    tile = tl.load(x + i[:, None] * columns + k[None, :], mask=inside)
    tl.store(y + k[:, None] * rows + i[None, :], tl.trans(tile), mask=(k[:, None] < columns) & (i[None, :] < rows))


def kernel_permute_copy(x, y, A, B, C):
    rows = 64 if x.is_cuda else 256
    transpose[(triton.cdiv(A * B, rows), triton.cdiv(C, 64))](x, y, A * B, C, BR=rows, BC=64)
