#include <cmath>
#include <cstdint>

extern "C" void kernel_kl_div(const float* log_q, const float* p, float* loss, int64_t M, int64_t N, void*) {
  double sum = 0;
  for (int64_t i = 0; i < M * N; ++i)
    if (p[i] > 0) sum += p[i] * (std::log(p[i]) - log_q[i]);
  *loss = static_cast<float>(sum / static_cast<double>(M));
}
