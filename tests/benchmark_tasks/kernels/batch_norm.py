import triton
import triton.language as tl


@triton.jit
def normalize_channel(x, weight, bias, running_mean, running_var, y, B, C, L, momentum, eps, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    n = B * L
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        at = (i // L).to(tl.int64) * C * L + c * L + i % L
        total += tl.load(x + at, mask=i < n, other=0.0)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        at = (i // L).to(tl.int64) * C * L + c * L + i % L
        d = tl.where(i < n, tl.load(x + at, mask=i < n, other=0.0) - mean, 0.0)
        squares += d * d
    sum_of_squares = tl.sum(squares, 0)
    var = sum_of_squares / n
    old_mean, old_var = tl.load(running_mean + c), tl.load(running_var + c)
    tl.store(running_mean + c, (1.0 - momentum) * old_mean + momentum * mean)
    tl.store(running_var + c, (1.0 - momentum) * old_var + momentum * (sum_of_squares / (n - 1)))
    scale = tl.load(weight + c) / tl.sqrt_rn(var + eps)
    shift = tl.load(bias + c)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        at = (i // L).to(tl.int64) * C * L + c * L + i % L
        tl.store(y + at, (tl.load(x + at, mask=i < n) - mean) * scale + shift, mask=i < n)


def kernel_batch_norm(x, weight, bias, running_mean, running_var, y, B, C, L, momentum, eps):
    block = min(triton.next_power_of_2(B * L), 2048)
    normalize_channel[(C,)](x, weight, bias, running_mean, running_var, y, B, C, L, momentum, eps, BLOCK=block)
