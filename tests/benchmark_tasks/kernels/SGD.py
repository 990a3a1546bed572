import triton
import triton.language as tl


@triton.jit
def step_sgd(p, g, buffer, n, lr, momentum, share, weight_decay, MOVING: tl.constexpr, NESTEROV: tl.constexpr,
             BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    old = tl.load(p + i, mask=inside)
    d = tl.load(g + i, mask=inside) + weight_decay * old
    if MOVING:
        new = momentum * tl.load(buffer + i, mask=inside) + share * d
        tl.store(buffer + i, new, mask=inside)
        d = d + momentum * new if NESTEROV else new
    tl.store(p + i, old - lr * d, mask=inside)


def kernel_SGD(p, g, buffer, N, H, L, lr, momentum, dampening, weight_decay, nesterov):
    block = 1024 if p.is_cuda else 16384
    step_sgd[(triton.cdiv(N, block),)](p, g, buffer, N, lr, momentum, 1 - dampening, weight_decay,
                                       MOVING=momentum != 0, NESTEROV=nesterov, BLOCK=block)
