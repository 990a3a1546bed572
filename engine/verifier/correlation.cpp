#include "engine/verifier/correlation.hpp"

#include <bit>
#include <cmath>
#include <complex>
#include <numbers>
#include <utility>

namespace ridgeline::verifier {
namespace {

using Complex = std::complex<double>;

/// Complex numbers multiply without the checks for infinities that the library's operator makes.
Complex times(Complex a, Complex b) {
  return {a.real() * b.real() - a.imag() * b.imag(), a.real() * b.imag() + a.imag() * b.real()};
}

/// Transforms in place; the length is a power of two (Cooley and Tukey, 1965).
void transform(std::vector<Complex>& values) {
  const std::size_t n = values.size();
  for (std::size_t i = 1, j = 0; i < n; ++i) {  // elements go to the places of their reversed indices
    std::size_t bit = n >> 1;
    for (; (j & bit) != 0; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) std::swap(values[i], values[j]);
  }
  std::vector<Complex> roots(n / 2);
  for (std::size_t i = 0; i < roots.size(); ++i)
    roots[i] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(n));
  for (std::size_t half = 1; half < n; half *= 2) {
    const std::size_t stride = n / (2 * half);
    for (std::size_t begin = 0; begin < n; begin += 2 * half)
      for (std::size_t i = 0; i < half; ++i) {
        auto &low = values[begin + i], &high = values[begin + half + i];
        const auto turned = times(high, roots[i * stride]);
        high = low - turned;
        low += turned;
      }
  }
}

}  // namespace

std::vector<double> correlate_at_all_shifts(std::span<const double> a, std::span<const double> b) {
  const std::size_t shifts = a.size() + b.size() - 1, n = std::bit_ceil(shifts);
  // One transform serves both: `a` is its real part and `b` its imaginary one.
  std::vector<Complex> both(n);
  for (std::size_t i = 0; i < a.size(); ++i) both[i].real(a[i]);
  for (std::size_t i = 0; i < b.size(); ++i) both[i].imag(b[i]);
  transform(both);
  std::vector<Complex> product(n);
  for (std::size_t i = 0; i < n; ++i) {
    const auto here = both[i], mirrored = std::conj(both[(n - i) % n]);
    const auto of_a = 0.5 * (here + mirrored), of_b = times(Complex(0, -0.5), here - mirrored);
    // Conjugated as a whole, so that the forward transform acts as the backward one.
    product[i] = std::conj(times(std::conj(of_a), of_b));
  }
  transform(product);
  std::vector<double> sums(shifts);
  for (std::size_t i = 0; i < shifts; ++i)
    sums[i] = product[(i + n - (a.size() - 1)) % n].real() / static_cast<double>(n);
  return sums;
}

}  // namespace ridgeline::verifier
