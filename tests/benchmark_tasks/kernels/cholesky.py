import triton
import triton.language as tl


@triton.jit
def factorize(a, l, B, N, BB: tl.constexpr, BN: tl.constexpr):
    b = (tl.program_id(0).to(tl.int64) * BB + tl.arange(0, BB))[:, None, None]
    row = tl.arange(0, BN)[None, :]
    i = tl.arange(0, BN)[None, :, None]
    j = tl.arange(0, BN)[None, None, :]
    inside = (b < B) & (i < N) & (j < N)
    # The lower triangle, mirrored: so the rest stays symmetric, and its row c is its column c.
    rest = tl.load(a + (b * N + tl.maximum(i, j)) * N + tl.minimum(i, j), mask=inside, other=0.0)
    for c in range(N):
        column = tl.sum(tl.where(j == c, rest, 0.0), 2)
        across = tl.sum(tl.where(i == c, rest, 0.0), 1)
        pivot = tl.sum(tl.where(row == c, across, 0.0), 1)
        across = tl.where(row > c, across / pivot[:, None], 0.0)
        rest -= column[:, :, None] * across[:, None, :]
    # Columns are still those of the factor times its diagonal.
    diagonal = tl.sqrt_rn(tl.sum(tl.where(i == j, rest, 0.0), 1))
    tl.store(l + (b * N + i) * N + j, tl.where(i >= j, rest / diagonal[:, None, :], 0.0), mask=inside)


def kernel_cholesky(a, l, B, N):
    # On a CPU each operation of a program costs the interpreter, whatever its width.
    some = 1 if a.is_cuda else 8
    factorize[(triton.cdiv(B, some),)](a, l, B, N, BB=some, BN=triton.next_power_of_2(N), num_warps=16)
