import triton
import triton.language as tl


@triton.jit
def step_lion(p, g, m, n, lr, kept, beta1, rest1, beta2, rest2, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    gradient = tl.load(g + i, mask=inside)
    moment = tl.load(m + i, mask=inside)
    # In double precision no mixture of float32 is subnormal, so none loses its sign.
    mixed = beta1 * moment.to(tl.float64) + rest1 * gradient.to(tl.float64)
    change = tl.where(mixed > 0, lr, tl.where(mixed < 0, -lr, mixed.to(tl.float32)))  # zeros and NaNs stay
    tl.store(p + i, kept * tl.load(p + i, mask=inside) - change, mask=inside)
    tl.store(m + i, beta2 * moment + rest2 * gradient, mask=inside)


def kernel_Lion(p, g, m, N, lr, beta1, beta2, decay):
    block = 1024 if p.is_cuda else 16384
    step_lion[(triton.cdiv(N, block),)](p, g, m, N, lr, 1 - lr * decay, beta1, 1 - beta1, beta2, 1 - beta2,
                                        BLOCK=block)
