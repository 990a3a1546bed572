import triton
import triton.language as tl


@triton.jit
def step_adam(p, g, m, v, largest, n, lr, beta1, rest1, beta2, rest2, eps, decay, correct_m, correct_v,
              AMSGRAD: tl.constexpr, MAXIMIZE: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    old = tl.load(p + i, mask=inside)
    gradient = tl.load(g + i, mask=inside)
    if MAXIMIZE:
        gradient = -gradient
    d = gradient + decay * old
    first = beta1 * tl.load(m + i, mask=inside) + rest1 * d
    second = beta2 * tl.load(v + i, mask=inside) + rest2 * d * d
    tl.store(m + i, first, mask=inside)
    tl.store(v + i, second, mask=inside)
    if AMSGRAD:
        second = tl.maximum(tl.load(largest + i, mask=inside), second, propagate_nan=tl.PropagateNan.ALL)
        tl.store(largest + i, second, mask=inside)
    change = lr * (first * correct_m) / (tl.sqrt_rn(second * correct_v) + eps)
    tl.store(p + i, old - change, mask=inside)


def kernel_Adam(p, g, m, v, largest, N, A, U, lr, beta1, beta2, eps, decay, step, amsgrad, maximize):
    block = 1024 if p.is_cuda else 16384
    step_adam[(triton.cdiv(N, block),)](p, g, m, v, largest, N, lr, beta1, 1 - beta1, beta2, 1 - beta2, eps,
                                        decay, 1 / (1 - beta1**step), 1 / (1 - beta2**step),
                                        AMSGRAD=amsgrad, MAXIMIZE=maximize, BLOCK=block)
