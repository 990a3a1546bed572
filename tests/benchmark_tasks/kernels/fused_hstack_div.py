import triton
import triton.language as tl


@triton.jit
def quotients(a, b, c, divisor, y, M, A, B, C, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = (tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS))[:, None]
    j = (tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS))[None, :]
    width = A + B + C
    inside = (i < M) & (j < width)
    in_a = j < A
    in_b = (j >= A) & (j < A + B)
    z = tl.load(c + i * C + (j - A - B), mask=inside & (j >= A + B), other=0.0)
    z = tl.where(in_b, tl.load(b + i * B + (j - A), mask=inside & in_b, other=0.0), z)
    z = tl.where(in_a, tl.load(a + i * A + j, mask=inside & in_a, other=0.0), z)
    by = tl.load(divisor + j, mask=j < width, other=1.0)
    tl.store(y + i * width + j, tl.div_rn(z, tl.broadcast_to(by, [ROWS, COLUMNS])), mask=inside)


def kernel_fused_hstack_div(a, b, c, divisor, y, M, A, B, C):
    rows, columns = (8, 128) if a.is_cuda else (64, 256)
    grid = (triton.cdiv(M, rows), triton.cdiv(A + B + C, columns))
    quotients[grid](a, b, c, divisor, y, M, A, B, C, ROWS=rows, COLUMNS=columns)
