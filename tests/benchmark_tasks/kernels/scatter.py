import triton
import triton.language as tl


@triton.jit
def copy(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y + i, tl.load(x + i, mask=i < n), mask=i < n)


@triton.jit
def place(index, src, y, n, D, I, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    row, j = i // I, i % I
    column = tl.load(index + row * D + j, mask=i < n, other=0)
    tl.store(y + row * D + column, tl.load(src + i, mask=i < n), mask=i < n)


def kernel_scatter(x, index, src, y, R, D, I):
    block = 1024 if x.is_cuda else 8192
    copy[(triton.cdiv(R * D, block),)](x, y, R * D, BLOCK=block)
    place[(triton.cdiv(R * I, block),)](index, src, y, R * I, D, I, BLOCK=block)
