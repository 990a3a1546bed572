import triton
import triton.language as tl


@triton.jit
def attend(q, k, v, o, S, T, D, scale, BS: tl.constexpr, BT: tl.constexpr, BD: tl.constexpr):
    head = tl.program_id(1).to(tl.int64)
    i = tl.program_id(0) * BS + tl.arange(0, BS)
    d = tl.arange(0, BD)
    rows = head * S * D + i[:, None] * D + d[None, :]
    inside = (i[:, None] < S) & (d[None, :] < D)
    query = tl.load(q + rows, mask=inside, other=0.0) * scale
    top = tl.full([BS], float("-inf"), tl.float32)
    total = tl.zeros([BS], tl.float32)
    mixed = tl.zeros([BS, BD], tl.float32)
    for first in range(0, T, BT):
        j = first + tl.arange(0, BT)
        place = head * T * D + j[:, None] * D + d[None, :]
        there = (j[:, None] < T) & (d[None, :] < D)
        key = tl.load(k + place, mask=there, other=0.0)
        scores = tl.dot(query, tl.trans(key), input_precision="ieee")
        scores = tl.where(j[None, :] < T, scores, float("-inf"))
        new = tl.maximum(top, tl.max(scores, 1))
        weights = tl.exp(scores - new[:, None])
        fade = tl.exp(top - new)
        total = total * fade + tl.sum(weights, 1)
        mixed = mixed * fade[:, None]
        mixed = tl.dot(weights, tl.load(v + place, mask=there, other=0.0), mixed, input_precision="ieee")
        top = new
    tl.store(o + rows, mixed / total[:, None], mask=inside)


def kernel_attention(q, k, v, o, B, S, T, D, scale):
    wide = max(16, triton.next_power_of_2(D))
    attend[(triton.cdiv(S, 32), B)](q, k, v, o, S, T, D, scale, BS=32, BT=32, BD=wide)
