import triton
import triton.language as tl


@triton.jit
def orthogonalize(a, q, r, B, M, N, BB: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr):
    # Gram-Schmidt, each column orthogonalized twice: once leaves errors that grow with the condition.
    b = (tl.program_id(0).to(tl.int64) * BB + tl.arange(0, BB))[:, None]
    i = tl.arange(0, BM)[None, :]
    j = tl.arange(0, BN)[None, :]
    basis = tl.zeros([BB, BM, BN], tl.float32)
    for c in range(N):
        column = tl.load(a + (b * M + i) * N + c, mask=(b < B) & (i < M), other=0.0)
        # Columns of the basis from c on are zeros.
        along = tl.sum(basis * column[:, :, None], 1)
        column -= tl.sum(basis * along[:, None, :], 2)
        rest = tl.sum(basis * column[:, :, None], 1)
        column -= tl.sum(basis * rest[:, None, :], 2)
        length = tl.sqrt_rn(tl.sum(column * column, 1))[:, None]
        basis = tl.where(j[:, None, :] == c, (column / length)[:, :, None], basis)
        tl.store(r + (b * N + j) * N + c, tl.where(j == c, length, along + rest), mask=(b < B) & (j < N))
    inside = (b < B)[:, :, None] & (i < M)[:, :, None] & (j < N)[:, None, :]
    tl.store(q + (b[:, :, None] * M + i[:, :, None]) * N + j[:, None, :], basis, mask=inside)


def kernel_qr(a, q, r, B, M, N):
    # On a CPU each operation of a program costs the interpreter, whatever its width.
    some = 1 if a.is_cuda else 8
    orthogonalize[(triton.cdiv(B, some),)](a, q, r, B, M, N, BB=some, BM=triton.next_power_of_2(M),
                                           BN=triton.next_power_of_2(N), num_warps=8)
