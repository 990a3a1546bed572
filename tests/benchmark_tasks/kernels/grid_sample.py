import triton
import triton.language as tl


# The share of the pixel (i, j) of a plane in the sample at (u, v), and where the pixel lies.
@triton.jit
def corner(u, v, i, j, H, W, inside):
    there = inside & (i >= 0) & (i < H) & (j >= 0) & (j < W)
    share = (1 - tl.abs(u - i)) * (1 - tl.abs(v - j))
    return tl.where(there, share, 0.0).to(tl.float32), i * W + j, there


@triton.jit
def sample(x, grid, y, n, C, H, W, places, BLOCK: tl.constexpr):
    at = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = at < n
    image, place = at // places, at % places
    # In double precision, since a share is what is left of a place when its pixel is taken off.
    v = ((tl.load(grid + 2 * at, mask=inside, other=0.0).to(tl.float64) + 1) * W - 1) / 2
    u = ((tl.load(grid + 2 * at + 1, mask=inside, other=0.0).to(tl.float64) + 1) * H - 1) / 2
    i, j = tl.floor(u).to(tl.int64), tl.floor(v).to(tl.int64)
    a, to_a, has_a = corner(u, v, i, j, H, W, inside)
    b, to_b, has_b = corner(u, v, i, j + 1, H, W, inside)
    c, to_c, has_c = corner(u, v, i + 1, j, H, W, inside)
    d, to_d, has_d = corner(u, v, i + 1, j + 1, H, W, inside)
    for channel in range(0, C):
        plane = image * C + channel
        pixels = x + plane * H * W
        total = a * tl.load(pixels + to_a, mask=has_a, other=0.0)
        total += b * tl.load(pixels + to_b, mask=has_b, other=0.0)
        total += c * tl.load(pixels + to_c, mask=has_c, other=0.0)
        total += d * tl.load(pixels + to_d, mask=has_d, other=0.0)
        tl.store(y + plane * places + place, total, mask=inside)


def kernel_grid_sample(x, grid, y, B, C, H, W, P, Q):
    block = 256 if x.is_cuda else 4096
    sample[(triton.cdiv(B * P * Q, block),)](x, grid, y, B * P * Q, C, H, W, P * Q, BLOCK=block)
