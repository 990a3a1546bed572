#include <cstdint>

extern "C" void kernel_masked_select(const float* x, const uint8_t* mask, float* y, int64_t* count, int64_t N,
                                     void*) {
  int64_t written = 0;
  for (int64_t i = 0; i < N; ++i)
    if (mask[i]) y[written++] = x[i];
  count[0] = written;
}
