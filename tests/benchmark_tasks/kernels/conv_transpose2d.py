import triton
import triton.language as tl


# A block of places of one image whose rows leave the same rest when divided by the stride, and whose columns
# do: they meet the same taps, and for each of these y is a matrix product over the channels.
@triton.jit
def spread(x, weight, bias, y, C, H, W, O, R, rows, columns, across, blocks, places, stride, padding,
           dilation, groups, BP: tl.constexpr, BO: tl.constexpr, BC: tl.constexpr):
    program = tl.program_id(0).to(tl.int64)
    phase = program // blocks % (stride * stride)
    image = program // blocks // (stride * stride)
    inputs, outputs = C // groups, O // groups
    group = tl.program_id(1) // tl.cdiv(outputs, BO)
    o = tl.program_id(1) % tl.cdiv(outputs, BO) * BO + tl.arange(0, BO)
    number = program % blocks * BP + tl.arange(0, BP)
    row_rest, column_rest = phase // stride, phase % stride
    p = number // across * stride + row_rest
    q = number % across * stride + column_rest
    total = tl.zeros([BP, BO], tl.float32)
    for r in range(0, R):
        if (row_rest + padding - r * dilation) % stride == 0:
            h = (p + padding - r * dilation) // stride
            for s in range(0, R):
                if (column_rest + padding - s * dilation) % stride == 0:
                    w = (q + padding - s * dilation) // stride
                    there = (number < places) & (h >= 0) & (h < H) & (w >= 0) & (w < W)
                    for first in range(0, inputs, BC):
                        k = first + tl.arange(0, BC)
                        c = (group * inputs + k).to(tl.int64)
                        pixel = (image * C + c[None, :]) * H * W + (h * W + w)[:, None]
                        tap = ((c[:, None] * outputs + o[None, :]) * R + r) * R + s
                        left = tl.load(x + pixel, mask=there[:, None] & (k[None, :] < inputs), other=0.0)
                        known = (k[:, None] < inputs) & (o[None, :] < outputs)
                        right = tl.load(weight + tap, mask=known, other=0.0)
                        total = tl.dot(left, right, total, input_precision="ieee")
    channel = group * outputs + o
    total += tl.load(bias + channel, mask=o < outputs, other=0.0)[None, :]
    out = ((image * O + channel[None, :]) * rows + p[:, None]) * columns + q[:, None]
    inside = (number < places) & (p < rows) & (q < columns)
    tl.store(y + out, total, mask=inside[:, None] & (o[None, :] < outputs))


def kernel_conv_transpose2d(x, weight, bias, y, B, C, H, W, O, R, S, P, Q, D, G, stride, padding,
                            output_padding, dilation, groups):
    rows = (H - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1
    columns = (W - 1) * stride - 2 * padding + dilation * (R - 1) + output_padding + 1
    across = triton.cdiv(columns, stride)
    places = triton.cdiv(rows, stride) * across
    block_p = 64 if x.is_cuda else 512
    block_o = max(16, min(64, triton.next_power_of_2(O // groups)))
    blocks = triton.cdiv(places, block_p)
    grid = (B * stride * stride * blocks, groups * triton.cdiv(O // groups, block_o))
    spread[grid](x, weight, bias, y, C, H, W, O, R, rows, columns, across, blocks, places, stride, padding,
                 dilation, groups, BP=block_p, BO=block_o, BC=16)
