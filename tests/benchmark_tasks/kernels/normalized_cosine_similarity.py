import triton
import triton.language as tl


@triton.jit
def compare_rows(x1, x2, y, columns, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64) * columns
    # Squares of float32 neither overflow nor vanish in float64.
    first_squares = tl.zeros([BLOCK], tl.float64)
    second_squares = tl.zeros([BLOCK], tl.float64)
    products = tl.zeros([BLOCK], tl.float64)
    for start in range(0, columns, BLOCK):
        j = start + tl.arange(0, BLOCK)
        u = tl.load(x1 + row + j, mask=j < columns, other=0.0).to(tl.float64)
        v = tl.load(x2 + row + j, mask=j < columns, other=0.0).to(tl.float64)
        first_squares += u * u
        second_squares += v * v
        products += u * v
    first = tl.sqrt(tl.sum(first_squares, 0))
    second = tl.sqrt(tl.sum(second_squares, 0))
    first_length = tl.maximum(first, 1e-12)
    second_length = tl.maximum(second, 1e-12)
    # A norm below 1e-12 is left a norm below one: only there does it matter that rows were divided first.
    lengths = tl.maximum(first / first_length, eps) * tl.maximum(second / second_length, eps)
    cosine = tl.sum(products, 0) / first_length / second_length / lengths
    tl.store(y + tl.program_id(0), cosine.to(tl.float32))


def kernel_normalized_cosine_similarity(x1, x2, y, M, N, eps):
    compare_rows[(M,)](x1, x2, y, N, eps, BLOCK=min(triton.next_power_of_2(N), 1024))
