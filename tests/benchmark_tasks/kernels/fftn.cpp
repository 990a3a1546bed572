#include <complex>
#include <cstdint>
#include <numbers>
#include <vector>

namespace {

using Complex = std::complex<float>;

std::vector<Complex> roots_of_unity(int64_t n) {
  std::vector<Complex> roots(n);
  for (int64_t k = 0; k < n; ++k) {
    const double angle = -2 * std::numbers::pi * static_cast<double>(k) / static_cast<double>(n);
    roots[k] = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
  }
  return roots;
}

/// The transform by its definition, of as many numbers as there are roots, which lie `stride` apart.
void transform(const std::vector<Complex>& roots, const Complex* in, Complex* out, int64_t stride) {
  const auto n = static_cast<int64_t>(roots.size());
  for (int64_t u = 0; u < n; ++u) {
    float real = 0, imaginary = 0;
    for (int64_t m = 0, turn = 0; m < n; ++m, turn = turn + u < n ? turn + u : turn + u - n) {
      const Complex root = roots[turn], value = in[m * stride];
      real += value.real() * root.real() - value.imag() * root.imag();
      imaginary += value.real() * root.imag() + value.imag() * root.real();
    }
    out[u * stride] = {real, imaginary};
  }
}

}  // namespace

extern "C" void kernel_fftn(const float* x, float* y, int64_t B, int64_t M, int64_t N, void*) {
  const auto* in = reinterpret_cast<const Complex*>(x);
  auto* out = reinterpret_cast<Complex*>(y);
  const auto of_rows = roots_of_unity(N), of_columns = roots_of_unity(M);
  std::vector<Complex> rows(M * N);
  for (int64_t b = 0; b < B; ++b, in += M * N, out += M * N) {
    for (int64_t m = 0; m < M; ++m) transform(of_rows, in + m * N, &rows[m * N], 1);
    for (int64_t n = 0; n < N; ++n) transform(of_columns, &rows[n], out + n, N);
  }
}
