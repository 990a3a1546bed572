# The block's size by triton.heuristics.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.heuristics({"BLOCK": lambda given: min(max(triton.next_power_of_2(given["n"]), 128), 8192)})
@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    rectify[lambda given: (triton.cdiv(N, given["BLOCK"]),)](x, y, N)
