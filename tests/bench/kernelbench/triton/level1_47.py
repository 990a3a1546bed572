import torch
import torch.nn as nn
import triton
import triton.language as tl


@triton.jit
def _sum_super_rows(x, part, N: tl.constexpr, ROWS: tl.constexpr, BLOCK: tl.constexpr):
    # x: (B, ROWS, N), part: (B, N); N is a multiple of 8, ROWS a multiple of 8
    b = tl.program_id(1).to(tl.int64)
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < N
    p = x + b * (ROWS * N) + cols
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for i in range(0, ROWS, 8):
        v0 = tl.load(p, mask=mask, other=0.0, eviction_policy="evict_first")
        v1 = tl.load(p + N, mask=mask, other=0.0, eviction_policy="evict_first")
        v2 = tl.load(p + 2 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        v3 = tl.load(p + 3 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        v4 = tl.load(p + 4 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        v5 = tl.load(p + 5 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        v6 = tl.load(p + 6 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        v7 = tl.load(p + 7 * N, mask=mask, other=0.0, eviction_policy="evict_first")
        acc += ((v0 + v1) + (v2 + v3)) + ((v4 + v5) + (v6 + v7))
        p += 8 * N
    tl.store(part + b * N + cols, acc, mask=mask)


@triton.jit
def _sum_segments(part, out, W: tl.constexpr, BLOCK: tl.constexpr):
    # part: (B, 8, W), out: (B, W)
    b = tl.program_id(1).to(tl.int64)
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < W
    p = part + b * (8 * W) + cols
    v0 = tl.load(p, mask=mask, other=0.0)
    v1 = tl.load(p + W, mask=mask, other=0.0)
    v2 = tl.load(p + 2 * W, mask=mask, other=0.0)
    v3 = tl.load(p + 3 * W, mask=mask, other=0.0)
    v4 = tl.load(p + 4 * W, mask=mask, other=0.0)
    v5 = tl.load(p + 5 * W, mask=mask, other=0.0)
    v6 = tl.load(p + 6 * W, mask=mask, other=0.0)
    v7 = tl.load(p + 7 * W, mask=mask, other=0.0)
    s = ((v0 + v1) + (v2 + v3)) + ((v4 + v5) + (v6 + v7))
    tl.store(out + b * W + cols, s, mask=mask)


class ModelNew(nn.Module):
    def __init__(self, dim: int):
        super(ModelNew, self).__init__()
        self.dim = dim

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        if (
            x.dim() != 3
            or self.dim not in (1, -2)
            or x.dtype != torch.float32
            or x.shape[0] == 0
            or x.shape[0] > 65535
            or x.shape[1] == 0
            or x.shape[1] % 64 != 0
            or x.shape[2] == 0
            or x.shape[1] * x.shape[2] >= 2 ** 31
        ):
            return torch.sum(x, dim=self.dim, keepdim=True)

        x = x.contiguous()
        B, D, W = x.shape
        N = 8 * W
        ROWS = D // 8
        part = torch.empty((B, N), device=x.device, dtype=torch.float32)
        out = torch.empty((B, 1, W), device=x.device, dtype=torch.float32)

        BLOCK = 1024
        _sum_super_rows[(triton.cdiv(N, BLOCK), B)](
            x, part, N=N, ROWS=ROWS, BLOCK=BLOCK, num_warps=8
        )
        BLOCK2 = 512
        _sum_segments[(triton.cdiv(W, BLOCK2), B)](
            part, out, W=W, BLOCK=BLOCK2, num_warps=4
        )
        return out
