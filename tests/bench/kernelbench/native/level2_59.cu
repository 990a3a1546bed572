#include <cuda_runtime.h>
#include <cuda_fp16.h>
#include <stdint.h>
#include <stddef.h>

namespace {

constexpr int M = 128;            // batch
constexpr int K = 32768;          // in_features
constexpr int N = 32768;          // out_features
constexpr int BN = 256;           // weight rows per block
constexpr int BK = 32;            // k per stage
constexpr int NC = K / BK;        // number of chunks
constexpr int THREADS = 256;
constexpr int W_STAGE = BN * BK * 4;        // 32768 bytes
constexpr int X_STAGE = M * BK * 2 * 2;     // 16384 bytes (hi and lo)
constexpr int STAGE_BYTES = W_STAGE + X_STAGE;
constexpr size_t XS_BYTES = (size_t)M * K * 4;
constexpr int META_SW = 128;
constexpr int META_FLAG = 129;

__device__ __forceinline__ double pow2d(int e) {
    return __hiloint2double((1023 + e) << 20, 0);
}

__device__ __forceinline__ int exponent_of(unsigned bits) {
    double d = (double)__uint_as_float(bits);
    return ((__double2hiint(d) >> 20) & 0x7ff) - 1023;
}

__device__ __forceinline__ uint32_t h2u(__half2 h) {
    return *reinterpret_cast<uint32_t*>(&h);
}

__device__ __forceinline__ void split2(float a, float b, float S, uint32_t& h, uint32_t& l) {
    float as = a * S;
    float bs = b * S;
    __half2 hh = __floats2half2_rn(as, bs);
    float2 hf = __half22float2(hh);
    __half2 ll = __floats2half2_rn(as - hf.x, bs - hf.y);
    h = h2u(hh);
    l = h2u(ll);
}

__device__ __forceinline__ void mma16816(float (&d)[4], const uint32_t (&a)[4],
                                         uint32_t b0, uint32_t b1) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

__device__ __forceinline__ void cp_async_w(uint32_t dst, const void* src) {
    asm volatile("cp.async.cg.shared.global.L2::256B [%0], [%1], 16;\n" ::"r"(dst), "l"(src)
                 : "memory");
}

__device__ __forceinline__ void cp_async_x(uint32_t dst, const void* src) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(dst), "l"(src)
                 : "memory");
}

__device__ __forceinline__ void cp_async_commit() {
    asm volatile("cp.async.commit_group;\n" ::: "memory");
}

template <int n>
__device__ __forceinline__ void cp_async_wait() {
    asm volatile("cp.async.wait_group %0;\n" ::"n"(n) : "memory");
}

__device__ __forceinline__ unsigned absbits_finite(float v) {
    unsigned b = __float_as_uint(v) & 0x7fffffffu;
    return b < 0x7f800000u ? b : 0u;
}

__device__ __forceinline__ unsigned block_max_1024(unsigned v, unsigned* red) {
    const int tid = threadIdx.x;
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
        unsigned u = __shfl_xor_sync(0xffffffffu, v, o);
        v = u > v ? u : v;
    }
    if ((tid & 31) == 0) red[tid >> 5] = v;
    __syncthreads();
    v = red[tid & 31];
#pragma unroll
    for (int o = 16; o > 0; o >>= 1) {
        unsigned u = __shfl_xor_sync(0xffffffffu, v, o);
        v = u > v ? u : v;
    }
    return v;
}

// Blocks 0..127: scale and split one row of x. Block 128: scale of the weights.
__global__ void __launch_bounds__(1024) prep_kernel(const float* __restrict__ x,
                                                    const float* __restrict__ W,
                                                    unsigned char* __restrict__ xs,
                                                    int* __restrict__ meta) {
    __shared__ unsigned red[32];
    const int tid = threadIdx.x;
    const int m = blockIdx.x;

    if (m == M) {
        unsigned mx = 0;
#pragma unroll 8
        for (int r = 0; r < 32; ++r) {
            unsigned b = absbits_finite(W[(size_t)(r * 1024) * K + r * 1024 + tid]);
            mx = b > mx ? b : mx;
        }
        mx = block_max_1024(mx, red);
        if (tid == 0) {
            int sw = 12;
            if (mx != 0) sw = 9 - exponent_of(mx);
            if (sw > 100) sw = 100;
            if (sw < -100) sw = -100;
            meta[META_SW] = sw;
            meta[META_FLAG] = 0;
        }
        return;
    }

    float4 v[8];
    const float* row = x + (size_t)m * K;
#pragma unroll
    for (int it = 0; it < 4; ++it) {
        int i = it * 1024 + tid;
        int c = i >> 2;
        int t = i & 3;
        const float* p = row + c * 32 + t * 4;
        v[2 * it] = *reinterpret_cast<const float4*>(p);
        v[2 * it + 1] = *reinterpret_cast<const float4*>(p + 16);
    }
    unsigned mx = 0;
#pragma unroll
    for (int q = 0; q < 8; ++q) {
        unsigned b;
        b = absbits_finite(v[q].x); mx = b > mx ? b : mx;
        b = absbits_finite(v[q].y); mx = b > mx ? b : mx;
        b = absbits_finite(v[q].z); mx = b > mx ? b : mx;
        b = absbits_finite(v[q].w); mx = b > mx ? b : mx;
    }
    mx = block_max_1024(mx, red);
    const int sx = mx != 0 ? 14 - exponent_of(mx) : 0;
    if (tid == 0) meta[m] = sx;
    const double sc = pow2d(sx);

    const int j = m >> 3;
    const int g = m & 7;
#pragma unroll
    for (int it = 0; it < 4; ++it) {
        int i = it * 1024 + tid;
        int c = i >> 2;
        int t = i & 3;
        uint4 h, l;
        float4 a = v[2 * it];
        float4 b = v[2 * it + 1];
        split2((float)((double)a.x * sc), (float)((double)a.y * sc), 1.0f, h.x, l.x);
        split2((float)((double)a.z * sc), (float)((double)a.w * sc), 1.0f, h.y, l.y);
        split2((float)((double)b.x * sc), (float)((double)b.y * sc), 1.0f, h.z, l.z);
        split2((float)((double)b.z * sc), (float)((double)b.w * sc), 1.0f, h.w, l.w);
        unsigned char* dst = xs + (size_t)c * X_STAGE + j * 1024 + (g * 4 + t) * 16;
        *reinterpret_cast<uint4*>(dst) = h;
        *reinterpret_cast<uint4*>(dst + 512) = l;
    }
}

template <int STAGES>
__global__ void __launch_bounds__(THREADS, 1)
    main_kernel(const float* __restrict__ W, const float* __restrict__ bias,
                const unsigned char* __restrict__ xs, int* meta, float* __restrict__ output) {
    extern __shared__ __align__(128) unsigned char smem[];
    const int tid = threadIdx.x;
    const int warp = tid >> 5;
    const int lane = tid & 31;
    const int g = lane >> 2;
    const int t = lane & 3;
    const int n0 = blockIdx.x * BN;

    const float S = __int_as_float((127 + meta[META_SW]) << 23);

    const uint32_t smem_u = (uint32_t)__cvta_generic_to_shared(smem);

    // Copy addresses.
    const int crow = tid >> 3;
    const int cunit = tid & 7;
    const float* wsrc = W + (size_t)(n0 + crow) * K + cunit * 4;
    const uint32_t wdst = smem_u + crow * 128 + ((cunit ^ ((crow & 1) << 2)) << 4);
    const unsigned char* xsrc = xs + tid * 16;
    const uint32_t xdst = smem_u + W_STAGE + tid * 16;

    auto load_stage = [&](int c, int slot) {
        const float* ws = wsrc + c * BK;
        const uint32_t wd = wdst + slot * STAGE_BYTES;
#pragma unroll
        for (int it = 0; it < 8; ++it) {
            cp_async_w(wd + it * 32 * 128, ws + (size_t)it * 32 * K);
        }
        const unsigned char* xp = xsrc + (size_t)c * X_STAGE;
        const uint32_t xd = xdst + slot * STAGE_BYTES;
#pragma unroll
        for (int it = 0; it < 4; ++it) {
            cp_async_x(xd + it * 4096, xp + it * 4096);
        }
    };

    float acc[2][16][4];
#pragma unroll
    for (int mi = 0; mi < 2; ++mi)
#pragma unroll
        for (int j = 0; j < 16; ++j)
#pragma unroll
            for (int e = 0; e < 4; ++e) acc[mi][j][e] = 0.0f;

#pragma unroll
    for (int s = 0; s < STAGES - 1; ++s) {
        load_stage(s, s);
        cp_async_commit();
    }

    const int aoff = (warp * 32 + g) * 128;
    const int p0 = ((((g & 1) << 2) | t) << 4);

    int slot = 0;
    int lslot = STAGES - 1;

#pragma unroll 1
    for (int c = 0; c < NC; ++c) {
        cp_async_wait<STAGES - 2>();
        __syncthreads();
        if (c + STAGES - 1 < NC) load_stage(c + STAGES - 1, lslot);
        cp_async_commit();

        const unsigned char* ws = smem + slot * STAGE_BYTES + aoff;
        const unsigned char* xb = smem + slot * STAGE_BYTES + W_STAGE + lane * 16;

        uint32_t ah[2][2][4], al[2][2][4];   // [kstep][mi][reg]
#pragma unroll
        for (int s = 0; s < 2; ++s) {
            const int po = p0 ^ (s << 6);
#pragma unroll
            for (int mi = 0; mi < 2; ++mi) {
                const float4 p = *reinterpret_cast<const float4*>(ws + mi * 2048 + po);
                const float4 q = *reinterpret_cast<const float4*>(ws + mi * 2048 + 1024 + po);
                split2(p.x, p.y, S, ah[s][mi][0], al[s][mi][0]);
                split2(q.x, q.y, S, ah[s][mi][1], al[s][mi][1]);
                split2(p.z, p.w, S, ah[s][mi][2], al[s][mi][2]);
                split2(q.z, q.w, S, ah[s][mi][3], al[s][mi][3]);
            }
        }

#pragma unroll
        for (int jg = 0; jg < 8; ++jg) {
            uint4 bh[2], bl[2];
#pragma unroll
            for (int jj = 0; jj < 2; ++jj) {
                bh[jj] = *reinterpret_cast<const uint4*>(xb + (jg * 2 + jj) * 1024);
                bl[jj] = *reinterpret_cast<const uint4*>(xb + (jg * 2 + jj) * 1024 + 512);
            }
            float tmp[2][2][4];
#pragma unroll
            for (int mi = 0; mi < 2; ++mi)
#pragma unroll
                for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                    for (int e = 0; e < 4; ++e) tmp[mi][jj][e] = 0.0f;

            // k step 0
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], al[0][mi], bh[jj].x, bh[jj].y);
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], ah[0][mi], bl[jj].x, bl[jj].y);
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], ah[0][mi], bh[jj].x, bh[jj].y);
            // k step 1
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], al[1][mi], bh[jj].z, bh[jj].w);
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], ah[1][mi], bl[jj].z, bl[jj].w);
#pragma unroll
            for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                for (int mi = 0; mi < 2; ++mi)
                    mma16816(tmp[mi][jj], ah[1][mi], bh[jj].z, bh[jj].w);

#pragma unroll
            for (int mi = 0; mi < 2; ++mi)
#pragma unroll
                for (int jj = 0; jj < 2; ++jj)
#pragma unroll
                    for (int e = 0; e < 4; ++e) acc[mi][jg * 2 + jj][e] += tmp[mi][jj][e];
        }

        if (++slot == STAGES) slot = 0;
        if (++lslot == STAGES) lslot = 0;
    }
    cp_async_wait<0>();

    // Epilogue.
    const int sw = meta[META_SW];
    const int nb = n0 + warp * 32 + g;
    float bv[4];
#pragma unroll
    for (int r = 0; r < 4; ++r) bv[r] = bias[nb + r * 8];   // r = mi * 2 + h

    bool bad = false;
#pragma unroll
    for (int j = 0; j < 16; ++j) {
#pragma unroll
        for (int e = 0; e < 2; ++e) {
            const int m = j * 8 + t * 2 + e;
            const double sc = pow2d(-(meta[m] + sw));
            float* orow = output + (size_t)m * N + nb;
#pragma unroll
            for (int r = 0; r < 4; ++r) {
                const float a = acc[r >> 1][j][(r & 1) * 2 + e];
                const double yd = (double)a * sc + (double)bv[r];
                const bool nf = (__float_as_uint(a) & 0x7f800000u) == 0x7f800000u ||
                                (__float_as_uint(bv[r]) & 0x7f800000u) == 0x7f800000u;
                float y = (float)yd;
                float res;
                if (nf) {
                    bad = true;
                    res = __int_as_float(0x7fffffff);
                } else if (y > -80.0f) {
                    res = 2.0f * y / (1.0f + expf(-y));
                } else {
                    y = fmaxf(y, -1.0e38f);
                    res = (2.0f * y * expf(y + 64.0f)) * 1.603810890548638e-28f;
                }
                orow[r * 8] = res;
            }
        }
    }
    if (bad) meta[META_FLAG] = 1;
}

// Recomputes the outputs that are not finite, only if the main kernel met any.
__global__ void __launch_bounds__(256) fixup_kernel(const float* __restrict__ x,
                                                    const float* __restrict__ W,
                                                    const float* __restrict__ bias,
                                                    const int* __restrict__ meta,
                                                    float* output) {
    if (meta[META_FLAG] == 0) return;
    const int lane = threadIdx.x & 31;
    const int warp = (blockIdx.x * blockDim.x + threadIdx.x) >> 5;
    const int nwarps = (gridDim.x * blockDim.x) >> 5;
    for (int n = warp; n < N; n += nwarps) {
        const float* wr = W + (size_t)n * K;
        for (int m0 = 0; m0 < M; m0 += 32) {
            float v = output[(size_t)(m0 + lane) * N + n];
            unsigned mask = __ballot_sync(0xffffffffu,
                                          (__float_as_uint(v) & 0x7f800000u) == 0x7f800000u);
            while (mask) {
                const int m = m0 + __ffs(mask) - 1;
                mask &= mask - 1;
                const float* xr = x + (size_t)m * K;
                double s = 0.0;
                for (int k = lane * 4; k < K; k += 128) {
                    const float4 a = *reinterpret_cast<const float4*>(xr + k);
                    const float4 b = *reinterpret_cast<const float4*>(wr + k);
                    s += (double)a.x * (double)b.x;
                    s += (double)a.y * (double)b.y;
                    s += (double)a.z * (double)b.z;
                    s += (double)a.w * (double)b.w;
                }
#pragma unroll
                for (int o = 16; o > 0; o >>= 1) s += __shfl_xor_sync(0xffffffffu, s, o);
                if (lane == 0) {
                    const double y = s + (double)bias[n];
                    output[(size_t)m * N + n] = (float)(2.0 * y / (1.0 + exp(-y)));
                }
                __syncwarp();
            }
        }
    }
}

template <int STAGES>
void launch_main(const float* W, const float* bias, const unsigned char* xs, int* meta,
                 float* output, cudaStream_t st) {
    const int smem = STAGES * STAGE_BYTES;
    cudaFuncSetAttribute(main_kernel<STAGES>, cudaFuncAttributeMaxDynamicSharedMemorySize, smem);
    main_kernel<STAGES><<<N / BN, THREADS, smem, st>>>(W, bias, xs, meta, output);
}

}  // namespace

extern "C" size_t kernel_level2_59_Matmul_Swish_Scaling_workspace() {
    return XS_BYTES + 1024;
}

extern "C" void kernel_level2_59_Matmul_Swish_Scaling(const float* x, const float* matmul_weight,
                                                      const float* matmul_bias, float* output,
                                                      void* workspace, void* stream) {
    cudaStream_t st = (cudaStream_t)stream;
    unsigned char* xs = (unsigned char*)workspace;
    int* meta = (int*)(xs + XS_BYTES);

    int dev = 0;
    int max_smem = 0;
    cudaGetDevice(&dev);
    cudaDeviceGetAttribute(&max_smem, cudaDevAttrMaxSharedMemoryPerBlockOptin, dev);

    prep_kernel<<<M + 1, 1024, 0, st>>>(x, matmul_weight, xs, meta);

    if (max_smem >= 4 * STAGE_BYTES) {
        launch_main<4>(matmul_weight, matmul_bias, xs, meta, output, st);
    } else if (max_smem >= 3 * STAGE_BYTES) {
        launch_main<3>(matmul_weight, matmul_bias, xs, meta, output, st);
    } else {
        launch_main<2>(matmul_weight, matmul_bias, xs, meta, output, st);
    }

    fixup_kernel<<<512, 256, 0, st>>>(x, matmul_weight, matmul_bias, meta, output);
}
