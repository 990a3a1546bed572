import triton
import triton.language as tl


@triton.jit
def row_softmax(x, y, columns, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    greatest = tl.full([BLOCK], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        a = tl.load(x + row + j, mask=j < columns, other=float("-inf"))
        new = tl.maximum(greatest, a)
        shift = tl.where(new == float("-inf"), 0.0, new)
        total = total * tl.exp(greatest - shift) + tl.exp(a - shift)
        greatest = new
    top = tl.max(greatest, 0)
    total = tl.sum(total * tl.exp(greatest - top), 0)
    for first in range(0, columns, BLOCK):
        j = first + tl.arange(0, BLOCK)
        a = tl.load(x + row + j, mask=j < columns)
        # In double precision: a GPU's exponential of float32 is off the more, the larger its argument.
        e = tl.exp((a - top).to(tl.float64)).to(tl.float32)
        tl.store(y + row + j, e / total, mask=j < columns)


def kernel_softmax(x, y, M, N):
    row_softmax[(M,)](x, y, N, BLOCK=min(triton.next_power_of_2(N), 4096))
