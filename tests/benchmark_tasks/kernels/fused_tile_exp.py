import triton
import triton.language as tl


@triton.jit
def exponentials(x, y, n, copies, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    a = tl.load(x + i, mask=inside, other=0.0)
    # In double precision: a GPU's exponential of float32 is off the more, the larger its argument.
    e = tl.exp(a.to(tl.float64)).to(tl.float32)
    for copy in range(0, copies):
        tl.store(y + i, e, mask=inside)
        i += n


def kernel_fused_tile_exp(x, y, T, M, N, copies):
    block = 1024 if x.is_cuda else 16384
    exponentials[(triton.cdiv(M * N, block),)](x, y, M * N, copies, BLOCK=block)
