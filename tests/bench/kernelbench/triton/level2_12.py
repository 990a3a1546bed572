import torch
import triton
import triton.language as tl


@triton.jit
def split_rows(x, hi, lo, inv, K: tl.constexpr):
    # One row: scale by a power of two so that the largest finite magnitude
    # lies in [2^14, 2^15), then split into two fp16 parts.
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, K)
    v = tl.load(x + row * K + col)
    bits = v.to(tl.int32, bitcast=True) & 0x7FFFFFFF
    finite = bits < 0x7F800000
    e = tl.max(tl.where(finite, bits, 0), axis=0) >> 23
    e = tl.maximum(e, 15)
    scale = ((268 - e) << 23).to(tl.float32, bitcast=True)
    inverse = ((e - 14) << 23).to(tl.float32, bitcast=True)
    s = tl.where(finite, v * scale, 0.0)
    h = s.to(tl.float16)
    # inf and NaN live in the low part alone: it only meets the high part of
    # the other operand, so no inf * (low part) of the wrong sign arises.
    r = tl.where(finite, s - h.to(tl.float32), v)
    tl.store(hi + row * K + col, h)
    tl.store(lo + row * K + col, r.to(tl.float16))
    tl.store(inv + row, inverse)


@triton.jit
def finish(acc, inv_a, inv_b, bias, out, row0, col0, N: tl.constexpr, multiplier, slope):
    rm = row0 + tl.arange(0, 128)
    rn = col0 + tl.arange(0, 128)
    sa = tl.load(inv_a + rm)
    sb = tl.load(inv_b + rn)
    b = tl.load(bias + rn)
    y = (acc * sb[None, :]) * sa[:, None] + b[None, :]
    y = y * multiplier
    y = tl.where(y > 0, y, y * slope)
    tl.store(out + rm[:, None] * N + rn[None, :], y)


@triton.autotune(
    configs=[
        triton.Config({"HALVES": 2, "BK": 64}, num_warps=8, num_stages=2),
        triton.Config({"HALVES": 2, "BK": 32}, num_warps=8, num_stages=4),
        triton.Config({"HALVES": 1, "BK": 64}, num_warps=8, num_stages=3),
    ],
    key=["GM"],
)
@triton.jit
def gemm_split(ah, al, bh, bl, inv_a, inv_b, bias, out, GM, multiplier, slope,
               N: tl.constexpr, K: tl.constexpr,
               HALVES: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    pid_m = pid % GM
    pid_n = pid // GM
    row0 = pid_m * 128
    col0 = pid_n * (128 * HALVES)

    r = tl.arange(0, 128)
    c = tl.arange(0, BK)
    offs_a = r[:, None] * K + c[None, :]
    offs_b = c[:, None] + r[None, :] * K

    ah_base = ah + row0 * K
    al_base = al + row0 * K
    bh_base = bh + col0 * K
    bl_base = bl + col0 * K

    acc0 = tl.zeros((128, 128), dtype=tl.float32)
    if HALVES == 2:
        acc1 = tl.zeros((128, 128), dtype=tl.float32)

    for k in range(0, K, BK):
        a_h = tl.load(ah_base + k + offs_a)
        a_l = tl.load(al_base + k + offs_a)
        b_h = tl.load(bh_base + k + offs_b)
        b_l = tl.load(bl_base + k + offs_b)
        # Short chain on the tensor cores, small terms first, from zero ...
        p = tl.dot(a_h, b_l)
        p = tl.dot(a_l, b_h, p)
        p = tl.dot(a_h, b_h, p)
        # ... then a properly rounded fp32 addition.
        acc0 = acc0 + p
        if HALVES == 2:
            d_h = tl.load(bh_base + 128 * K + k + offs_b)
            d_l = tl.load(bl_base + 128 * K + k + offs_b)
            q = tl.dot(a_h, d_l)
            q = tl.dot(a_l, d_h, q)
            q = tl.dot(a_h, d_h, q)
            acc1 = acc1 + q

    finish(acc0, inv_a, inv_b, bias, out, row0, col0, N, multiplier, slope)
    if HALVES == 2:
        finish(acc1, inv_a, inv_b, bias, out, row0, col0 + 128, N, multiplier, slope)


class ModelNew(torch.nn.Module):
    def __init__(self, in_features, out_features, multiplier, negative_slope):
        super().__init__()
        self.gemm = torch.nn.Linear(in_features, out_features)
        self.multiplier = multiplier
        self.negative_slope = negative_slope

    def forward(self, x):
        weight = self.gemm.weight
        bias = self.gemm.bias
        M, K = x.shape
        N = weight.shape[0]
        if M % 128 or N % 256 or K < 64 or K > 16384 or (K & (K - 1)):
            y = torch.nn.functional.linear(x, weight, bias) * self.multiplier
            return torch.nn.functional.leaky_relu(y, self.negative_slope)

        x = x.contiguous()
        weight = weight.contiguous()
        device = x.device
        ah = torch.empty((M, K), device=device, dtype=torch.float16)
        al = torch.empty((M, K), device=device, dtype=torch.float16)
        bh = torch.empty((N, K), device=device, dtype=torch.float16)
        bl = torch.empty((N, K), device=device, dtype=torch.float16)
        inv_a = torch.empty((M,), device=device, dtype=torch.float32)
        inv_b = torch.empty((N,), device=device, dtype=torch.float32)
        out = torch.empty((M, N), device=device, dtype=torch.float32)

        split_rows[(N,)](weight, bh, bl, inv_b, K=K, num_warps=8)
        split_rows[(M,)](x, ah, al, inv_a, K=K, num_warps=8)

        GM = M // 128
        grid = lambda meta: (GM * (N // (128 * meta["HALVES"])),)
        gemm_split[grid](
            ah, al, bh, bl, inv_a, inv_b, bias, out, GM,
            float(self.multiplier), float(self.negative_slope),
            N=N, K=K,
        )
        return out
