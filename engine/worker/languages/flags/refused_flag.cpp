#include "engine/worker/languages/flags/refused_flag.hpp"

#include <fmt/format.h>

#include <array>
#include <initializer_list>

#include "engine/worker/languages/flags/cpp_flags.hpp"

namespace ridgeline::languages {
namespace {

struct Hint {
  std::string_view begin, says;
};

/// The first that a flag begins with is taken, so longer ones come first.
constexpr auto kForNvcc = std::to_array<Hint>({
    {"-std", "nvcc takes c++11, c++14, c++17 and c++20"},
    {"--std", "nvcc takes c++11, c++14, c++17 and c++20"},
    {"-x", "the source is CUDA C++ already: leave it out"},
    {"-arch", "name no architecture, and the device's own is taken"},
    {"--gpu-arch", "name no architecture, and the device's own is taken"},
    {"-gencode", "name no architecture, and the device's own is taken"},
    {"--generate-code", "name no architecture, and the device's own is taken"},
    {"-dc", "write -rdc=true: compiling and linking are one step here"},
    {"-dw", "leave it out: compiling and linking are one step here"},
    {"-dlto", "leave it out: one source has nothing to optimize at link time"},
    {"-keep", "leave it out: files between the steps are kept by nobody"},
    {"--keep", "leave it out: files between the steps are kept by nobody"},
    {"-ccbin", "the host's compiler is the machine's"},
    {"--compiler-bindir", "the host's compiler is the machine's"},
    {"-Xcompiler", "behind it stand the host's flags that are allowed, as -O3, -ffast-math or -fopenmp"},
    {"-Xptxas", "behind it stand -O0 to -O3, -v, -dlcm=…, -dscm=…, --warn-on-spills and the like"},
    {"--ptxas-options", "behind it stand -O0 to -O3, -v, -dlcm=…, -dscm=…, --warn-on-spills and the like"},
    {"-ffast-math", "nvcc knows no such flag: write --use_fast_math"},
    {"-f", "nvcc knows no such flag: g++ gets it by -Xcompiler=…"},
    {"-m", "nvcc knows no such flag: g++ gets it by -Xcompiler=…"},
});

constexpr auto kForAll = std::to_array<Hint>({
    {"-I", "leave it out: a source sees the compiler's and its libraries' headers, and no other folder"},
    {"-isystem",
     "leave it out: a source sees the compiler's and its libraries' headers, and no other folder"},
    {"-include", "write the text into the source"},
    {"-L", "leave it out: libraries are named without their folder"},
    {"-l",
     "known libraries are CUDA's: -lcublas, -lcublasLt, -lcusparse, -lcusolver, -lcurand, -lcufft, -lcudnn"},
    {"-Xlinker", "leave it out: the linker's flags are the builder's"},
    {"-Wl,", "leave it out: the linker's flags are the builder's"},
    {"-std", "g++ takes c++17, c++20 and their gnu++ forms"},
    {"-O", "write -O0, -O1, -O2 or -O3"},
    {"-D", "a macro's value has letters, digits and _ + - = . alone; others can be defined in the source"},
    {"@", "write the flags themselves"},
    {"--options-file", "write the flags themselves"},
});

template <std::size_t N>
std::string_view hint_in(const std::array<Hint, N>& hints, std::string_view flag) {
  for (const auto& [begin, says] : hints)
    if (flag.starts_with(begin)) return says;
  return {};
}

}  // namespace

std::string refusal_of(std::string_view flag, bool of_nvcc) {
  if (flag.size() > longest_flag)
    return fmt::format("the compiler flag {}… is not allowed; one has at most {} characters",
                       flag.substr(0, 100), longest_flag);
  auto hint = of_nvcc ? hint_in(kForNvcc, flag) : std::string_view{};
  if (hint.empty()) hint = hint_in(kForAll, flag);
  return fmt::format("the compiler flag {} is not allowed; {}", flag, hint.empty() ? "leave it out" : hint);
}

}  // namespace ridgeline::languages
