import triton
import triton.language as tl


@triton.jit
def resize(x, y, n, H, W, P, Q, BLOCK: tl.constexpr):
    i = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    p, q = i // Q % P, i % Q
    # In double precision, since a weight is what is left of a place when its pixel is taken off.
    u = tl.maximum((p.to(tl.float64) + 0.5) * H / P - 0.5, 0.0)
    v = tl.maximum((q.to(tl.float64) + 0.5) * W / Q - 0.5, 0.0)
    u0 = tl.minimum(u.to(tl.int64), H - 1)
    v0 = tl.minimum(v.to(tl.int64), W - 1)
    u1, v1 = tl.minimum(u0 + 1, H - 1), tl.minimum(v0 + 1, W - 1)
    a, b = (u - u0).to(tl.float32), (v - v0).to(tl.float32)
    plane = x + i // (P * Q) * H * W
    inside = i < n
    above = (1 - b) * tl.load(plane + u0 * W + v0, mask=inside) + b * tl.load(plane + u0 * W + v1, mask=inside)
    below = (1 - b) * tl.load(plane + u1 * W + v0, mask=inside) + b * tl.load(plane + u1 * W + v1, mask=inside)
    tl.store(y + i, (1 - a) * above + a * below, mask=inside)


def kernel_interpolate(x, y, B, C, H, W, P, Q, out_height, out_width):
    n = B * C * out_height * out_width
    block = 512 if x.is_cuda else 16384
    resize[(triton.cdiv(n, block),)](x, y, n, H, W, out_height, out_width, BLOCK=block)
