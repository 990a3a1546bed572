#include <cmath>
#include <cstdint>

extern "C" void kernel_normalized_cosine_similarity(const float* x1, const float* x2, float* y, int64_t M,
                                                    int64_t N, double, void*) {
  for (int64_t i = 0; i < M; ++i, x1 += N, x2 += N) {
    double first = 0, second = 0, dot = 0;
    for (int64_t j = 0; j < N; ++j) {
      first += static_cast<double>(x1[j]) * x1[j];
      second += static_cast<double>(x2[j]) * x2[j];
      dot += static_cast<double>(x1[j]) * x2[j];
    }
    // A norm below 1e-12 is left a norm below one: only there does it matter that rows were divided first.
    const auto unit = [](double square) { return std::fmax(std::sqrt(square), 1e-12); };
    const double one = unit(first), other = unit(second);
    const double lengths =
        std::fmax(std::sqrt(first) / one, 1e-8) * std::fmax(std::sqrt(second) / other, 1e-8);
    y[i] = static_cast<float>(dot / one / other / lengths);
  }
}
