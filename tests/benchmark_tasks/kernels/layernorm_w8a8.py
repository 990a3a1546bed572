import torch
import triton
import triton.language as tl


@triton.jit
def row_scale(x, N, BLOCK: tl.constexpr):
    greatest = tl.zeros([BLOCK], tl.float32)
    for first in range(0, N, BLOCK):
        j = first + tl.arange(0, BLOCK)
        greatest = tl.maximum(greatest, tl.abs(tl.load(x + j, mask=j < N, other=0.0)))
    # The power of two above the greatest, 2^e with greatest = f * 2^e: its exponent's bits, one more. Below
    # 2^-33 the least scale holds; without a value the scale is 2^-7.
    bits = tl.max(greatest, 0).to(tl.int32, bitcast=True)
    exponent = tl.where(bits == 0, -7, tl.maximum((bits >> 23) - 126 - 7, -40))
    return ((exponent + 127) << 23).to(tl.float32, bitcast=True)


@triton.jit
def quantize(value, scale):
    steps = tl.minimum(tl.maximum(tl.div_rn(value, scale), -127.0), 127.0)
    even = (steps + 12582912.0) - 12582912.0  # 1.5 * 2^23: what is left are whole numbers, ties to even
    return even * scale


@triton.jit
def quantize_weight(weight, quantized, N, BLOCK: tl.constexpr):
    scale = row_scale(weight, N, BLOCK)
    for first in range(0, N, BLOCK):
        j = first + tl.arange(0, BLOCK)
        value = tl.load(weight + j, mask=j < N, other=0.0)
        tl.store(quantized + j, quantize(value, scale), mask=j < N)


@triton.jit
def normalize_rows(x, weight, bias, y, N, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * N
    scale = row_scale(x + row, N, BLOCK)
    # In double precision: float32 would round the mean, which may cancel against most of a row.
    total = tl.zeros([BLOCK], tl.float64)
    for first in range(0, N, BLOCK):
        j = first + tl.arange(0, BLOCK)
        total += quantize(tl.load(x + row + j, mask=j < N, other=0.0), scale).to(tl.float64)
    mean = tl.sum(total, 0) / N
    squares = tl.zeros([BLOCK], tl.float64)
    for first in range(0, N, BLOCK):
        j = first + tl.arange(0, BLOCK)
        value = quantize(tl.load(x + row + j, mask=j < N, other=0.0), scale).to(tl.float64)
        d = tl.where(j < N, value - mean, 0.0)
        squares += d * d
    inverse = 1.0 / tl.sqrt(tl.sum(squares, 0) / N + eps)
    for first in range(0, N, BLOCK):
        j = first + tl.arange(0, BLOCK)
        inside = j < N
        value = quantize(tl.load(x + row + j, mask=inside, other=0.0), scale).to(tl.float64)
        a = ((value - mean) * inverse).to(tl.float32)
        w = tl.load(weight + j, mask=inside, other=0.0)
        tl.store(y + row + j, w * a + tl.load(bias + j, mask=inside, other=0.0), mask=inside)


def kernel_layernorm_w8a8(x, weight, bias, y, M, N, eps):
    quantized = torch.empty(N, dtype=torch.float32, device=x.device)
    block = min(triton.next_power_of_2(N), 2048)
    quantize_weight[(1,)](weight, quantized, N, BLOCK=block)
    normalize_rows[(M,)](x, quantized, bias, y, N, eps, BLOCK=block)
