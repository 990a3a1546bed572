import torch
import triton
import triton.language as tl


@triton.jit
def _exp_nonpositive(d, SIZE: tl.constexpr):
    # exp(d) for d <= 0, accurate to a few ulp; NaN stays NaN, -inf gives 0
    d = tl.where(d < -120.0, -120.0, d)
    hi = tl.full([SIZE], 1.44269502162933349609375, tl.float32)
    lo = tl.full([SIZE], 1.925963033500011e-08, tl.float32)
    magic = tl.full([SIZE], 12583103.0, tl.float32)  # 1.5 * 2**23 + 127 + 64
    z = tl.fma(d, hi, magic)
    n = z - magic
    f = tl.fma(d, hi, -n)
    f = tl.fma(d, lo, f)
    p = (z.to(tl.int32, bitcast=True) << 23).to(tl.float32, bitcast=True)  # 2**(n + 64)
    return (tl.exp2(f) * p) * 5.421010862427522e-20  # 2**-64


@triton.jit
def softmax_shared_rows(x, out, maxima, sums, counters,
                        PARTS: tl.constexpr, PARTS_P2: tl.constexpr,
                        BLOCK: tl.constexpr):
    pid = tl.program_id(0)
    row = pid // PARTS
    part = pid % PARTS
    start = pid.to(tl.int64) * BLOCK
    column = tl.arange(0, BLOCK)

    v = tl.load(x + start + column, eviction_policy="evict_first")
    m = tl.max(v, axis=0)
    m_safe = tl.where(m == float("-inf"), 0.0, m)
    e = _exp_nonpositive(v - m_safe, BLOCK)
    s = tl.sum(e, axis=0)

    # publish this part, then wait for the other parts of the row
    tl.store(maxima + pid, m)
    tl.store(sums + pid, s)
    arrived = tl.atomic_add(counters + row, 1, sem="acq_rel") + 1
    while arrived < PARTS:
        arrived = tl.atomic_add(counters + row, 0, sem="acquire")

    index = tl.arange(0, PARTS_P2)
    inside = index < PARTS
    base = row * PARTS
    ms = tl.load(maxima + base + index, mask=inside, other=float("-inf"), volatile=True)
    ss = tl.load(sums + base + index, mask=inside, other=0.0, volatile=True)
    top = tl.max(ms, axis=0)
    w = _exp_nonpositive(ms - top, PARTS_P2)
    total = tl.sum(ss * w, axis=0)
    own = tl.sum(tl.where(index == part, w, 0.0), axis=0)
    factor = own / total

    tl.store(out + start + column, e * factor, eviction_policy="evict_first")


class ModelNew(torch.nn.Module):
    def __init__(self):
        super().__init__()

    def forward(self, x):
        BLOCK = 8192
        if x.dim() != 2 or x.dtype != torch.float32 or x.shape[1] % BLOCK != 0:
            return torch.softmax(x, dim=1)
        rows = x.shape[0]
        parts = x.shape[1] // BLOCK
        if rows == 0 or parts == 0 or parts > 64:
            return torch.softmax(x, dim=1)
        x = x.contiguous()
        out = torch.empty_like(x)
        maxima = torch.empty(rows * parts, dtype=torch.float32, device=x.device)
        sums = torch.empty(rows * parts, dtype=torch.float32, device=x.device)
        counters = torch.zeros(rows, dtype=torch.int32, device=x.device)
        softmax_shared_rows[(rows * parts,)](
            x, out, maxima, sums, counters,
            PARTS=parts, PARTS_P2=triton.next_power_of_2(parts),
            BLOCK=BLOCK, num_warps=4,
        )
        return out
