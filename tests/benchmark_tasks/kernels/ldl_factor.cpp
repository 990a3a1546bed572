#include <cmath>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

// Elimination with complete pivoting (Bunch and Parlett's): of what is left, the largest element on the
// diagonal is the pivot, or the block that belongs to the largest one off it, where that is much larger.

namespace {

struct Place {
  int64_t row, column;
};

/// The places of the largest elements on and off the diagonal of s from k on.
std::pair<Place, Place> largest_in(const std::vector<float>& s, int64_t N, int64_t k) {
  Place on{k, k}, off{k + 1, k};
  for (int64_t i = k; i < N; ++i) {
    if (std::fabs(s[i * N + i]) > std::fabs(s[on.row * N + on.row])) on = {i, i};
    for (int64_t j = k; j < i; ++j)
      if (std::fabs(s[i * N + j]) > std::fabs(s[off.row * N + off.column])) off = {i, j};
  }
  return {on, off};
}

/// Exchanges two rows and columns of s, and the same rows of l and p.
void exchange(std::vector<float>& s, float* l, int64_t* p, int64_t N, int64_t one, int64_t other) {
  if (one == other) return;
  for (int64_t j = 0; j < N; ++j) std::swap(s[one * N + j], s[other * N + j]);
  for (int64_t i = 0; i < N; ++i) std::swap(s[i * N + one], s[i * N + other]);
  for (int64_t j = 0; j < N; ++j) std::swap(l[one * N + j], l[other * N + j]);
  std::swap(p[one], p[other]);
}

}  // namespace

extern "C" void kernel_ldl_factor(const float* a, float* l, float* d, int64_t* p, int64_t B, int64_t N,
                                  void*) {
  std::vector<float> s(N * N);
  for (int64_t b = 0; b < B; ++b, a += N * N, l += N * N, d += N * N, p += N) {
    for (int64_t i = 0; i < N * N; ++i) {
      s[i] = a[i];
      l[i] = d[i] = 0;
    }
    for (int64_t i = 0; i < N; ++i) p[i] = i;
    for (int64_t k = 0, width = 1; k < N; k += width) {
      Place on{k, k}, off{k, k};
      if (k + 1 < N) std::tie(on, off) = largest_in(s, N, k);
      width = std::fabs(s[on.row * N + on.row]) >= 0.64f * std::fabs(s[off.row * N + off.column]) ? 1 : 2;
      exchange(s, l, p, N, k, width == 1 ? on.row : off.column);
      if (width == 2) exchange(s, l, p, N, k + 1, off.row);
      for (int64_t i = 0; i < width; ++i)
        for (int64_t j = 0; j < width; ++j) d[(k + i) * N + k + j] = s[(k + i) * N + k + j];
      const float first = s[k * N + k], between = width == 2 ? s[(k + 1) * N + k] : 0;
      const float second = width == 2 ? s[(k + 1) * N + k + 1] : 1;
      const float determinant = first * second - between * between;
      for (int64_t i = k + width; i < N && determinant != 0; ++i) {
        const float x = s[i * N + k], z = width == 2 ? s[i * N + k + 1] : 0;
        l[i * N + k] = (second * x - between * z) / determinant;
        if (width == 2) l[i * N + k + 1] = (first * z - between * x) / determinant;
        for (int64_t j = k + width; j <= i; ++j) {
          float rest = s[i * N + j] - l[i * N + k] * s[k * N + j];
          if (width == 2) rest -= l[i * N + k + 1] * s[(k + 1) * N + j];
          s[i * N + j] = s[j * N + i] = rest;
        }
      }
    }
    for (int64_t i = 0; i < N; ++i) l[i * N + i] = 1;
  }
}
