// Danger 28: a forged answer on the runner's channel.
// with: takeover.inc
// task: vector_add
// expect: call sandbox_violation
// cheated: yes
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  takeover::answer(1, 1);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
