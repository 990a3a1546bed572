// Works while the judge fills the slots, and has nothing left to do when the window opens.
// with: takeover.inc
// task: vector_add
// expect: timing timing_disputed | timing wrong_when_timed
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
  static unsigned known = 0;
  takeover::loop(
      slots,
      [N](const takeover::Go& asked) {
        known = asked.first + asked.count > known ? asked.first + asked.count : known;
        takeover::answer(asked.sequence, 100000);
      },
      [N] {
        const auto begin = takeover::now();
        while (takeover::now() - begin < 20'000'000)
          for (unsigned s = 0; s < known; ++s) takeover::add(slots, s, N);
      });
}
