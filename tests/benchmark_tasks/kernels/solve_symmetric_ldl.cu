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

/// A system while it is solved, shared by a warp: s holds what is left, l the factors of the steps so far, z
/// the right-hand sides, in the order of the rows.
struct System {
  int64_t N, R;
  float *s, *l, *z;
  int64_t *rows, *widths;  // widths: of the block that begins at k

  __device__ void exchange(int64_t one, int64_t other) const {
    if (one == other) return;
    for (int64_t j = threadIdx.x; j < N; j += 32) {
      trade(s[one * N + j], s[other * N + j]);
      trade(l[one * N + j], l[other * N + j]);
    }
    for (int64_t r = threadIdx.x; r < R; r += 32) trade(z[one * R + r], z[other * R + r]);
    __syncwarp();
    for (int64_t i = threadIdx.x; i < N; i += 32) trade(s[i * N + one], s[i * N + other]);
    if (threadIdx.x == 0) {
      const int64_t held = rows[one];
      rows[one] = rows[other];
      rows[other] = held;
    }
    __syncwarp();
  }

  /// Replaces the vector (x, y) by that over the block at k; a single one divides x alone.
  __device__ void divide(int64_t k, int64_t width, float& x, float& y) const {
    const float first = s[k * N + k], one = x;
    if (width == 1) {
      x = one / first;
      return;
    }
    const float between = s[(k + 1) * N + k], second = s[(k + 1) * N + k + 1], other = y;
    const float determinant = first * second - between * between;
    x = (second * one - between * other) / determinant;
    y = (first * other - between * one) / determinant;
  }

  /// Eliminates the axes of one block, and returns how many they are.
  __device__ int64_t eliminate(int64_t k) const {
    const int64_t left = N - k, lane = threadIdx.x;
    Element on{-1, 0}, off{-1, 0};
    for (int64_t e = lane; e < left * left; e += 32) {
      const int64_t i = k + e / left, j = k + e % left;
      const float size = fabsf(s[i * N + j]);
      if (i == j && size > on.size) on = {size, i * N + j};
      if (i > j && size > off.size) off = {size, i * N + j};
    }
    on = largest_of(on);
    off = largest_of(off);
    const int64_t width = on.size >= 0.64f * off.size ? 1 : 2, rest = left - width;
    exchange(k, width == 1 ? on.place / N : off.place % N);
    if (width == 2) exchange(k + 1, off.place / N);
    if (lane == 0) widths[k] = width;
    for (int64_t i = k + width + lane; i < N; i += 32) {
      float x = s[i * N + k], y = s[i * N + k + width - 1];
      divide(k, width, x, y);
      l[i * N + k] = x;
      if (width == 2) l[i * N + k + 1] = y;
    }
    __syncwarp();
    for (int64_t e = lane; e < rest * (rest + R); e += 32) {
      const int64_t i = k + width + e / (rest + R), j = k + width + e % (rest + R), r = j - N;
      for (int64_t m = k; m < k + width && i >= j; ++m) s[i * N + j] -= l[i * N + m] * s[m * N + j];
      for (int64_t m = k; m < k + width && r >= 0; ++m) z[i * R + r] -= l[i * N + m] * z[m * R + r];
      if (i > j) s[j * N + i] = s[i * N + j];
    }
    __syncwarp();
    return width;
  }
};

// A warp a system.
__global__ void solve(const float* a, const float* y, float* x, int64_t N, int64_t R, float* work,
                      int64_t* numbers) {
  const int64_t b = blockIdx.x, lane = threadIdx.x;
  float* mine = work + b * N * (2 * N + R);
  int64_t* counts = numbers + b * 2 * N;
  const System system{N, R, mine, mine + N * N, mine + 2 * N * N, counts, counts + N};
  for (int64_t i = lane; i < N * N; i += 32) {
    system.s[i] = a[b * N * N + i];
    system.l[i] = 0;
  }
  for (int64_t i = lane; i < N * R; i += 32) system.z[i] = y[b * N * R + i];
  for (int64_t i = lane; i < N; i += 32) system.rows[i] = i;
  __syncwarp();
  for (int64_t k = 0; k < N;) k += system.eliminate(k);
  for (int64_t r = lane; r < R; r += 32) {
    float* z = system.z + r;
    for (int64_t k = 0; k < N; k += system.widths[k])
      system.divide(k, system.widths[k], z[k * R], z[(k + system.widths[k] - 1) * R]);
    for (int64_t i = N - 1; i >= 0; --i) {
      for (int64_t j = i + 1; j < N; ++j) z[i * R] -= system.l[j * N + i] * z[j * R];
      x[(b * N + system.rows[i]) * R + r] = z[i * R];
    }
  }
}

}  // namespace

extern "C" size_t kernel_solve_symmetric_ldl_workspace(int64_t B, int64_t N, int64_t R) {
  return size_t(B * 2 * N) * sizeof(int64_t) + size_t(B * N * (2 * N + R)) * sizeof(float);
}

extern "C" void kernel_solve_symmetric_ldl(const float* a, const float* y, float* x, int64_t B, int64_t N,
                                           int64_t R, void* workspace, void* stream) {
  if (B * N * R < 1) return;
  auto* numbers = static_cast<int64_t*>(workspace);
  auto* work = reinterpret_cast<float*>(numbers + B * 2 * N);
  solve<<<B, 32, 0, (cudaStream_t)stream>>>(a, y, x, N, R, work, numbers);
}
