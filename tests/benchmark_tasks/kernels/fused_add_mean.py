import triton
import triton.language as tl


@triton.jit
def row_means(a, b, y, rows, columns, alpha, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    total = tl.zeros([ROWS, BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        inside = (i[:, None] < rows) & (j[None, :] < columns)
        at = i[:, None] * columns + j[None, :]
        total += tl.load(a + at, mask=inside, other=0.0) + alpha * tl.load(b + at, mask=inside, other=0.0)
    tl.store(y + i, tl.sum(total, 1) / columns, mask=i < rows)


def kernel_fused_add_mean(a, b, y, M, N, alpha):
    block = min(triton.next_power_of_2(N), 2048)
    # On a CPU each program of the grid costs the interpreter a millisecond.
    rows = 1 if a.is_cuda else 32
    row_means[(triton.cdiv(M, rows),)](a, b, y, M, N, alpha, ROWS=rows, BLOCK=block)
