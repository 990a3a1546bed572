import triton
import triton.language as tl


@triton.jit
def step_sgd(p, g, buffer, n, lr, momentum, weight_decay, NESTEROV: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    old = tl.load(p + i, mask=i < n)
    d = tl.load(g + i, mask=i < n) + weight_decay * old
    new = momentum * tl.load(buffer + i, mask=i < n) + d
    update = d + momentum * new if NESTEROV else new
    tl.store(p + i, old - lr * update, mask=i < n)
    tl.store(buffer + i, new, mask=i < n)


def kernel_sgd(p, g, buffer, N, lr, momentum, weight_decay, nesterov):
    block = 1024 if p.is_cuda else 16384
    step_sgd[(triton.cdiv(N, block),)](p, g, buffer, N, lr, momentum, weight_decay, NESTEROV=nesterov, BLOCK=block)
