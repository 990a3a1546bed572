#include <cstddef>
#include <cstdint>

// Elimination with complete pivoting (Bunch and Parlett's): of what is left, the largest element on the
// diagonal is the pivot, or the block that belongs to the largest one off it, where that is much larger.

namespace {

/// An element of a matrix, by its place in memory, and its absolute value.
struct Element {
  float size;
  long long place;
};

/// The largest of the elements that the lanes of a warp have.
__device__ Element largest_of(Element mine) {
  for (int reach = 16; reach > 0; reach /= 2) {
    const float size = __shfl_xor_sync(0xFFFFFFFFu, mine.size, reach);
    const long long place = __shfl_xor_sync(0xFFFFFFFFu, mine.place, reach);
    // Of equal ones the first, so that all lanes agree.
    if (size > mine.size || (size == mine.size && place < mine.place)) mine = {size, place};
  }
  return mine;
}

__device__ void trade(float& one, float& other) {
  const float held = one;
  one = other;
  other = held;
}

/// Exchanges two rows and columns of s, and the same rows of l and p.
__device__ void exchange(float* s, float* l, int64_t* p, int64_t N, int64_t one, int64_t other) {
  if (one == other) return;
  for (int64_t j = threadIdx.x; j < N; j += 32) {
    trade(s[one * N + j], s[other * N + j]);
    trade(l[one * N + j], l[other * N + j]);
  }
  __syncwarp();
  for (int64_t i = threadIdx.x; i < N; i += 32) trade(s[i * N + one], s[i * N + other]);
  if (threadIdx.x == 0) {
    const int64_t held = p[one];
    p[one] = p[other];
    p[other] = held;
  }
  __syncwarp();
}

// A warp a matrix.
__global__ void factorize(const float* a, float* l, float* d, int64_t* p, int64_t N, float* work) {
  const int64_t b = blockIdx.x, lane = threadIdx.x;
  float *s = work + b * N * N, *lower = l + b * N * N, *blocks = d + b * N * N;
  int64_t* rows = p + b * N;
  for (int64_t i = lane; i < N * N; i += 32) {
    s[i] = a[b * N * N + i];
    lower[i] = blocks[i] = 0;
  }
  for (int64_t i = lane; i < N; i += 32) rows[i] = i;
  __syncwarp();
  for (int64_t k = 0, width = 1; k < N; k += width) {
    const int64_t left = N - k;
    Element on{-1, 0}, off{-1, 0};
    for (int64_t e = lane; e < left * left; e += 32) {
      const int64_t i = k + e / left, j = k + e % left;
      const float size = fabsf(s[i * N + j]);
      if (i == j && size > on.size) on = {size, i * N + j};
      if (i > j && size > off.size) off = {size, i * N + j};
    }
    on = largest_of(on);
    off = largest_of(off);
    width = on.size >= 0.64f * off.size ? 1 : 2;
    exchange(s, lower, rows, N, k, width == 1 ? on.place / N : off.place % N);
    if (width == 2) exchange(s, lower, rows, N, k + 1, off.place / N);
    if (lane < width * width)
      blocks[(k + lane / width) * N + k + lane % width] = s[(k + lane / width) * N + k + lane % width];
    const float first = s[k * N + k], between = width == 2 ? s[(k + 1) * N + k] : 0;
    const float second = width == 2 ? s[(k + 1) * N + k + 1] : 1;
    const float determinant = first * second - between * between;
    for (int64_t i = k + width + lane; i < N && determinant != 0; i += 32) {
      const float x = s[i * N + k], z = width == 2 ? s[i * N + k + 1] : 0;
      lower[i * N + k] = (second * x - between * z) / determinant;
      if (width == 2) lower[i * N + k + 1] = (first * z - between * x) / determinant;
    }
    __syncwarp();
    const int64_t rest = left - width;
    for (int64_t e = lane; e < rest * rest; e += 32) {
      const int64_t i = k + width + e / rest, j = k + width + e % rest;
      if (i < j) continue;
      float value = s[i * N + j] - lower[i * N + k] * s[k * N + j];
      if (width == 2) value -= lower[i * N + k + 1] * s[(k + 1) * N + j];
      s[i * N + j] = s[j * N + i] = value;
    }
    __syncwarp();
  }
  for (int64_t i = lane; i < N; i += 32) lower[i * N + i] = 1;
}

}  // namespace

extern "C" size_t kernel_ldl_factor_workspace(int64_t B, int64_t N) {
  return size_t(B * N * N) * sizeof(float);
}

extern "C" void kernel_ldl_factor(const float* a, float* l, float* d, int64_t* p, int64_t B, int64_t N,
                                  void* workspace, void* stream) {
  if (B * N < 1) return;
  factorize<<<B, 32, 0, (cudaStream_t)stream>>>(a, l, d, p, N, static_cast<float*>(workspace));
}
