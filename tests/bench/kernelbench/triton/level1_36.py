import torch
import triton
import triton.language as tl


@triton.autotune(
    configs=[
        triton.Config({"BLOCK": 128}, num_warps=4),
        triton.Config({"BLOCK": 128}, num_warps=8),
        triton.Config({"BLOCK": 256}, num_warps=8),
        triton.Config({"BLOCK": 256}, num_warps=16),
    ],
    key=["C", "S"],
)
@triton.jit
def rms_norm_kernel(
    x_ptr,
    out_ptr,
    eps,
    C: tl.constexpr,
    CP: tl.constexpr,
    S: tl.constexpr,
    BLOCK: tl.constexpr,
):
    pid = tl.program_id(0)
    blocks = (S + BLOCK - 1) // BLOCK
    b = pid // blocks
    first = (pid % blocks) * BLOCK

    base = b.to(tl.int64) * (C * S) + first
    rows = tl.arange(0, CP)
    cols = tl.arange(0, BLOCK)
    offs = rows[:, None] * S + cols[None, :]

    if (S % BLOCK == 0) and (C == CP):
        x = tl.load(x_ptr + base + offs, eviction_policy="evict_first")
    else:
        mask = (rows[:, None] < C) & ((first + cols)[None, :] < S)
        x = tl.load(x_ptr + base + offs, mask=mask, other=0.0)

    # plain sum of squares, and one of x * 2^-70 for columns where it overflows
    ss = tl.sum(x * x, axis=0)
    xs = x * 8.470329472543003e-22
    ss_scaled = tl.sum(xs * xs, axis=0)

    big = ss == float("inf")
    ms = tl.where(big, ss_scaled * (1.0 / C), ss * (1.0 / C) + eps)
    one = tl.full([BLOCK], 1.0, tl.float32)
    inv = tl.div_rn(one, tl.sqrt_rn(ms))
    scale = tl.where(big, one * 8.470329472543003e-22, one)

    y = (x * inv[None, :]) * scale[None, :]

    if (S % BLOCK == 0) and (C == CP):
        tl.store(out_ptr + base + offs, y, cache_modifier=".cs")
    else:
        mask_out = (rows[:, None] < C) & ((first + cols)[None, :] < S)
        tl.store(out_ptr + base + offs, y, mask=mask_out)


class ModelNew(torch.nn.Module):
    def __init__(self, num_features: int, eps: float = 1e-5):
        super().__init__()
        self.num_features = num_features
        self.eps = eps

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        x = x.contiguous()
        out = torch.empty_like(x)
        B = x.shape[0]
        C = x.shape[1]
        S = x.numel() // (B * C)
        grid = lambda meta: (B * triton.cdiv(S, meta["BLOCK"]),)
        rms_norm_kernel[grid](
            x,
            out,
            self.eps,
            C=C,
            CP=triton.next_power_of_2(C),
            S=S,
        )
        return out
