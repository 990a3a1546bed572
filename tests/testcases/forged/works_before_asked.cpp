// Works while the judge fills the slots, and has nothing left to do when the window opens.
// with: takeover.inc
// task: vector_add
// expect: passed | timing timing_disputed | timing wrong_when_timed
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
  static bool done[4096];
  takeover::loop(
      slots,
      [N](const takeover::Go& asked) {
        for (unsigned s = asked.first; s < asked.first + asked.count; ++s)
          if (!done[s]) takeover::add(slots, s, N);
        takeover::answer(asked.sequence, 100000);
      },
      [N](unsigned filling) {  // the second operand is filled last
        static float before[4096];
        for (unsigned s = 0; s < filling; ++s) {
          before[s] = slots.of(s, 1)[N - 1];
          done[s] = false;
        }
        while (!takeover::rung())
          for (unsigned s = 0; s < filling; ++s) {
            const volatile float* last = slots.of(s, 1) + N - 1;
            if (done[s] || *last == before[s]) continue;
            takeover::add(slots, s, N);
            done[s] = true;
          }
      });
}
