# Tuned by triton.autotune at the first call of a size.
# task: relu
# expect: passed
import triton
import triton.language as tl


@triton.autotune(configs=[triton.Config({"BLOCK": 8192}, num_warps=warps) for warps in (4, 8)], key=["n"])
@triton.jit
def rectify(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    rectify[lambda given: (triton.cdiv(N, given["BLOCK"]),)](x, y, N)
