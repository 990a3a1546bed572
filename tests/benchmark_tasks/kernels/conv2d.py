import triton
import triton.language as tl


# A block of places of one image times all windows: a matrix product over (c, r, s), gathered as it is read.
@triton.jit
def convolve(x, weight, bias, y, C, H, W, O, R, BP: tl.constexpr, BO: tl.constexpr, BK: tl.constexpr):
    image = tl.program_id(2).to(tl.int64)
    p = tl.program_id(0) * BP + tl.arange(0, BP)
    o = tl.program_id(1) * BO + tl.arange(0, BO)
    h, w = p // W, p % W
    K = C * R * R
    total = tl.zeros([BP, BO], tl.float32)
    for first in range(0, K, BK):
        k = first + tl.arange(0, BK)
        row = h[:, None] + (k // R % R)[None, :] - R // 2
        column = w[:, None] + (k % R)[None, :] - R // 2
        there = (p[:, None] < H * W) & (k[None, :] < K) & (row >= 0) & (row < H) & (column >= 0) & (column < W)
        place = (image * C + (k // (R * R))[None, :]) * H * W + row * W + column
        left = tl.load(x + place, mask=there, other=0.0)
        right = tl.load(weight + o[None, :] * K + k[:, None], mask=(o[None, :] < O) & (k[:, None] < K), other=0.0)
        total = tl.dot(left, right, total, input_precision="ieee")
    total += tl.load(bias + o, mask=o < O, other=0.0)[None, :]
    out = (image * O + o[None, :]) * H * W + p[:, None]
    tl.store(y + out, total, mask=(p[:, None] < H * W) & (o[None, :] < O))


def kernel_conv2d(x, weight, bias, y, B, C, H, W, O, R):
    places = 64 if x.is_cuda else 256
    grid = (triton.cdiv(H * W, places), triton.cdiv(O, 64), B)
    convolve[grid](x, weight, bias, y, C, H, W, O, R, BP=places, BO=64, BK=32)
