import triton
import triton.language as tl


@triton.jit
def determinant(a, y, B, N, BB: tl.constexpr, BN: tl.constexpr):
    matrix = tl.program_id(0).to(tl.int64) * BB + tl.arange(0, BB)
    b = matrix[:, None, None]
    row = tl.arange(0, BN)[None, :]
    i = tl.arange(0, BN)[None, :, None]
    j = tl.arange(0, BN)[None, None, :]
    rest = tl.load(a + (b * N + i) * N + j, mask=(b < B) & (i < N) & (j < N), other=0.0).to(tl.float64)
    free = tl.zeros([BB, BN], tl.int32) + tl.where(row < N, 1, 0)
    product = tl.full([BB], 1.0, tl.float64)
    for c in range(N):
        column = tl.sum(tl.where(j == c, rest, 0.0), 2)
        at = tl.argmax(tl.where(free > 0, tl.abs(column), -1.0), 1)[:, None]
        pivot = tl.sum(tl.where(row == at, column, 0.0), 1)
        # Rows stay where they are: the sign is that of moving row `at` before the others that are free.
        before = tl.sum(tl.where(row < at, free, 0), 1)
        product *= tl.where(before % 2 == 1, -pivot, pivot)
        free = tl.where(row == at, 0, free)
        # A pivot of zero is the greatest of its column: there is nothing to eliminate.
        factors = tl.where(free > 0, column / tl.where(pivot == 0.0, 1.0, pivot)[:, None], 0.0)
        chosen = tl.sum(tl.where(i == at[:, :, None], rest, 0.0), 1)
        rest -= factors[:, :, None] * chosen[:, None, :]
    tl.store(y + matrix, product.to(tl.float32), mask=matrix < B)


def kernel_det(a, y, B, N):
    # On a CPU each operation of a program costs the interpreter, whatever its width.
    some = 1 if a.is_cuda else 8
    determinant[(triton.cdiv(B, some),)](a, y, B, N, BB=some, BN=triton.next_power_of_2(N))
