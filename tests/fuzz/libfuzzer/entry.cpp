// libFuzzer's entry points for one target: RIDGELINE_FUZZ_TARGET is its name. `PROGRAM --write-seeds FOLDER`
// writes the corpus to begin with, without its longest seeds, and ends.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "tests/fuzz/target.hpp"

using ridgeline::fuzz::Target;

namespace {

/// Bytes. Longer seeds are replayed in every build; each change of one would take a fuzzer a tenth of a
/// second.
constexpr std::size_t longest_seed = 8192;

const Target& target() {
  return ridgeline::fuzz::RIDGELINE_FUZZ_TARGET;
}

}  // namespace

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" int LLVMFuzzerInitialize(int* count, char*** words) {
  if (*count != 3 || std::strcmp((*words)[1], "--write-seeds") != 0) return 0;
  const std::filesystem::path folder = (*words)[2];
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const auto& seed : target().seeds())
    if (seed.size() <= longest_seed)
      std::ofstream(folder / ("seed-" + std::to_string(number++)), std::ios::binary) << seed;
  std::printf("%d seeds in %s\n", number, folder.c_str());
  std::exit(0);
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  target().run({reinterpret_cast<const char*>(data), size});
  return 0;
}

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,
                                               unsigned seed) {
  // Half of the changes stay blind: a structure of ours would hide what only broken bytes reach.
  if (!target().mutate || seed % 2 == 0) return LLVMFuzzerMutate(data, size, most);
  const auto changed = target().mutate({reinterpret_cast<const char*>(data), size}, most, seed / 2);
  if (changed.empty() || changed.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::memcpy(data, changed.data(), changed.size());
  return changed.size();
}
