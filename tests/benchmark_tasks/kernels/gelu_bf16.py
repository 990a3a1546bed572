import triton
import triton.language as tl


@triton.jit
def erf_gelu(x, y, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n).to(tl.float32)
    tl.store(y + i, (0.5 * a * (1.0 + tl.erf(a * 0.7071067811865476))).to(tl.bfloat16), mask=i < n)


def kernel_gelu_bf16(x, y, M, N):
    block = 1024 if x.is_cuda else 16384
    erf_gelu[(triton.cdiv(M * N, block),)](x, y, M * N, BLOCK=block)
