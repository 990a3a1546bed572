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
        total += tl.exp((a - top).to(tl.float64))
    parts = tl.sum(tl.reshape(total, [16, BLOCK // 16]), 1)
    through = tl.associative_scan(parts, 0, joined)
    whole = tl.sum(tl.where(tl.arange(0, 16) == 15, through, 0.0), 0)
    for first in range(0, columns, BLOCK):
        j = first + at
        a = tl.load(x + row + j, mask=j < columns)
        tl.store(y + row + j, (tl.exp((a - top).to(tl.float64)) / whole).to(tl.float32), mask=j < columns)


def kernel_softmax(x, y, M, N):
    row_softmax[(M,)](x, y, N, BLOCK=max(16, min(triton.next_power_of_2(N), 4096)))
