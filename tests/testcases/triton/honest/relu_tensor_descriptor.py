# Tensor descriptors made in the kernel, where the interpreter or the device has them; 16 bytes apart.
# task: relu
# expect: passed
import torch
import triton
import triton.language as tl


def allocate(size, alignment, stream):
    return torch.empty(size, dtype=torch.int8, device="cuda")


@triton.jit
def by_descriptor(x, y, rows, WIDTH: tl.constexpr, ROWS: tl.constexpr):
    source = tl.make_tensor_descriptor(x, [rows, WIDTH], [WIDTH, 1], [ROWS, WIDTH])
    target = tl.make_tensor_descriptor(y, [rows, WIDTH], [WIDTH, 1], [ROWS, WIDTH])
    a = source.load([tl.program_id(0) * ROWS, 0])
    target.store([tl.program_id(0) * ROWS, 0], tl.where(a != a, a, tl.maximum(a, 0.0)))


@triton.jit
def the_rest(x, y, first, n, BLOCK: tl.constexpr):
    i = first + tl.arange(0, BLOCK)
    a = tl.load(x + i, mask=i < n)
    tl.store(y + i, tl.where(a != a, a, tl.maximum(a, 0.0)), mask=i < n)


def kernel_relu(x, y, N):
    if x.is_cuda:
        triton.set_allocator(allocate)
    rows = N // 128
    if rows > 0:
        by_descriptor[(triton.cdiv(rows, 64),)](x, y, rows, WIDTH=128, ROWS=64)
    if N > rows * 128:
        the_rest[(1,)](x, y, rows * 128, N, BLOCK=128)
