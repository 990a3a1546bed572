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

/// A system while it is solved: s holds what is left, l the factors of the steps so far, z the right-hand
/// sides, in the order of the rows.
struct System {
  int64_t N, R;
  std::vector<float> s, l, z;
  std::vector<int64_t> rows, widths;  // widths: of the block that begins at k

  /// The places of the largest elements on and off the diagonal from k on.
  std::pair<Place, Place> largest_from(int64_t k) const {
    Place on{k, k}, off{k + 1, k};
    for (int64_t i = k; i < N; ++i) {
      if (std::fabs(s[i * N + i]) > std::fabs(s[on.row * N + on.row])) on = {i, i};
      for (int64_t j = k; j < i; ++j)
        if (std::fabs(s[i * N + j]) > std::fabs(s[off.row * N + off.column])) off = {i, j};
    }
    return {on, off};
  }

  void exchange(int64_t one, int64_t other) {
    if (one == other) return;
    for (int64_t j = 0; j < N; ++j) std::swap(s[one * N + j], s[other * N + j]);
    for (int64_t i = 0; i < N; ++i) std::swap(s[i * N + one], s[i * N + other]);
    for (int64_t j = 0; j < N; ++j) std::swap(l[one * N + j], l[other * N + j]);
    for (int64_t r = 0; r < R; ++r) std::swap(z[one * R + r], z[other * R + r]);
    std::swap(rows[one], rows[other]);
  }

  /// Eliminates the axes of one block, and returns how many they are.
  int64_t eliminate(int64_t k) {
    Place on{k, k}, off{k, k};
    if (k + 1 < N) std::tie(on, off) = largest_from(k);
    const bool single = std::fabs(s[on.row * N + on.row]) >= 0.64f * std::fabs(s[off.row * N + off.column]);
    exchange(k, single ? on.row : off.column);
    if (!single) exchange(k + 1, off.row);
    const int64_t width = single ? 1 : 2;
    for (int64_t i = k + width; i < N; ++i) {
      std::tie(l[i * N + k], l[i * N + k + width - 1]) =
          divided(k, width, s[i * N + k], s[i * N + k + width - 1]);
      for (int64_t m = k; m < k + width; ++m) {
        for (int64_t j = k + width; j <= i; ++j) s[i * N + j] -= l[i * N + m] * s[m * N + j];
        for (int64_t r = 0; r < R; ++r) z[i * R + r] -= l[i * N + m] * z[m * R + r];
      }
    }
    for (int64_t i = k + width; i < N; ++i)
      for (int64_t j = k + width; j < i; ++j) s[j * N + i] = s[i * N + j];
    return widths[k] = width;
  }

  /// The vector (x, y) over the block at k; both are the same number where the block is a single one.
  std::pair<float, float> divided(int64_t k, int64_t width, float x, float y) const {
    const float first = s[k * N + k];
    if (width == 1) return {x / first, x / first};
    const float between = s[(k + 1) * N + k], second = s[(k + 1) * N + k + 1];
    const float determinant = first * second - between * between;
    return {(second * x - between * y) / determinant, (first * y - between * x) / determinant};
  }
};

}  // namespace

extern "C" void kernel_solve_symmetric_ldl(const float* a, const float* y, float* x, int64_t B, int64_t N,
                                           int64_t R, void*) {
  for (int64_t b = 0; b < B; ++b, a += N * N, y += N * R, x += N * R) {
    System system{N, R, {a, a + N * N}, std::vector<float>(N * N), {y, y + N * R}, {}, {}};
    auto& z = system.z;
    system.widths.resize(N);
    for (int64_t i = 0; i < N; ++i) system.rows.push_back(i);
    for (int64_t k = 0; k < N;) k += system.eliminate(k);
    for (int64_t k = 0; k < N; k += system.widths[k])
      for (int64_t r = 0; r < R; ++r) {
        const int64_t last = k + system.widths[k] - 1;
        std::tie(z[k * R + r], z[last * R + r]) =
            system.divided(k, system.widths[k], z[k * R + r], z[last * R + r]);
      }
    for (int64_t i = N - 1; i >= 0; --i)
      for (int64_t r = 0; r < R; ++r) {
        for (int64_t j = i + 1; j < N; ++j) z[i * R + r] -= system.l[j * N + i] * z[j * R + r];
        x[system.rows[i] * R + r] = z[i * R + r];
      }
  }
}
