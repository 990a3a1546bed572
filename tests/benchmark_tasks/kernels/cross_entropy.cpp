#include <algorithm>
#include <cmath>
#include <cstdint>

extern "C" void kernel_cross_entropy(const float* x, const int64_t* target, float* loss, int64_t N, int64_t C,
                                     void*) {
  float total = 0;
  for (int64_t i = 0; i < N; ++i) {
    const float* row = x + i * C;
    const float largest = *std::max_element(row, row + C);
    float sum = 0;
    for (int64_t j = 0; j < C; ++j) sum += std::exp(row[j] - largest);
    total += std::log(sum) + largest - row[target[i]];
  }
  *loss = total / static_cast<float>(N);
}
