import triton
import triton.language as tl


@triton.jit
def eliminate(a, y, x, B, N, R, BB: tl.constexpr, BN: tl.constexpr, BR: tl.constexpr):
    # Gauss and Jordan with partial pivoting. Rows stay where they are: `place` says whose pivot each holds.
    b = (tl.program_id(0).to(tl.int64) * BB + tl.arange(0, BB))[:, None, None]
    row = tl.arange(0, BN)[None, :]
    i = tl.arange(0, BN)[None, :, None]
    j = tl.arange(0, BN)[None, None, :]
    k = (tl.program_id(1).to(tl.int64) * BR + tl.arange(0, BR))[None, None, :]
    left = tl.load(a + (b * N + i) * N + j, mask=(b < B) & (i < N) & (j < N), other=0.0).to(tl.float64)
    inside = (b < B) & (i < N) & (k < R)
    right = tl.load(y + (b * N + i) * R + k, mask=inside, other=0.0).to(tl.float64)
    place = tl.zeros([BB, BN], tl.int32) + tl.where(row < N, -1, BN)
    for c in range(N):
        column = tl.sum(tl.where(j == c, left, 0.0), 2)
        at = tl.argmax(tl.where(place < 0, tl.abs(column), -1.0), 1)[:, None]
        place = tl.where(row == at, c, place)
        pivot = tl.sum(tl.where(row == at, column, 0.0), 1)[:, None]
        chosen = i == at[:, :, None]
        left_row = (tl.sum(tl.where(chosen, left, 0.0), 1) / pivot)[:, None, :]
        right_row = (tl.sum(tl.where(chosen, right, 0.0), 1) / pivot)[:, None, :]
        left = tl.where(chosen, left_row, left - column[:, :, None] * left_row)
        right = tl.where(chosen, right_row, right - column[:, :, None] * right_row)
    tl.store(x + (b * N + place[:, :, None]) * R + k, right.to(tl.float32), mask=inside)


def kernel_solve(a, y, x, B, N, R):
    # On a CPU each operation of a program costs the interpreter, whatever its width.
    some = 1 if a.is_cuda else 8
    columns = min(triton.next_power_of_2(R), 16)
    grid = (triton.cdiv(B, some), triton.cdiv(R, columns))
    eliminate[grid](a, y, x, B, N, R, BB=some, BN=triton.next_power_of_2(N), BR=columns)
