import triton
import triton.language as tl


@triton.jit
def step_adamw(p, g, m, v, n, lr, beta1, rest1, beta2, rest2, eps, kept, correct_m, correct_v,
               BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    gradient = tl.load(g + i, mask=inside)
    first = beta1 * tl.load(m + i, mask=inside) + rest1 * gradient
    second = beta2 * tl.load(v + i, mask=inside) + rest2 * gradient * gradient
    change = lr * (first * correct_m) / (tl.sqrt_rn(second * correct_v) + eps)
    tl.store(p + i, kept * tl.load(p + i, mask=inside) - change, mask=inside)
    tl.store(m + i, first, mask=inside)
    tl.store(v + i, second, mask=inside)


def kernel_AdamW(p, g, m, v, N, lr, beta1, beta2, eps, decay, step):
    block = 1024 if p.is_cuda else 16384
    step_adamw[(triton.cdiv(N, block),)](p, g, m, v, N, lr, beta1, 1 - beta1, beta2, 1 - beta2, eps,
                                         1 - lr * decay, 1 / (1 - beta1**step), 1 / (1 - beta2**step),
                                         BLOCK=block)
