#include <cuda_runtime.h>
#include <stdint.h>
#include <stddef.h>
#include <float.h>

namespace {

constexpr int N      = 4096;
constexpr int BM     = 128;
constexpr int BN     = 128;
constexpr int BK     = 16;
constexpr int STAGES = 3;
constexpr int LDAS   = 132;                 // padded row of transposed A tile
constexpr int A_ST   = BK * LDAS;           // floats
constexpr int B_ST   = BK * BN;             // floats
constexpr int STAGE  = A_ST + B_ST;         // floats per stage
constexpr int SMEM_BYTES = STAGES * STAGE * 4;

constexpr int NT          = N / BM;                  // 32
constexpr int LOWER_TILES = NT * (NT + 1) / 2;       // 528
constexpr int SPLIT_TILES = 136;                     // tiles with 17..32 k-units
constexpr int GEMM_ITEMS  = LOWER_TILES + SPLIT_TILES;   // 664
constexpr int SCAN_ITEMS  = LOWER_TILES;             // 528 upper tiles incl. diagonal
constexpr int NBLK        = GEMM_ITEMS + SCAN_ITEMS; // 1192
constexpr int HEAD        = 264;                     // pure gemm items first
constexpr int GROUPS      = SCAN_ITEMS / 2;          // 264 groups (gemm, scan, scan)
constexpr size_t FLAG_BYTES = 8192;

static_assert(NT == 32, "schedule is written for 32x32 tiles");
static_assert(NBLK * sizeof(int) <= FLAG_BYTES, "flag area");
static_assert(HEAD + GROUPS <= GEMM_ITEMS, "schedule");

__device__ __forceinline__ void cp4(uint32_t s, const float* g) {
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4;\n" ::"r"(s), "l"(g));
}
__device__ __forceinline__ void cp16(uint32_t s, const float* g) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(s), "l"(g));
}
__device__ __forceinline__ void cp_commit() {
    asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int W>
__device__ __forceinline__ void cp_wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(W) : "memory");
}

__device__ __forceinline__ void tri_decode(int u, int& r, int& j) {
    int q = (int)((sqrtf(8.0f * (float)u + 1.0f) - 1.0f) * 0.5f);
    while (q * (q + 1) / 2 > u) --q;
    while ((q + 1) * (q + 2) / 2 <= u) ++q;
    r = q;
    j = u - q * (q + 1) / 2;
}

__device__ __forceinline__ void load_stage(const float* ga, const float* gb,
                                           uint32_t sa, uint32_t sb) {
#pragma unroll
    for (int g = 0; g < 4; ++g) {
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            cp4(sa + (uint32_t)((h * 8 * LDAS + g * 32) * 4), ga + (size_t)g * 32 * N + h * 8);
        }
    }
#pragma unroll
    for (int h = 0; h < 2; ++h) {
        cp16(sb + (uint32_t)(h * 8 * BN * 4), gb + (size_t)h * 8 * N);
    }
}

__device__ __forceinline__ void ld4(float* d, const float* s) {
    const float4 v = *reinterpret_cast<const float4*>(s);
    d[0] = v.x;
    d[1] = v.y;
    d[2] = v.z;
    d[3] = v.w;
}

// Computes a 128x128 tile over k in [kbeg, kbeg + nk*BK), stores it (tril-masked)
// to dst with leading dimension ld. Returns nonzero if a non-finite value was seen.
template <bool FULL>
__device__ __forceinline__ int gemm_tile(const float* __restrict__ A, const float* __restrict__ B,
                                         int row0, int col0, int kbeg, int nk,
                                         float* __restrict__ dst, int ld, float* smem) {
    const int tid  = threadIdx.x;
    const int lane = tid & 31;
    const int warp = tid >> 5;
    const int wr   = warp >> 2;
    const int wc   = wr ? (3 - (warp & 3)) : (warp & 3);
    const int tx   = (lane & 1) | ((lane >> 1) & 2);
    const int ty   = ((lane >> 1) & 1) | ((lane >> 2) & 6);

    // global -> shared mapping
    const int akk  = lane & 7;
    const int arow = warp * 4 + (lane >> 3);
    const float* ga = A + (size_t)(row0 + arow) * N + kbeg + akk;
    const float* gb = B + (size_t)(kbeg + warp) * N + col0 + lane * 4;
    const uint32_t sbase = (uint32_t)__cvta_generic_to_shared(smem);
    const uint32_t sa0 = sbase + (uint32_t)((akk * LDAS + arow) * 4);
    const uint32_t sb0 = sbase + (uint32_t)((A_ST + warp * BN + lane * 4) * 4);

    float acc[8][8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) acc[i][j] = 0.0f;

#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        if (s < nk) {
            load_stage(ga, gb, sa0 + (uint32_t)(s * STAGE * 4), sb0 + (uint32_t)(s * STAGE * 4));
            ga += BK;
            gb += (size_t)BK * N;
        }
        cp_commit();
    }

    const int kmin = col0 + wc * 32;
    const int kmax = row0 + wr * 64 + 63;

    int rs = 0;
    int ws = STAGES - 1;
    int k0 = kbeg;
    const float* afrag = smem + wr * 64 + ty * 4;
    const float* bfrag = smem + A_ST + wc * 32 + tx * 4;

    for (int t = 0; t < nk; ++t) {
        cp_wait<STAGES - 2>();
        __syncthreads();
        if (t + STAGES - 1 < nk) {
            load_stage(ga, gb, sa0 + (uint32_t)(ws * STAGE * 4), sb0 + (uint32_t)(ws * STAGE * 4));
            ga += BK;
            gb += (size_t)BK * N;
        }
        cp_commit();

        if (FULL || (k0 + BK > kmin && k0 <= kmax)) {
            const float* as = afrag + rs * STAGE;
            const float* bs = bfrag + rs * STAGE;
            float a[2][8], b[2][8];
            ld4(&a[0][0], as);
            ld4(&a[0][4], as + 32);
            ld4(&b[0][0], bs);
            ld4(&b[0][4], bs + 16);
#pragma unroll
            for (int k = 0; k < BK; ++k) {
                const int cur = k & 1;
                const int nxt = cur ^ 1;
                if (k + 1 < BK) {
                    ld4(&a[nxt][0], as + (k + 1) * LDAS);
                    ld4(&a[nxt][4], as + (k + 1) * LDAS + 32);
                    ld4(&b[nxt][0], bs + (k + 1) * BN);
                    ld4(&b[nxt][4], bs + (k + 1) * BN + 16);
                }
#pragma unroll
                for (int i = 0; i < 8; ++i)
#pragma unroll
                    for (int j = 0; j < 8; ++j)
                        acc[i][j] = fmaf(a[cur][i], b[cur][j], acc[i][j]);
            }
        }
        k0 += BK;
        rs = (rs + 1 == STAGES) ? 0 : rs + 1;
        ws = (ws + 1 == STAGES) ? 0 : ws + 1;
    }
    cp_wait<0>();

    int bad = 0;
#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int lr = wr * 64 + (i >> 2) * 32 + ty * 4 + (i & 3);
        const int gr = row0 + lr;
#pragma unroll
        for (int h = 0; h < 2; ++h) {
            const int lc = wc * 32 + h * 16 + tx * 4;
            const int gc = col0 + lc;
            float v[4];
#pragma unroll
            for (int e = 0; e < 4; ++e) {
                const float x = acc[i][h * 4 + e];
                bad |= !(fabsf(x) <= FLT_MAX);
                v[e] = (gc + e <= gr) ? x : 0.0f;
            }
            *reinterpret_cast<float4*>(dst + (size_t)lr * ld + lc) =
                make_float4(v[0], v[1], v[2], v[3]);
        }
    }
    return bad;
}

// Zero-fills an upper output tile and verifies that A and B are zero there.
__device__ __forceinline__ int scan_tile(const float* __restrict__ A, const float* __restrict__ B,
                                         float* __restrict__ out, int item) {
    int r, j;
    tri_decode(item, r, j);
    const int row0 = j * BM;   // j <= r: upper tile, diagonal when equal
    const int col0 = r * BN;
    const bool diag = (j == r);
    int bad = 0;
#pragma unroll 4
    for (int it = 0; it < 16; ++it) {
        const int idx = it * 256 + (int)threadIdx.x;
        const int lr = idx >> 5;
        const int lc = (idx & 31) * 4;
        const size_t off = (size_t)(row0 + lr) * N + col0 + lc;
        const float4 va = __ldcs(reinterpret_cast<const float4*>(A + off));
        const float4 vb = __ldcs(reinterpret_cast<const float4*>(B + off));
        const int n0 = !(va.x == 0.0f) | !(vb.x == 0.0f);
        const int n1 = !(va.y == 0.0f) | !(vb.y == 0.0f);
        const int n2 = !(va.z == 0.0f) | !(vb.z == 0.0f);
        const int n3 = !(va.w == 0.0f) | !(vb.w == 0.0f);
        if (diag) {
            bad |= (n0 & (int)(lc + 0 > lr)) | (n1 & (int)(lc + 1 > lr)) |
                   (n2 & (int)(lc + 2 > lr)) | (n3 & (int)(lc + 3 > lr));
        } else {
            bad |= n0 | n1 | n2 | n3;
            __stcs(reinterpret_cast<float4*>(out + off), make_float4(0.f, 0.f, 0.f, 0.f));
        }
    }
    return bad;
}

__global__ void __launch_bounds__(256, 2)
tril_main(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ out,
          int* __restrict__ flags, float* __restrict__ part) {
    extern __shared__ __align__(16) float smem[];
    const int b = blockIdx.x;

    int gitem = -1, sitem = -1;
    if (b < HEAD) {
        gitem = b;
    } else {
        const int r = b - HEAD;
        if (r < 3 * GROUPS) {
            const int g = r / 3;
            const int m = r - 3 * g;
            if (m == 0) gitem = HEAD + g;
            else        sitem = 2 * g + m - 1;
        } else {
            gitem = HEAD + GROUPS + (r - 3 * GROUPS);
        }
    }

    int bad;
    if (sitem >= 0) {
        bad = scan_tile(A, B, out, sitem);
    } else {
        // Items in order of decreasing k length. Tiles with L k-units, L >= 17, are
        // split into halves of (L+1)/2 and L/2 units.
        int rem = gitem;
        int L = 1, half = 0, j = 0;   // half: 0 whole, 1 first, 2 second
        for (int c = 16; c >= 1; --c) {
            int n = 33 - c;                         // whole tiles, L = c
            if (rem < n) { L = c; half = 0; j = rem; break; }
            rem -= n;
            if (2 * c >= 17) {                      // L = 2c, both halves
                n = 33 - 2 * c;
                if (rem < n) { L = 2 * c; half = 1; j = rem; break; }
                rem -= n;
                if (rem < n) { L = 2 * c; half = 2; j = rem; break; }
                rem -= n;
            }
            if (2 * c - 1 >= 17) {                  // L = 2c-1, longer half
                n = 33 - (2 * c - 1);
                if (rem < n) { L = 2 * c - 1; half = 1; j = rem; break; }
                rem -= n;
            }
            if (2 * c + 1 >= 17 && 2 * c + 1 <= 32) {  // L = 2c+1, shorter half
                n = 33 - (2 * c + 1);
                if (rem < n) { L = 2 * c + 1; half = 2; j = rem; break; }
                rem -= n;
            }
        }
        const int d  = L - 1;
        const int i  = j + d;
        const int h1 = (L + 1) / 2;
        int ub = j, un = L;
        float* dst = out + (size_t)i * BM * N + j * BN;
        int ld = N;
        if (half == 1) {
            un = h1;
        } else if (half == 2) {
            ub = j + h1;
            un = L - h1;
            const int slot = (32 - d) * (31 - d) / 2 + j;
            dst = part + (size_t)slot * (BM * BN);
            ld = BN;
        }
        bad = gemm_tile<false>(A, B, i * BM, j * BN, ub * BM, un * (BM / BK), dst, ld, smem);
    }
    bad = __syncthreads_or(bad);
    if (threadIdx.x == 0) flags[b] = bad ? 1 : 0;
}

__global__ void __launch_bounds__(256, 2)
tril_finish(const float* __restrict__ A, const float* __restrict__ B, float* __restrict__ out,
            const int* __restrict__ flags, const float* __restrict__ part) {
    extern __shared__ __align__(16) float smem[];
    int bad = 0;
    for (int i = threadIdx.x; i < NBLK; i += 256) bad |= flags[i];
    bad = __syncthreads_or(bad);
    const int b = blockIdx.x;

    if (!bad) {
        // add the second k-halves of the split tiles; a quarter tile per block
        const int tile = b >> 2;
        const int q = b & 3;
        int r, j;
        tri_decode(tile, r, j);
        const int d = 31 - r;
        const int i = j + d;
        const float* p = part + (size_t)tile * (BM * BN);
        float* o = out + (size_t)i * BM * N + j * BN;
        float4 x[4], y[4];
#pragma unroll
        for (int it = 0; it < 4; ++it) {
            const int idx = q * 1024 + it * 256 + (int)threadIdx.x;
            const int lr = idx >> 5;
            const int lc = (idx & 31) * 4;
            x[it] = *reinterpret_cast<const float4*>(p + lr * BN + lc);
            y[it] = *reinterpret_cast<const float4*>(o + (size_t)lr * N + lc);
        }
#pragma unroll
        for (int it = 0; it < 4; ++it) {
            const int idx = q * 1024 + it * 256 + (int)threadIdx.x;
            const int lr = idx >> 5;
            const int lc = (idx & 31) * 4;
            *reinterpret_cast<float4*>(o + (size_t)lr * N + lc) =
                make_float4(x[it].x + y[it].x, x[it].y + y[it].y,
                            x[it].z + y[it].z, x[it].w + y[it].w);
        }
        return;
    }

    // General path: inputs not triangular, or non-finite values: full product.
    if (b >= LOWER_TILES) return;
    int r, j;
    tri_decode(b, r, j);
    gemm_tile<true>(A, B, r * BM, j * BN, 0, N / BK,
                    out + (size_t)r * BM * N + j * BN, N, smem);
}

}  // namespace

extern "C" size_t kernel_level1_15_Matmul_for_lower_triangular_matrices_workspace() {
    return FLAG_BYTES + (size_t)SPLIT_TILES * BM * BN * sizeof(float);
}

extern "C" void kernel_level1_15_Matmul_for_lower_triangular_matrices(
    const float* A, const float* B, float* output, void* workspace, void* stream) {
    cudaStream_t st = (cudaStream_t)stream;
    int* flags = (int*)workspace;
    float* part = (float*)((char*)workspace + FLAG_BYTES);

    cudaFuncSetAttribute(tril_main, cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM_BYTES);
    cudaFuncSetAttribute(tril_finish, cudaFuncAttributeMaxDynamicSharedMemorySize, SMEM_BYTES);

    tril_main<<<NBLK, 256, SMEM_BYTES, st>>>(A, B, output, flags, part);
    tril_finish<<<SPLIT_TILES * 4, 256, SMEM_BYTES, st>>>(A, B, output, flags, part);
}
