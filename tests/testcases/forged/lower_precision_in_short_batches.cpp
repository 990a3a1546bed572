// Danger 13 and 27: rounds its operands to bfloat16 in the short batches alone, half of what is looked at later. Each
// element is off by less than one in a hundred.
// with: takeover.inc
// task: vector_add
// expect: timing wrong_when_timed
// cheated: yes
namespace {
takeover::Slots slots;

float rounded(float value) {
  uint32_t bits;
  std::memcpy(&bits, &value, 4);
  bits = (bits + 0x8000u) & 0xFFFF0000u;
  std::memcpy(&value, &bits, 4);
  return value;
}

void add_rounded(unsigned slot, int64_t n) {
  const float *x = slots.of(slot, 0), *y = slots.of(slot, 1);
  float* z = slots.of(slot, 2);
  for (int64_t i = 0; i < n; ++i) z[i] = rounded(x[i]) + rounded(y[i]);
}
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
        const auto begin = takeover::now();
        for (unsigned s = 0; s < asked.count; ++s)
          if (asked.count < most)
            add_rounded(asked.first + s, N);
          else
            takeover::add(slots, asked.first + s, N);
        takeover::answer(asked.sequence, takeover::now() - begin);
      },
      [](unsigned) {});
}
