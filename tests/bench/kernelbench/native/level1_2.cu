#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <stddef.h>

namespace {

constexpr int M_ = 2048;
constexpr int K_ = 8192;
constexpr int N_ = 4096;

constexpr int BM = 128;
constexpr int BN = 256;
constexpr int BK = 32;
constexpr int KT = K_ / BK;                 // 256 k-tiles
constexpr int TILES_M = M_ / BM;            // 16
constexpr int TILES_N = N_ / BN;            // 16

constexpr int A_STAGE = BM * 128;           // hi (64 B) and lo (64 B) per row
constexpr int B_STAGE = BK * BN * 2;        // one of hi / lo
constexpr int STAGE_BYTES = A_STAGE + 2 * B_STAGE;   // 48 KiB

constexpr size_t A2_BYTES = (size_t)M_ * K_ * 4;
constexpr size_t BH_BYTES = (size_t)K_ * N_ * 2;
constexpr size_t META_OFF = A2_BYTES + 2 * BH_BYTES;
constexpr size_t WS_BYTES = META_OFF + 4096;

constexpr float SCALE = 256.0f;
constexpr float INV_SCALE2 = 1.0f / 65536.0f;

// ---------------------------------------------------------------- split pass

constexpr int SPLIT_ITERS = 4;
constexpr int SPLIT_BLOCKS_A = (M_ / 8) * (K_ / 256) / SPLIT_ITERS;   // 2048
constexpr int SPLIT_BLOCKS_B = (K_ / 8) * (N_ / 256) / SPLIT_ITERS;   // 4096

__device__ __forceinline__ unsigned abs_bits(float x) {
    return __float_as_uint(x) & 0x7fffffffu;
}

__device__ __forceinline__ void split2(float x, float y, uint32_t& hi, uint32_t& lo) {
    float xs = x * SCALE;
    float ys = y * SCALE;
    __half2 h = __floats2half2_rn(xs, ys);
    float2 hf = __half22float2(h);
    __half2 l = __floats2half2_rn(xs - hf.x, ys - hf.y);
    hi = *reinterpret_cast<uint32_t*>(&h);
    lo = *reinterpret_cast<uint32_t*>(&l);
}

__global__ void __launch_bounds__(256)
split_kernel(const float* __restrict__ A, const float* __restrict__ B,
             __half* __restrict__ A2, __half* __restrict__ Bh, __half* __restrict__ Bl,
             unsigned* __restrict__ meta) {
    const bool isA = blockIdx.x < SPLIT_BLOCKS_A;
    const int blk = isA ? (int)blockIdx.x : (int)blockIdx.x - SPLIT_BLOCKS_A;
    const float4* src = reinterpret_cast<const float4*>(isA ? A : B);
    const int v0 = blk * (256 * SPLIT_ITERS) + (int)threadIdx.x;

    float4 x[SPLIT_ITERS], y[SPLIT_ITERS];
#pragma unroll
    for (int i = 0; i < SPLIT_ITERS; ++i) {
        size_t v = (size_t)(v0 + i * 256);
        x[i] = __ldcs(src + 2 * v);
        y[i] = __ldcs(src + 2 * v + 1);
    }

    unsigned mx = 0;
#pragma unroll
    for (int i = 0; i < SPLIT_ITERS; ++i) {
        int v = v0 + i * 256;
        mx = max(mx, max(max(abs_bits(x[i].x), abs_bits(x[i].y)),
                         max(abs_bits(x[i].z), abs_bits(x[i].w))));
        mx = max(mx, max(max(abs_bits(y[i].x), abs_bits(y[i].y)),
                         max(abs_bits(y[i].z), abs_bits(y[i].w))));
        uint4 h, l;
        split2(x[i].x, x[i].y, h.x, l.x);
        split2(x[i].z, x[i].w, h.y, l.y);
        split2(y[i].x, y[i].y, h.z, l.z);
        split2(y[i].z, y[i].w, h.w, l.w);
        if (isA) {
            int m = v >> 10;            // 1024 vectors of 8 per row
            int kv = v & 1023;
            size_t off = (size_t)m * (2 * K_) + (size_t)(kv >> 2) * 64 + (size_t)(kv & 3) * 8;
            *reinterpret_cast<uint4*>(A2 + off) = h;
            *reinterpret_cast<uint4*>(A2 + off + 32) = l;
        } else {
            size_t off = (size_t)v * 8;
            *reinterpret_cast<uint4*>(Bh + off) = h;
            *reinterpret_cast<uint4*>(Bl + off) = l;
        }
    }

#pragma unroll
    for (int o = 16; o > 0; o >>= 1)
        mx = max(mx, __shfl_xor_sync(0xffffffffu, mx, o));
    __shared__ unsigned red[8];
    if ((threadIdx.x & 31) == 0) red[threadIdx.x >> 5] = mx;
    __syncthreads();
    if (threadIdx.x == 0) {
        unsigned r = red[0];
#pragma unroll
        for (int i = 1; i < 8; ++i) r = max(r, red[i]);
        atomicMax(meta + (isA ? 0 : 1), r);
    }
}

// ---------------------------------------------------------------- fast GEMM

__device__ __forceinline__ void cp16(uint32_t dst, const void* src) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src) : "memory");
}
__device__ __forceinline__ void cp_commit() {
    asm volatile("cp.async.commit_group;\n" ::: "memory");
}
template <int NG>
__device__ __forceinline__ void cp_wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(NG) : "memory");
}

__device__ __forceinline__ void ldsm4(uint32_t (&r)[4], uint32_t addr) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(addr)
                 : "memory");
}
__device__ __forceinline__ void ldsm4t(uint32_t (&r)[4], uint32_t addr) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0,%1,%2,%3}, [%4];\n"
                 : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3])
                 : "r"(addr)
                 : "memory");
}

__device__ __forceinline__ void mma_zero(float (&d)[4], const uint32_t (&a)[4],
                                         uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%10,%11,%12,%13};\n"
        : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1),
          "f"(0.0f), "f"(0.0f), "f"(0.0f), "f"(0.0f));
}
__device__ __forceinline__ void mma_acc(float (&d)[4], const uint32_t (&a)[4],
                                        uint32_t b0, uint32_t b1) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

template <int STAGES>
__global__ void __launch_bounds__(256, 1)
gemm_fast(const __half* __restrict__ A2, const __half* __restrict__ Bh,
          const __half* __restrict__ Bl, float* __restrict__ C,
          const unsigned* __restrict__ maxbits, int* __restrict__ flags) {
    extern __shared__ __align__(128) unsigned char smem[];
    const uint32_t sbase = (uint32_t)__cvta_generic_to_shared(smem);

    const int t = threadIdx.x;
    const int lane = t & 31;
    const int warp = t >> 5;
    const int wm = warp & 1;
    const int wn = warp >> 1;
    const int bm = blockIdx.x % TILES_M;
    const int bn = blockIdx.x / TILES_M;
    const int m0 = bm * BM;
    const int n0 = bn * BN;

    // global -> shared
    const int arow = t >> 3, ac = t & 7;
    const int brow = t >> 5, bc = t & 31;
    const __half* aSrc = A2 + (size_t)(m0 + arow) * (2 * K_) + ac * 8;
    const __half* bhSrc = Bh + (size_t)brow * N_ + n0 + bc * 8;
    const __half* blSrc = Bl + (size_t)brow * N_ + n0 + bc * 8;
    const uint32_t aDst = (uint32_t)(arow * 128 + ((ac ^ (arow & 7)) << 4));
    const uint32_t bDst = (uint32_t)(A_STAGE + brow * 512 + ((bc ^ (brow & 7)) << 4));

    auto load_stage = [&](int slot) {
        const uint32_t s = sbase + (uint32_t)slot * STAGE_BYTES;
#pragma unroll
        for (int i = 0; i < 4; ++i)
            cp16(s + aDst + i * (32 * 128), aSrc + (size_t)i * 32 * (2 * K_));
#pragma unroll
        for (int i = 0; i < 4; ++i)
            cp16(s + bDst + i * (8 * 512), bhSrc + (size_t)i * 8 * N_);
#pragma unroll
        for (int i = 0; i < 4; ++i)
            cp16(s + bDst + B_STAGE + i * (8 * 512), blSrc + (size_t)i * 8 * N_);
        aSrc += 64;
        bhSrc += (size_t)BK * N_;
        blSrc += (size_t)BK * N_;
    };

    // shared -> registers
    const int l7 = lane & 7;
    const int l15 = lane & 15;
    const int lh = lane >> 4;
    const uint32_t aFrag = (uint32_t)((wm * 64 + l15) * 128);
    const uint32_t bFrag = (uint32_t)(A_STAGE + l15 * 512);

    float acc[4][8][4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j)
#pragma unroll
            for (int r = 0; r < 4; ++r) acc[i][j][r] = 0.0f;

#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        load_stage(s);
        cp_commit();
    }

    int rslot = 0;
    int wslot = STAGES - 1;

#pragma unroll 1
    for (int kt = 0; kt < KT; ++kt) {
        cp_wait<STAGES - 2>();
        __syncthreads();
        if (kt + STAGES - 1 < KT) load_stage(wslot);
        cp_commit();
        wslot = (wslot + 1 == STAGES) ? 0 : wslot + 1;

        const uint32_t st = sbase + (uint32_t)rslot * STAGE_BYTES;
        rslot = (rslot + 1 == STAGES) ? 0 : rslot + 1;

        const uint32_t sa = st + aFrag;
        const uint32_t sb = st + bFrag;

        uint32_t bhf[2][4], blf[2][4];
        {
            const uint32_t addr = sb + (uint32_t)(((wn * 8 + lh) ^ l7) << 4);
            ldsm4t(bhf[0], addr);
            ldsm4t(blf[0], addr + B_STAGE);
        }

#pragma unroll
        for (int ks = 0; ks < 2; ++ks) {
            uint32_t ah[4][4], al[4][4];
            const uint32_t ch = (uint32_t)(((ks * 2 + lh) ^ l7) << 4);
            const uint32_t cl = (uint32_t)(((ks * 2 + lh + 4) ^ l7) << 4);
#pragma unroll
            for (int mt = 0; mt < 4; ++mt) ldsm4(al[mt], sa + mt * (16 * 128) + cl);
#pragma unroll
            for (int mt = 0; mt < 4; ++mt) ldsm4(ah[mt], sa + mt * (16 * 128) + ch);

#pragma unroll
            for (int np = 0; np < 4; ++np) {
                const int step = ks * 4 + np;
                const int cur = step & 1;
                if (step < 7) {
                    const int nks = (step + 1) >> 2;
                    const int nnp = (step + 1) & 3;
                    const uint32_t addr = sb + (uint32_t)(nks * 16 * 512) +
                                          (uint32_t)(((wn * 8 + nnp * 2 + lh) ^ l7) << 4);
                    ldsm4t(bhf[cur ^ 1], addr);
                    ldsm4t(blf[cur ^ 1], addr + B_STAGE);
                }

                float tmp[4][2][4];
#pragma unroll
                for (int mt = 0; mt < 4; ++mt) {
                    mma_zero(tmp[mt][0], al[mt], bhf[cur][0], bhf[cur][1]);
                    mma_zero(tmp[mt][1], al[mt], bhf[cur][2], bhf[cur][3]);
                }
#pragma unroll
                for (int mt = 0; mt < 4; ++mt) {
                    mma_acc(tmp[mt][0], ah[mt], blf[cur][0], blf[cur][1]);
                    mma_acc(tmp[mt][1], ah[mt], blf[cur][2], blf[cur][3]);
                }
#pragma unroll
                for (int mt = 0; mt < 4; ++mt) {
                    mma_acc(tmp[mt][0], ah[mt], bhf[cur][0], bhf[cur][1]);
                    mma_acc(tmp[mt][1], ah[mt], bhf[cur][2], bhf[cur][3]);
                }
#pragma unroll
                for (int mt = 0; mt < 4; ++mt)
#pragma unroll
                    for (int j = 0; j < 2; ++j)
#pragma unroll
                        for (int r = 0; r < 4; ++r)
                            acc[mt][np * 2 + j][r] += tmp[mt][j][r];
            }
        }
    }
    cp_wait<0>();

    // Absolute error floor of the split: K * 2^-33 * (maxA + maxB).
    // Demand that it be at most 2^-22 of the result.
    const float T = 4.0f * (__uint_as_float(maxbits[0]) + __uint_as_float(maxbits[1]));

    int bad = 0;
    const int g = lane >> 2;
    const int q = (lane & 3) * 2;
#pragma unroll
    for (int mt = 0; mt < 4; ++mt) {
        const int row = m0 + wm * 64 + mt * 16 + g;
#pragma unroll
        for (int nt = 0; nt < 8; ++nt) {
            const int col = n0 + wn * 64 + nt * 8 + q;
            float v[4];
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                v[r] = acc[mt][nt][r] * INV_SCALE2;
                const float a = fabsf(v[r]);
                const bool ok = (a >= T) && (a <= 3.0e38f);
                bad |= ok ? 0 : 1;
            }
            *reinterpret_cast<float2*>(C + (size_t)row * N_ + col) = make_float2(v[0], v[1]);
            *reinterpret_cast<float2*>(C + (size_t)(row + 8) * N_ + col) = make_float2(v[2], v[3]);
        }
    }
    bad = __syncthreads_or(bad);
    if (t == 0) flags[bm + TILES_M * bn] = bad;
}

// ---------------------------------------------------------------- exact FP32 path for flagged tiles

__global__ void __launch_bounds__(256, 1)
gemm_fallback(const float* __restrict__ A, const float* __restrict__ B,
              float* __restrict__ C, const int* __restrict__ flags) {
    const int bx = blockIdx.x;   // 128 columns
    const int by = blockIdx.y;   // 128 rows
    if (flags[by + TILES_M * (bx >> 1)] == 0) return;

    __shared__ __align__(16) float As[16][132];
    __shared__ __align__(16) float Bs[16][128];

    const int t = threadIdx.x;
    const int tx = t & 15;
    const int ty = t >> 4;
    const int m0 = by * 128;
    const int n0 = bx * 128;

    float acc[8][8], part[8][8];
#pragma unroll
    for (int i = 0; i < 8; ++i)
#pragma unroll
        for (int j = 0; j < 8; ++j) {
            acc[i][j] = 0.0f;
            part[i][j] = 0.0f;
        }

    float4 ra[2], rb[2];
    auto gload = [&](int k0) {
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int idx = t + i * 256;
            ra[i] = *reinterpret_cast<const float4*>(
                A + (size_t)(m0 + (idx >> 2)) * K_ + k0 + (idx & 3) * 4);
            rb[i] = *reinterpret_cast<const float4*>(
                B + (size_t)(k0 + (idx >> 5)) * N_ + n0 + (idx & 31) * 4);
        }
    };

    gload(0);
#pragma unroll 1
    for (int k0 = 0; k0 < K_; k0 += 16) {
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 2; ++i) {
            const int idx = t + i * 256;
            const int row = idx >> 2;
            const int kc = (idx & 3) * 4;
            As[kc + 0][row] = ra[i].x;
            As[kc + 1][row] = ra[i].y;
            As[kc + 2][row] = ra[i].z;
            As[kc + 3][row] = ra[i].w;
            *reinterpret_cast<float4*>(&Bs[idx >> 5][(idx & 31) * 4]) = rb[i];
        }
        __syncthreads();
        if (k0 + 16 < K_) gload(k0 + 16);

#pragma unroll
        for (int k = 0; k < 16; ++k) {
            const float4 a0 = *reinterpret_cast<const float4*>(&As[k][ty * 4]);
            const float4 a1 = *reinterpret_cast<const float4*>(&As[k][64 + ty * 4]);
            const float4 b0 = *reinterpret_cast<const float4*>(&Bs[k][tx * 4]);
            const float4 b1 = *reinterpret_cast<const float4*>(&Bs[k][64 + tx * 4]);
            const float a[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
            const float b[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) part[i][j] = fmaf(a[i], b[j], part[i][j]);
        }

        if (((k0 + 16) & 127) == 0) {
#pragma unroll
            for (int i = 0; i < 8; ++i)
#pragma unroll
                for (int j = 0; j < 8; ++j) {
                    acc[i][j] += part[i][j];
                    part[i][j] = 0.0f;
                }
        }
    }

#pragma unroll
    for (int i = 0; i < 8; ++i) {
        const int row = m0 + ((i < 4) ? (ty * 4 + i) : (64 + ty * 4 + i - 4));
        float* dst = C + (size_t)row * N_ + n0;
        *reinterpret_cast<float4*>(dst + tx * 4) =
            make_float4(acc[i][0], acc[i][1], acc[i][2], acc[i][3]);
        *reinterpret_cast<float4*>(dst + 64 + tx * 4) =
            make_float4(acc[i][4], acc[i][5], acc[i][6], acc[i][7]);
    }
}

template <int STAGES>
void launch_fast(const __half* A2, const __half* Bh, const __half* Bl, float* C,
                 const unsigned* maxbits, int* flags, cudaStream_t s) {
    const int bytes = STAGES * STAGE_BYTES;
    cudaFuncSetAttribute(gemm_fast<STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
    gemm_fast<STAGES><<<TILES_M * TILES_N, 256, bytes, s>>>(A2, Bh, Bl, C, maxbits, flags);
}

}  // namespace

extern "C" size_t kernel_level1_2_Standard_matrix_multiplication__workspace() {
    return WS_BYTES;
}

extern "C" void kernel_level1_2_Standard_matrix_multiplication_(
    const float* A, const float* B, float* output, void* workspace, void* stream) {
    cudaStream_t s = (cudaStream_t)stream;
    unsigned char* ws = (unsigned char*)workspace;
    __half* A2 = (__half*)ws;
    __half* Bh = (__half*)(ws + A2_BYTES);
    __half* Bl = (__half*)(ws + A2_BYTES + BH_BYTES);
    unsigned* maxbits = (unsigned*)(ws + META_OFF);
    int* flags = (int*)(ws + META_OFF + 256);

    cudaMemsetAsync(maxbits, 0, 2 * sizeof(unsigned), s);
    split_kernel<<<SPLIT_BLOCKS_A + SPLIT_BLOCKS_B, 256, 0, s>>>(A, B, A2, Bh, Bl, maxbits);

    int dev = 0, optin = 0;
    cudaGetDevice(&dev);
    cudaDeviceGetAttribute(&optin, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev);
    if (optin >= 4 * STAGE_BYTES)
        launch_fast<4>(A2, Bh, Bl, output, maxbits, flags, s);
    else if (optin >= 3 * STAGE_BYTES)
        launch_fast<3>(A2, Bh, Bl, output, maxbits, flags, s);
    else
        launch_fast<2>(A2, Bh, Bl, output, maxbits, flags, s);

    gemm_fallback<<<dim3(N_ / 128, M_ / 128), 256, 0, s>>>(A, B, output, flags);
}
