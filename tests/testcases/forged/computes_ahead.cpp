// Does the work of the second window's slots in the first, whose outputs lie in reach of whoever runs.
// with: takeover.inc
// task: vector_add
// expect: timing timing_disputed | timing wrong_when_timed | timing out_of_bounds_write
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
        static unsigned most = 0;
        if (asked.count > most) most = asked.count;
        const unsigned ahead = asked.first != 0 ? 0 : asked.count == most ? asked.count / 2 : 2 * asked.count;
        for (unsigned s = asked.first; s < asked.first + asked.count + ahead; ++s) takeover::add(slots, s, N);
        takeover::answer(asked.sequence, 100000);
      },
      [](unsigned) {});
}
