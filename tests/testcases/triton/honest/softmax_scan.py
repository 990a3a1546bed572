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
    j = tl.arange(0, BLOCK)
    row = tl.program_id(0).to(tl.int64) * columns
    a = tl.load(x + row + j, mask=j < columns, other=float("-inf")).to(tl.float64)
    e = tl.exp(a - tl.max(a, 0))
    through = tl.associative_scan(e, 0, joined)
    total = tl.sum(tl.where(j == BLOCK - 1, through, 0.0), 0)
    tl.store(y + row + j, (e / total).to(tl.float32), mask=j < columns)


def kernel_softmax(x, y, M, N):
    row_softmax[(M,)](x, y, N, BLOCK=triton.next_power_of_2(N))
