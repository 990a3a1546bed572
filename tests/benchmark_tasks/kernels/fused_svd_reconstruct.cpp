#include <cmath>
#include <cstdint>
#include <vector>

// Turns pairs of columns of each matrix until all are orthogonal. Then their lengths are the singular values.

namespace {

void turn(std::vector<double>& columns, int64_t rows, int64_t N, int64_t p, int64_t q, double c, double d) {
  for (int64_t i = 0; i < rows; ++i) {
    const double one = columns[i * N + p], other = columns[i * N + q];
    columns[i * N + p] = c * one - d * other;
    columns[i * N + q] = d * one + c * other;
  }
}

double product(const std::vector<double>& w, int64_t M, int64_t N, int64_t p, int64_t q) {
  double sum = 0;
  for (int64_t i = 0; i < M; ++i) sum += w[i * N + p] * w[i * N + q];
  return sum;
}

/// Leaves the columns of w [M, N] orthogonal; v [N, N] is the product of all turns.
void orthogonalize(std::vector<double>& w, std::vector<double>& v, int64_t M, int64_t N) {
  for (int64_t i = 0; i < N * N; ++i) v[i] = i / N == i % N ? 1 : 0;
  bool turned = true;
  for (int sweep = 0; sweep < 60 && turned; ++sweep) {
    turned = false;
    for (int64_t p = 0; p < N; ++p)
      for (int64_t q = p + 1; q < N; ++q) {
        const double one = product(w, M, N, p, p), other = product(w, M, N, q, q);
        const double both = product(w, M, N, p, q);
        if (std::fabs(both) <= 1e-14 * std::sqrt(one * other)) continue;
        turned = true;
        const double theta = (other - one) / (2 * both);
        const double t = (theta < 0 ? -1 : 1) / (std::fabs(theta) + std::sqrt(theta * theta + 1));
        const double c = 1 / std::sqrt(t * t + 1);
        turn(w, M, N, p, q, c, t * c);
        turn(v, N, N, p, q, c, t * c);
      }
  }
}

}  // namespace

extern "C" void kernel_fused_svd_reconstruct(const float* a, float* u, float* s, float* vh, float* y,
                                             int64_t B, int64_t M, int64_t N, int64_t, int64_t rank, void*) {
  std::vector<double> w(M * N), v(N * N), lengths(N);
  for (int64_t b = 0; b < B; ++b, a += M * N, u += M * N, s += N, vh += N * N, y += M * N) {
    for (int64_t i = 0; i < M * N; ++i) w[i] = a[i];
    orthogonalize(w, v, M, N);
    for (int64_t j = 0; j < N; ++j) lengths[j] = std::sqrt(product(w, M, N, j, j));
    for (int64_t j = 0; j < N; ++j) {
      int64_t e = 0;
      for (int64_t other = 0; other < N; ++other)
        e += lengths[other] > lengths[j] || (lengths[other] == lengths[j] && other < j);
      s[e] = static_cast<float>(lengths[j]);
      for (int64_t i = 0; i < M; ++i) u[i * N + e] = static_cast<float>(w[i * N + j] / lengths[j]);
      for (int64_t i = 0; i < N; ++i) vh[e * N + i] = static_cast<float>(v[i * N + j]);
    }
    for (int64_t i = 0; i < M; ++i)
      for (int64_t j = 0; j < N; ++j) {
        float sum = 0;
        for (int64_t e = 0; e < rank; ++e) sum += u[i * N + e] * s[e] * vh[e * N + j];
        y[i * N + j] = sum;
      }
  }
}
