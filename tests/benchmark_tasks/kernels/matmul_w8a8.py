import torch
import triton
import triton.language as tl


@triton.jit
def quantize_rows(x, q, scales, K, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    greatest = tl.zeros([BLOCK], tl.float32)
    for first in range(0, K, BLOCK):
        k = first + tl.arange(0, BLOCK)
        greatest = tl.maximum(greatest, tl.abs(tl.load(x + row * K + k, mask=k < K, other=0.0)))
    # The power of two above the greatest, 2^e with greatest = f * 2^e: its exponent's bits, one more. Below
    # 2^-33 the least scale holds; without a value the scale is 2^-7.
    bits = tl.max(greatest, 0).to(tl.int32, bitcast=True)
    exponent = tl.maximum((bits >> 23) - 126 - 7, -40)
    exponent = tl.where(bits == 0, -7, exponent)
    scale = ((exponent + 127) << 23).to(tl.float32, bitcast=True)
    tl.store(scales + row, scale)
    for first in range(0, K, BLOCK):
        k = first + tl.arange(0, BLOCK)
        steps = tl.load(x + row * K + k, mask=k < K, other=0.0) / scale
        steps = tl.minimum(tl.maximum(steps, -127.0), 127.0)
        even = (steps + 12582912.0) - 12582912.0  # 1.5 * 2^23: what is left are whole numbers, ties to even
        tl.store(q + row * K + k, even.to(tl.int8), mask=k < K)


@triton.jit
def multiply(x, w, sx, sw, y, M, N, K, WIDEN: tl.constexpr, BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BM + tl.arange(0, BM)
    j = tl.program_id(1).to(tl.int64) * BN + tl.arange(0, BN)
    total = tl.zeros([BM, BN], tl.float32 if WIDEN else tl.int32)
    for first in range(0, K, BK):
        k = first + tl.arange(0, BK)
        left = tl.load(x + i[:, None] * K + k[None, :], mask=(i[:, None] < M) & (k[None, :] < K), other=0)
        right = tl.load(w + j[None, :] * K + k[:, None], mask=(j[None, :] < N) & (k[:, None] < K), other=0)
        if WIDEN:  # exact up to 2^24
            total = tl.dot(left.to(tl.float32), right.to(tl.float32), total, input_precision="ieee")
        else:
            total = tl.dot(left, right, total, out_dtype=tl.int32)
    scale = tl.load(sx + i, mask=i < M, other=0.0)[:, None] * tl.load(sw + j, mask=j < N, other=0.0)[None, :]
    tl.store(y + i[:, None] * N + j[None, :], total.to(tl.float32) * scale, mask=(i[:, None] < M) & (j[None, :] < N))


def kernel_matmul_w8a8(x, w, y, M, N, K):
    qx, qw = (torch.empty(rows, K, dtype=torch.int8, device=x.device) for rows in (M, N))
    sx, sw = (torch.empty(rows, dtype=torch.float32, device=x.device) for rows in (M, N))
    block = min(triton.next_power_of_2(K), 2048)
    quantize_rows[(M,)](x, qx, sx, K, BLOCK=block)
    quantize_rows[(N,)](w, qw, sw, K, BLOCK=block)
    # The interpreter of a CPU multiplies no integers.
    multiply[(triton.cdiv(M, 64), triton.cdiv(N, 64))](qx, qw, sx, sw, y, M, N, K, WIDEN=not x.is_cuda, BM=64, BN=64,
                                                       BK=64)
