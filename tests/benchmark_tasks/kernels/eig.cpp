#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

// Rotations of neighbouring axes make a matrix triangular; its eigenvectors come by substitution.

namespace {

using Complex = std::complex<double>;

/// A matrix h [N, N] and a unitary one q, with q * h * q' the matrix that was asked about.
struct Similar {
  int64_t N;
  std::vector<Complex> h, q;

  Complex& at(int64_t i, int64_t j) { return h[i * N + j]; }

  /// Rotates axes k and k + 1 so that a column which holds x and z there gets 0 in place of z.
  void rotate(int64_t k, Complex x, Complex z) {
    const double length = std::hypot(std::abs(x), std::abs(z));
    if (length == 0) return;
    const Complex c = x / length, d = z / length;
    for (int64_t j = 0; j < N; ++j) {
      const Complex upper = at(k, j), lower = at(k + 1, j);
      at(k, j) = std::conj(c) * upper + std::conj(d) * lower;
      at(k + 1, j) = c * lower - d * upper;
    }
    for (auto* matrix : {&h, &q})
      for (int64_t i = 0; i < N; ++i) {
        auto* row = matrix->data() + i * N + k;
        const Complex left = row[0], right = row[1];
        row[0] = c * left + d * right;
        row[1] = std::conj(c) * right - std::conj(d) * left;
      }
  }

  /// Leaves zeros below the first subdiagonal.
  void reduce() {
    for (int64_t j = 0; j + 2 < N; ++j)
      for (int64_t i = N - 1; i > j + 1; --i) {
        if (at(i, j) == 0.0) continue;
        rotate(i - 1, at(i - 1, j), at(i, j));
        at(i, j) = 0;
      }
  }

  /// An eigenvalue of the block of axes last - 1 and last: that which is nearer to its lower corner.
  Complex shift(int64_t last) {
    const Complex corner = at(last, last), half = (at(last - 1, last - 1) - corner) / 2.0;
    const Complex root = std::sqrt(half * half + at(last - 1, last) * at(last, last - 1));
    return corner + half + (std::abs(half + root) < std::abs(half - root) ? root : -root);
  }

  /// Leaves zeros below the diagonal.
  void triangulate() {
    int64_t last = N - 1;
    for (int64_t step = 1; last > 0 && step < 60 * N; ++step) {
      int64_t first = last;
      for (; first > 0; --first)
        if (std::abs(at(first, first - 1)) <=
            2e-16 * (std::abs(at(first - 1, first - 1)) + std::abs(at(first, first)))) {
          at(first, first - 1) = 0;
          break;
        }
      if (first == last) {
        --last;
        continue;
      }
      // Now and then another shift, for matrices that the usual one leaves as they are.
      const Complex moved = step % 11 == 0 ? at(last, last) + std::abs(at(last, last - 1)) : shift(last);
      Complex x = at(first, first) - moved, z = at(first + 1, first);
      for (int64_t k = first; k < last; ++k) {
        rotate(k, x, z);
        if (k > first) at(k + 1, k - 1) = 0;
        if (k + 1 == last) break;
        x = at(k + 1, k);
        z = at(k + 2, k);
      }
    }
  }
};

}  // namespace

extern "C" void kernel_eig(const float* a, float* w, float* v, int64_t B, int64_t N, void*) {
  Similar similar{N, std::vector<Complex>(N * N), std::vector<Complex>(N * N)};
  std::vector<Complex> y(N), column(N);
  for (int64_t b = 0; b < B; ++b, a += N * N, w += 2 * N, v += 2 * N * N) {
    double size = 0;
    for (int64_t i = 0; i < N * N; ++i) {
      similar.h[i] = a[i];
      similar.q[i] = i / N == i % N ? 1 : 0;
      size = std::fmax(size, std::fabs(a[i]));
    }
    similar.reduce();
    similar.triangulate();
    for (int64_t e = 0; e < N; ++e) {
      const Complex value = similar.at(e, e);
      y[e] = 1;
      for (int64_t i = e - 1; i >= 0; --i) {
        Complex sum = 0, apart = value - similar.at(i, i);
        for (int64_t j = i + 1; j <= e; ++j) sum += similar.at(i, j) * y[j];
        if (std::abs(apart) < 1e-15 * size) apart = 1e-15 * size;
        y[i] = sum / apart;
      }
      double square = 0;
      for (int64_t i = 0; i < N; ++i) {
        column[i] = 0;
        for (int64_t j = 0; j <= e; ++j) column[i] += similar.q[i * N + j] * y[j];
        square += std::norm(column[i]);
      }
      w[2 * e] = static_cast<float>(value.real());
      w[2 * e + 1] = static_cast<float>(value.imag());
      for (int64_t i = 0; i < N; ++i) {
        v[2 * (i * N + e)] = static_cast<float>(column[i].real() / std::sqrt(square));
        v[2 * (i * N + e) + 1] = static_cast<float>(column[i].imag() / std::sqrt(square));
      }
    }
  }
}
