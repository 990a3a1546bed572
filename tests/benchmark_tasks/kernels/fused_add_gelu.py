import triton
import triton.language as tl


@triton.jit
def gelu_of_combination(a, b, y, n, alpha, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    z = tl.load(a + i, mask=inside) + alpha * tl.load(b + i, mask=inside)
    tl.store(y + i, 0.5 * z * (1.0 + tl.erf(z * 0.7071067811865476)), mask=inside)


def kernel_fused_add_gelu(a, b, y, M, N, alpha):
    block = 1024 if a.is_cuda else 16384
    gelu_of_combination[(triton.cdiv(M * N, block),)](a, b, y, M * N, alpha, BLOCK=block)
