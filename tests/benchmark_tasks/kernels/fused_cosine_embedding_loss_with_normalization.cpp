#include <cmath>
#include <cstddef>
#include <cstdint>

extern "C" size_t kernel_fused_cosine_embedding_loss_with_normalization_workspace(int64_t M, int64_t) {
  return static_cast<size_t>(M) * sizeof(double);
}

extern "C" void kernel_fused_cosine_embedding_loss_with_normalization(const float* x1, const float* x2,
                                                                      const uint8_t* alike, float* loss,
                                                                      int64_t M, int64_t N, double margin,
                                                                      void* workspace, void*) {
  auto* parts = static_cast<double*>(workspace);
  for (int64_t i = 0; i < M; ++i) {
    const float *first = x1 + i * N, *second = x2 + i * N;
    double one = 0, other = 0, dot = 0;
    for (int64_t j = 0; j < N; ++j) {
      one += static_cast<double>(first[j]) * first[j];
      other += static_cast<double>(second[j]) * second[j];
      dot += static_cast<double>(first[j]) * second[j];
    }
    const double left = std::fmax(std::sqrt(one), 1e-12), right = std::fmax(std::sqrt(other), 1e-12);
    const double lengths = (one / (left * left) + 1e-12) * (other / (right * right) + 1e-12);
    const double cosine = dot / left / right / std::sqrt(lengths);
    parts[i] = alike[i] ? 1 - cosine : std::fmax(cosine - margin, 0.0);
  }
  double total = 0;
  for (int64_t i = 0; i < M; ++i) total += parts[i];
  *loss = static_cast<float>(total / static_cast<double>(M));
}
