import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def ln_partial(x, part, N: tl.constexpr, P: tl.constexpr, ROWS: tl.constexpr,
               BLOCK: tl.constexpr, ITERS: tl.constexpr):
    pid = tl.program_id(0)
    chunk = pid // ROWS
    row = pid % ROWS
    base = x + row.to(tl.int64) * N + chunk * (BLOCK * ITERS)
    offs = tl.arange(0, BLOCK)
    s = tl.zeros([BLOCK], dtype=tl.float64)
    q = tl.zeros([BLOCK], dtype=tl.float64)
    for i in tl.static_range(ITERS):
        v = tl.load(base + i * BLOCK + offs).to(tl.float64)
        s += v
        q += v * v
    tl.store(part + row * P + chunk, tl.sum(s, axis=0))
    tl.store(part + ROWS * P + row * P + chunk, tl.sum(q, axis=0))


@triton.jit
def ln_finalize(part, stats, N: tl.constexpr, P: tl.constexpr, ROWS: tl.constexpr,
                EPS: tl.constexpr, PB: tl.constexpr):
    row = tl.program_id(0)
    offs = tl.arange(0, PB)
    inside = offs < P
    s = tl.sum(tl.load(part + row * P + offs, mask=inside, other=0.0), axis=0)
    q = tl.sum(tl.load(part + ROWS * P + row * P + offs, mask=inside, other=0.0), axis=0)
    mean = s / N
    var = q / N - mean * mean
    var = tl.where(var < 0.0, var * 0.0, var)
    rstd = 1.0 / tl.sqrt(var + EPS)
    big = var > 1e30
    # power of two, so that scaling is exact: 2**-64 for huge values, else 1
    scale = tl.where(big, 5.421010862427522e-20, 1.0).to(tl.float64)
    inverse = tl.where(big, 1.8446744073709552e19, 1.0).to(tl.float64)
    m = mean * scale
    hi = m.to(tl.float32)
    lo = (m - hi.to(tl.float64)).to(tl.float32)
    tl.store(stats + row * 4 + 0, scale.to(tl.float32))
    tl.store(stats + row * 4 + 1, hi)
    tl.store(stats + row * 4 + 2, lo)
    tl.store(stats + row * 4 + 3, (rstd * inverse).to(tl.float32))


@triton.jit
def ln_one(v, stats, w, b, row: tl.constexpr):
    scale = tl.load(stats + row * 4 + 0)
    hi = tl.load(stats + row * 4 + 1)
    lo = tl.load(stats + row * 4 + 2)
    r = tl.load(stats + row * 4 + 3)
    t = (v * scale - hi) - lo
    return (t * r) * w + b


@triton.jit
def ln_apply(x, weight, bias, stats, out, N: tl.constexpr, ROWS: tl.constexpr,
             BLOCK: tl.constexpr):
    tile = tl.num_programs(0) - 1 - tl.program_id(0)
    offs = tile * BLOCK + tl.arange(0, BLOCK)
    w = tl.load(weight + offs, eviction_policy="evict_first")
    b = tl.load(bias + offs, eviction_policy="evict_first")
    for g in tl.static_range(ROWS // 4):
        xp = x + g * 4 * N + offs
        op = out + g * 4 * N + offs
        v0 = tl.load(xp, eviction_policy="evict_first")
        v1 = tl.load(xp + N, eviction_policy="evict_first")
        v2 = tl.load(xp + 2 * N, eviction_policy="evict_first")
        v3 = tl.load(xp + 3 * N, eviction_policy="evict_first")
        sp = stats + g * 16
        y0 = ln_one(v0, sp, w, b, 0)
        y1 = ln_one(v1, sp, w, b, 1)
        y2 = ln_one(v2, sp, w, b, 2)
        y3 = ln_one(v3, sp, w, b, 3)
        tl.store(op, y0, eviction_policy="evict_first")
        tl.store(op + N, y1, eviction_policy="evict_first")
        tl.store(op + 2 * N, y2, eviction_policy="evict_first")
        tl.store(op + 3 * N, y3, eviction_policy="evict_first")


class ModelNew(nn.Module):
    def __init__(self, normalized_shape: tuple):
        super(ModelNew, self).__init__()
        self.ln = nn.LayerNorm(normalized_shape=normalized_shape)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        weight = self.ln.weight
        bias = self.ln.bias
        n = weight.numel()
        rows = x.numel() // n
        block = 2048
        iters = 8
        chunk = block * iters
        if (n % chunk != 0 or rows % 4 != 0 or rows == 0 or rows > 32
                or rows * n >= 2 ** 31 or x.dtype != torch.float32):
            return self.ln(x)
        x = x.contiguous()
        out = torch.empty_like(x)
        p = n // chunk
        part = torch.empty(2 * rows * p, device=x.device, dtype=torch.float64)
        stats = torch.empty(rows * 4, device=x.device, dtype=torch.float32)
        ln_partial[(rows * p,)](x, part, N=n, P=p, ROWS=rows, BLOCK=block, ITERS=iters,
                                num_warps=8)
        ln_finalize[(rows,)](part, stats, N=n, P=p, ROWS=rows, EPS=self.ln.eps,
                             PB=triton.next_power_of_2(p), num_warps=4)
        tile = 1024
        ln_apply[(n // tile,)](x, weight, bias, stats, out, N=n, ROWS=rows, BLOCK=tile,
                               num_warps=4)
        return out
