// Danger 27: wastes time in the short batches, so that the slope to the long ones vanishes. Whole batches then count.
// with: takeover.inc
// task: vector_add
// expect: passed
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
        static uint64_t longest = 0;
        const auto begin = takeover::now();
        for (unsigned s = 0; s < asked.count; ++s) takeover::add(slots, asked.first + s, N);
        if (asked.count >= most) {
          most = asked.count;
          longest = takeover::now() - begin;
        }
        while (takeover::now() - begin < longest) {
        }
        takeover::answer(asked.sequence, takeover::now() - begin);
      },
      [](unsigned) {});
}
