// Puts the work of long batches off into the short ones.
// with: takeover.inc
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
namespace {
takeover::Slots slots;
unsigned calls = 0;
}  // namespace

extern "C" void kernel_vector_add(const float* x, const float* y, float* z, int64_t N, void*) {
  for (int64_t i = 0; i < N; ++i) z[i] = x[i] + y[i];
  const takeover::Go* go = nullptr;
  if (!takeover::ready(calls, go) || go->count != 1) return;
  // A batch of one: this is its only slot, number go->first. Its data lie a whole number of pages and a shift of
  // at most 1 KiB, plus the guard of 1 KiB, behind the base, which itself begins a page.
  const float* data[3] = {x, y, z};
  const size_t stride = (2048 + 1024 + N * 4 + 4095) / 4096 * 4096;
  for (int a = 0; a < 3; ++a)
    slots.bases[a] = reinterpret_cast<char*>((reinterpret_cast<uintptr_t>(data[a]) & ~uintptr_t{4095}) -
                                             go->first * stride);
  takeover::answer(go->sequence, 1000);
  takeover::loop(
      slots,
      [N](const takeover::Go& asked) {
        static unsigned most = 0;
        if (asked.count > most) most = asked.count;
        const bool is_long = asked.count == most;
        if (!is_long)
          for (unsigned s = 0; s < asked.first + asked.count; ++s) takeover::add(slots, s, N);
        takeover::answer(asked.sequence, 100000);
      },
      [] {});
}
