import torch
import triton
import triton.language as tl


@triton.jit
def scale_of(greatest):
    # The power of two above the greatest, 2^e with greatest = f * 2^e: its exponent's bits, one more. Below
    # 2^-33 the least scale holds; without a value the scale is 2^-7.
    bits = greatest.to(tl.int32, bitcast=True)
    exponent = tl.where(bits == 0, -7, tl.maximum((bits >> 23) - 126 - 7, -40))
    return ((exponent + 127) << 23).to(tl.float32, bitcast=True)


@triton.jit
def quantize(values, q, scales, lines, K, line, step, BL: tl.constexpr, BK: tl.constexpr):
    """Quantizes lines of K values that are `step` apart; writes them as rows, for either factor."""
    b = tl.program_id(0).to(tl.int64) * lines
    i = tl.program_id(1).to(tl.int64) * BL + tl.arange(0, BL)
    greatest = tl.zeros([BL, BK], tl.float32)
    for first in range(0, K, BK):
        k = (first + tl.arange(0, BK)).to(tl.int64)
        inside = (i[:, None] < lines) & (k[None, :] < K)
        value = tl.load(values + b * K + i[:, None] * line + k[None, :] * step, mask=inside, other=0.0)
        greatest = tl.maximum(greatest, tl.abs(value))
    scale = scale_of(tl.max(greatest, 1))
    tl.store(scales + b + i, scale, mask=i < lines)
    for first in range(0, K, BK):
        k = (first + tl.arange(0, BK)).to(tl.int64)
        inside = (i[:, None] < lines) & (k[None, :] < K)
        value = tl.load(values + b * K + i[:, None] * line + k[None, :] * step, mask=inside, other=0.0)
        steps = tl.minimum(tl.maximum(tl.div_rn(value, scale[:, None]), -127.0), 127.0)
        even = (steps + 12582912.0) - 12582912.0  # 1.5 * 2^23: what is left are whole numbers, ties to even
        tl.store(q + (b + i[:, None]) * K + k[None, :], even.to(tl.int8), mask=inside)


@triton.jit
def multiply(x, w, sx, sw, y, M, N, K, WIDEN: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr,
             BK: tl.constexpr):
    b = tl.program_id(0).to(tl.int64)
    i = tl.program_id(1).to(tl.int64) * BM + tl.arange(0, BM)
    j = tl.program_id(2).to(tl.int64) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32 if WIDEN else tl.int32)
    for first in range(0, K, BK):
        k = first + tl.arange(0, BK)
        inside = (i[:, None] < M) & (k[None, :] < K)
        left = tl.load(x + (b * M + i[:, None]) * K + k[None, :], mask=inside, other=0)
        inside = (j[None, :] < N) & (k[:, None] < K)
        right = tl.load(w + (b * N + j[None, :]) * K + k[:, None], mask=inside, other=0)
        if WIDEN:  # exact up to 2^24
            total = tl.dot(left.to(tl.float32), right.to(tl.float32), total, input_precision="ieee")
        else:
            total = tl.dot(left, right, total, out_dtype=tl.int32)
    row = tl.load(sx + b * M + i, mask=i < M, other=0.0)
    column = tl.load(sw + b * N + j, mask=j < N, other=0.0)
    tl.store(y + (b * M + i[:, None]) * N + j[None, :], total.to(tl.float32) * row[:, None] * column[None, :],
             mask=(i[:, None] < M) & (j[None, :] < N))


def kernel_bmm_w8a8(x, w, y, B, M, N, K):
    qx, qw = (torch.empty(B * lines, K, dtype=torch.int8, device=x.device) for lines in (M, N))
    sx, sw = (torch.empty(B * lines, dtype=torch.float32, device=x.device) for lines in (M, N))
    quantize[(B, triton.cdiv(M, 16))](x, qx, sx, M, K, K, 1, BL=16, BK=128)
    quantize[(B, triton.cdiv(N, 32))](w, qw, sw, N, K, 1, N, BL=32, BK=64)
    # The interpreter of a CPU multiplies no integers.
    grid = (B, triton.cdiv(M, 64), triton.cdiv(N, 64))
    multiply[grid](qx, qw, sx, sw, y, M, N, K, WIDEN=not x.is_cuda, BM=64, BN=64, BK=64)
