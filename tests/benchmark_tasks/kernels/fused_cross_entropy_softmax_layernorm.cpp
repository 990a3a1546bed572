#include <cmath>
#include <cstdint>

extern "C" void kernel_fused_cross_entropy_softmax_layernorm(const float* x, const int64_t* target,
                                                             float* loss, float* y, int64_t M, int64_t N,
                                                             double eps, void*) {
  double total = 0;
  for (int64_t i = 0; i < M; ++i, x += N, y += N) {
    float largest = x[0];
    for (int64_t j = 1; j < N; ++j) largest = std::fmax(largest, x[j]);
    double sum = 0, squares = 0;
    for (int64_t j = 0; j < N; ++j) sum += y[j] = std::exp(x[j] - largest);
    total += largest + std::log(sum) - x[target[i]];
    const double mean = 1 / static_cast<double>(N);  // probabilities sum to one
    for (int64_t j = 0; j < N; ++j) squares += (y[j] / sum - mean) * (y[j] / sum - mean);
    const double inverse = 1 / std::sqrt(squares * mean + eps);
    for (int64_t j = 0; j < N; ++j) y[j] = static_cast<float>((y[j] / sum - mean) * inverse);
  }
  *loss = static_cast<float>(total / static_cast<double>(M));
}
