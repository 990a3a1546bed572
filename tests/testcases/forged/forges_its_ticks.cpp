// Danger 28: does the work and claims that it took no time.
// with: takeover.inc
// task: vector_add
// expect: timing timing_disputed
// cheated: yes
namespace {
takeover::Slots slots;
}  // namespace

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
  unsigned slot = 0;
  uint32_t sequence = 0;
  if (!takeover::ready(slot, sequence)) return;
  takeover::find_bases(slots, slot, x, y, z, N);
  takeover::answer(sequence, 100000);
  takeover::loop(
      slots,
      [N](const takeover::Go& asked) {
        for (unsigned s = 0; s < asked.count; ++s) takeover::add(slots, asked.first + s, N);
        takeover::answer(asked.sequence, 1);
      },
      [](unsigned) {});
}
