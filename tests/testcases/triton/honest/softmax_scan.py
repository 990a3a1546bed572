# A row's sum by an associative scan with a function of its own.
# task: softmax
# expect: passed
import triton
import triton.language as tl


@triton.jit
def joined(left, right):
    return left + right


@triton.jit
def row_softmax(x, y, columns, BLOCK: tl.constexpr):
    at = tl.arange(0, BLOCK)
    row = tl.program_id(0).to(tl.int64) * columns
    greatest = tl.full([BLOCK], float("-inf"), tl.float32)
    for first in range(0, columns, BLOCK):
        j = first + at
        greatest = tl.maximum(greatest, tl.load(x + row + j, mask=j < columns, other=float("-inf")))
    top = tl.max(greatest, 0)
    total = tl.zeros([BLOCK], tl.float64)
    for first in range(0, columns, BLOCK):
        j = first + at
        a = tl.load(x + row + j, mask=j < columns, other=float("-inf"))
        through = tl.associative_scan(tl.exp((a - top).to(tl.float64)), 0, joined)
        total += tl.where(at == BLOCK - 1, through, 0.0)
    whole = tl.sum(total, 0)
    for first in range(0, columns, BLOCK):
        j = first + at
        a = tl.load(x + row + j, mask=j < columns)
        tl.store(y + row + j, (tl.exp((a - top).to(tl.float64)) / whole).to(tl.float32), mask=j < columns)


def kernel_softmax(x, y, M, N):
    row_softmax[(M,)](x, y, N, BLOCK=min(triton.next_power_of_2(N), 4096))
