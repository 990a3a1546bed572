#include <cmath>
#include <cstdint>
#include <vector>

// Turns pairs of columns of a tall matrix until all are orthogonal. Then their lengths are the singular
// values.

namespace {

/// A matrix w [m, k] with m >= k, and the product v [k, k] of all turns of its columns.
struct Turned {
  int64_t m, k;
  std::vector<double> w, v;

  void turn(std::vector<double>& columns, int64_t rows, int64_t p, int64_t q, double c, double d) const {
    for (int64_t i = 0; i < rows; ++i) {
      const double one = columns[i * k + p], other = columns[i * k + q];
      columns[i * k + p] = c * one - d * other;
      columns[i * k + q] = d * one + c * other;
    }
  }

  void orthogonalize() {
    for (int64_t i = 0; i < k * k; ++i) v[i] = i / k == i % k ? 1 : 0;
    bool turned = true;
    for (int sweep = 0; sweep < 60 && turned; ++sweep) {
      turned = false;
      for (int64_t p = 0; p < k; ++p)
        for (int64_t q = p + 1; q < k; ++q) {
          double one = 0, other = 0, both = 0;
          for (int64_t i = 0; i < m; ++i) {
            one += w[i * k + p] * w[i * k + p];
            other += w[i * k + q] * w[i * k + q];
            both += w[i * k + p] * w[i * k + q];
          }
          if (std::fabs(both) <= 1e-14 * std::sqrt(one) * std::sqrt(other)) continue;
          turned = true;
          const double theta = (other - one) / (2 * both);
          const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
          const double c = 1 / std::sqrt(t * t + 1);
          turn(w, m, p, q, c, t * c);
          turn(v, k, p, q, c, t * c);
        }
    }
  }
};

/// Writes to column e of left [m, k] a unit vector that is orthogonal to all columns before it.
void complete(std::vector<double>& left, int64_t m, int64_t k, int64_t e) {
  int64_t axis = 0;  // the one that the columns before span least
  double least = 2;
  for (int64_t i = 0; i < m; ++i) {
    double spanned = 0;
    for (int64_t j = 0; j < e; ++j) spanned += left[i * k + j] * left[i * k + j];
    if (spanned < least) {
      least = spanned;
      axis = i;
    }
  }
  for (int64_t i = 0; i < m; ++i) left[i * k + e] = i == axis ? 1 : 0;
  for (int64_t step = 0; step < 2 * e; ++step) {  // each twice: once leaves rounding errors
    double along = 0;
    for (int64_t i = 0; i < m; ++i) along += left[i * k + step % e] * left[i * k + e];
    for (int64_t i = 0; i < m; ++i) left[i * k + e] -= along * left[i * k + step % e];
  }
  double square = 0;
  for (int64_t i = 0; i < m; ++i) square += left[i * k + e] * left[i * k + e];
  for (int64_t i = 0; i < m; ++i) left[i * k + e] /= std::sqrt(square);
}

}  // namespace

// A wide matrix is transposed first, and its factors at the end.
extern "C" void kernel_svd(const float* a, float* u, float* s, float* vh, int64_t B, int64_t M, int64_t N,
                           void*) {
  const bool wide = M < N;
  const int64_t m = wide ? N : M, k = wide ? M : N;
  Turned turned{m, k, std::vector<double>(m * k), std::vector<double>(k * k)};
  std::vector<double> lengths(k), left(m * k);
  for (int64_t b = 0; b < B; ++b, a += M * N, u += M * k, s += k, vh += k * N) {
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < k; ++j) turned.w[i * k + j] = wide ? a[j * N + i] : a[i * N + j];
    turned.orthogonalize();
    double longest = 0;
    for (int64_t j = 0; j < k; ++j) {
      double square = 0;
      for (int64_t i = 0; i < m; ++i) square += turned.w[i * k + j] * turned.w[i * k + j];
      lengths[j] = std::sqrt(square);
      longest = std::fmax(longest, lengths[j]);
    }
    std::vector<int64_t> order(k);
    for (int64_t j = 0; j < k; ++j) {
      int64_t before = 0;
      for (int64_t other = 0; other < k; ++other)
        before += lengths[other] > lengths[j] || (lengths[other] == lengths[j] && other < j);
      order[before] = j;
    }
    for (int64_t e = 0; e < k; ++e) {
      const int64_t from = order[e];
      s[e] = static_cast<float>(lengths[from]);
      if (lengths[from] > 1e-12 * longest)
        for (int64_t i = 0; i < m; ++i) left[i * k + e] = turned.w[i * k + from] / lengths[from];
      else
        complete(left, m, k, e);
      for (int64_t i = 0; i < m; ++i)
        (wide ? vh[e * N + i] : u[i * k + e]) = static_cast<float>(left[i * k + e]);
      for (int64_t i = 0; i < k; ++i)
        (wide ? u[i * k + e] : vh[e * N + i]) = static_cast<float>(turned.v[i * k + from]);
    }
  }
}
