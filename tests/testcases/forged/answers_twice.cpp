// Danger 28: the right answer, a second time: the judge asked once, and finds the answer too many or the
// output not there yet.
// with: takeover.inc
// task: vector_add
// expect: call sandbox_violation | correctness wrong_values
extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  if (const auto* go = takeover::current()) takeover::answer(go->sequence, 1);
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
}
