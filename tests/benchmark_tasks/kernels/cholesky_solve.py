import triton
import triton.language as tl


@triton.jit
def substitute(y, factor, x, B, N, R, BB: tl.constexpr, BN: tl.constexpr, BR: tl.constexpr):
    b = (tl.program_id(0).to(tl.int64) * BB + tl.arange(0, BB))[:, None, None]
    i = tl.arange(0, BN)[None, :, None]
    k = (tl.program_id(1).to(tl.int64) * BR + tl.arange(0, BR))[None, None, :]
    inside = (b < B) & (i < N) & (k < R)
    # In double precision: any lower triangle is given, however badly conditioned.
    rest = tl.load(y + (b * N + i) * R + k, mask=inside, other=0.0).to(tl.float64)
    for c in range(N):
        pivot = tl.load(factor + (b * N + c) * N + c, mask=b < B, other=1.0).to(tl.float64)
        below = (b < B) & (i > c) & (i < N)
        column = tl.load(factor + (b * N + i) * N + c, mask=below, other=0.0).to(tl.float64)
        row = tl.sum(tl.where(i == c, rest, 0.0), 1)[:, None, :] / pivot
        rest = tl.where(i == c, row, rest - column * row)
    for back in range(N):
        c = N - 1 - back
        pivot = tl.load(factor + (b * N + c) * N + c, mask=b < B, other=1.0).to(tl.float64)
        column = tl.load(factor + (b * N + c) * N + i, mask=(b < B) & (i < c), other=0.0).to(tl.float64)
        row = tl.sum(tl.where(i == c, rest, 0.0), 1)[:, None, :] / pivot
        rest = tl.where(i == c, row, rest - column * row)
    tl.store(x + (b * N + i) * R + k, rest.to(tl.float32), mask=inside)


def kernel_cholesky_solve(y, factor, x, B, N, R):
    # On a CPU each operation of a program costs the interpreter, whatever its width.
    some = 1 if y.is_cuda else 8
    columns = min(triton.next_power_of_2(R), 16)
    grid = (triton.cdiv(B, some), triton.cdiv(R, columns))
    substitute[grid](y, factor, x, B, N, R, BB=some, BN=triton.next_power_of_2(N), BR=columns)
