# Updates the running statistics and never writes y.
# task: batch_norm
# expect: correctness wrong_values
import triton
import triton.language as tl


@triton.jit
def statistics(x, running_mean, running_var, B, C, L, momentum, BLOCK: tl.constexpr):
    c = tl.program_id(0)
    n = B * L
    total = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        total += tl.load(x + i // L * C * L + c * L + i % L, mask=i < n, other=0.0)
    mean = tl.sum(total, 0) / n
    squares = tl.zeros([BLOCK], tl.float32)
    for first in range(0, n, BLOCK):
        i = first + tl.arange(0, BLOCK)
        d = tl.where(i < n, tl.load(x + i // L * C * L + c * L + i % L, mask=i < n, other=0.0) - mean, 0.0)
        squares += d * d
    tl.store(running_mean + c, (1.0 - momentum) * tl.load(running_mean + c) + momentum * mean)
    var = tl.sum(squares, 0) / (n - 1)
    tl.store(running_var + c, (1.0 - momentum) * tl.load(running_var + c) + momentum * var)


def kernel_batch_norm(x, weight, bias, running_mean, running_var, y, B, C, L, momentum, eps):
    statistics[(C,)](x, running_mean, running_var, B, C, L, momentum, BLOCK=1024)
