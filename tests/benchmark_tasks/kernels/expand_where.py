import triton
import triton.language as tl


@triton.jit
def choose(x, condition, other, y, M, N, ROWS: tl.constexpr, COLUMNS: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    j = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (i[:, None] < M) & (j[None, :] < N)
    place = i[:, None] * N + j[None, :]
    left = tl.load(x + i, mask=i < M)
    right = tl.load(other + j, mask=j < N)
    chosen = tl.where(tl.load(condition + place, mask=inside), left[:, None], right[None, :])
    tl.store(y + place, chosen, mask=inside)


def kernel_expand_where(x, condition, other, y, M, N):
    rows, columns = (8, 256) if x.is_cuda else (64, 256)
    choose[(triton.cdiv(M, rows), triton.cdiv(N, columns))](x, condition, other, y, M, N,
                                                            ROWS=rows, COLUMNS=columns)
