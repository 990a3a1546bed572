import triton
import triton.language as tl


@triton.jit
def cosines_and_signs(x, y, negative, n, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    cosine = tl.cos(tl.load(x + i, mask=i < n, other=0.0))
    tl.store(y + i, cosine, mask=i < n)
    tl.store(negative + i, cosine < 0, mask=i < n)


def kernel_fused_cos_signbit(x, y, negative, N):
    block = 1024 if x.is_cuda else 16384
    cosines_and_signs[(triton.cdiv(N, block),)](x, y, negative, N, BLOCK=block)
