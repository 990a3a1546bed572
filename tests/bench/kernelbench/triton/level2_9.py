import torch
import triton
import triton.language as tl


@triton.jit
def split_rows(src, hi, lo, inv, K, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    inside = col < K
    v = tl.load(src + row * K + col, mask=inside, other=0.0)
    e = (v.to(tl.int32, bitcast=True) >> 23) & 0xFF
    finite = e < 255
    emax = tl.max(tl.where(finite, e, 0), axis=0)
    emax = tl.maximum(emax, 27)
    # power of two that brings the largest finite value of the row into [2^14, 2^15)
    scale = ((268 - emax) << 23).to(tl.float32, bitcast=True)
    unscale = ((emax - 14) << 23).to(tl.float32, bitcast=True)
    s = tl.where(finite, v * scale, 0.0)
    h = s.to(tl.float16)
    r = s - h.to(tl.float32)
    # infinities and NaN live in the low part alone
    l = tl.where(finite, r, v).to(tl.float16)
    tl.store(hi + row * K + col, h, mask=inside)
    tl.store(lo + row * K + col, l, mask=inside)
    tl.store(inv + row, unscale)


@triton.autotune(
    configs=[
        triton.Config({"BM": 128, "BN": 128, "BK": 64}, num_warps=8, num_stages=3),
        triton.Config({"BM": 128, "BN": 128, "BK": 32}, num_warps=8, num_stages=5),
    ],
    key=["M", "N", "K"],
)
@triton.jit
def split_gemm(xh, xl, wh, wl, xs, ws, bias, out, M, N, K, sub, mul,
               BM: tl.constexpr, BN: tl.constexpr, BK: tl.constexpr):
    pid = tl.program_id(0)
    tiles_m = M // BM
    pm = pid % tiles_m
    pn = pid // tiles_m
    rm = pm * BM + tl.arange(0, BM)
    rn = pn * BN + tl.arange(0, BN)
    rk = tl.arange(0, BK)
    a_off = rm[:, None] * K + rk[None, :]
    b_off = rn[None, :] * K + rk[:, None]

    acc = tl.zeros((BM, BN), dtype=tl.float32)
    for k in range(0, K, BK):
        al = tl.load(xl + k + a_off)
        bh = tl.load(wh + k + b_off)
        ah = tl.load(xh + k + a_off)
        bl = tl.load(wl + k + b_off)
        part = tl.dot(al, bh)
        part = tl.dot(ah, bl, part)
        part = tl.dot(ah, bh, part)
        acc = acc + part

    sx = tl.load(xs + rm)
    sw = tl.load(ws + rn)
    b = tl.load(bias + rn)
    y = (acc * sw[None, :]) * sx[:, None]
    y = y + b[None, :]
    y = (y - sub) * mul
    y = tl.where(y < 0.0, 0.0, y)
    tl.store(out + rm[:, None] * N + rn[None, :], y)


class ModelNew(torch.nn.Module):
    def __init__(self, in_features, out_features, subtract_value, multiply_value):
        super().__init__()
        self.linear = torch.nn.Linear(in_features, out_features)
        self.subtract_value = subtract_value
        self.multiply_value = multiply_value

    def forward(self, x):
        w = self.linear.weight
        bias = self.linear.bias
        N, K = w.shape
        if x.dim() != 2 or x.shape[0] % 128 != 0 or N % 128 != 0 or K % 64 != 0 or K > 16384:
            y = self.linear(x)
            return torch.relu((y - self.subtract_value) * self.multiply_value)

        x = x.contiguous()
        w = w.contiguous()
        M = x.shape[0]
        dev = x.device
        xh = torch.empty((M, K), device=dev, dtype=torch.float16)
        xl = torch.empty((M, K), device=dev, dtype=torch.float16)
        wh = torch.empty((N, K), device=dev, dtype=torch.float16)
        wl = torch.empty((N, K), device=dev, dtype=torch.float16)
        xs = torch.empty((M,), device=dev, dtype=torch.float32)
        ws = torch.empty((N,), device=dev, dtype=torch.float32)
        out = torch.empty((M, N), device=dev, dtype=torch.float32)

        block = triton.next_power_of_2(K)
        split_rows[(N,)](w, wh, wl, ws, K, BLOCK=block, num_warps=8)
        split_rows[(M,)](x, xh, xl, xs, K, BLOCK=block, num_warps=8)

        grid = lambda meta: ((M // meta["BM"]) * (N // meta["BN"]),)
        split_gemm[grid](
            xh, xl, wh, wl, xs, ws, bias, out, M, N, K,
            float(self.subtract_value), float(self.multiply_value),
        )
        return out
