#include "engine/worker/languages/flags/cpp_flags.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace ridgeline::languages {
namespace {

constexpr std::array<std::string_view, 27> kWhole = {"-O0",
                                                     "-O1",
                                                     "-O2",
                                                     "-O3",
                                                     "-Ofast",
                                                     "-ffast-math",
                                                     "-fassociative-math",
                                                     "-freciprocal-math",
                                                     "-ffinite-math-only",
                                                     "-fno-math-errno",
                                                     "-fno-trapping-math",
                                                     "-fno-signed-zeros",
                                                     "-funroll-loops",
                                                     "-fopenmp-simd",
                                                     "-ftree-vectorize",
                                                     "-fno-tree-vectorize",
                                                     "-fno-exceptions",
                                                     "-fno-rtti",
                                                     "-fstrict-aliasing",
                                                     "-fno-strict-aliasing",
                                                     "-fomit-frame-pointer",
                                                     "-g",
                                                     "-g1",
                                                     "-Wall",
                                                     "-Wextra",
                                                     "-w",
                                                     "-fpermissive"};

constexpr std::array<std::string_view, 12> kPrefixes = {
    "-std=",          "-march=", "-mtune=",  "-mprefer-vector-width=",
    "-ffp-contract=", "-mavx",   "-msse",    "-mfma",
    "-mbmi",          "-mf16c",  "-mno-avx", "-D"};

bool plain_value(std::string_view text) {
  return std::ranges::all_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '+' || c == '-' || c == '=' || c == '.';
  });
}

bool allowed(std::string_view flag) {
  if (flag.size() > longest_flag) return false;
  if (std::ranges::find(kWhole, flag) != kWhole.end()) return true;
  return std::ranges::any_of(kPrefixes, [&](std::string_view prefix) {
    // "-mavx" is whole and begins "-mavx2"; a prefix that ends in '=' needs a value, and -D a name.
    const bool complete = flag.size() > prefix.size() || (prefix.back() != '=' && prefix != "-D");
    return complete && flag.starts_with(prefix) && plain_value(flag.substr(prefix.size()));
  });
}

}  // namespace

std::vector<std::string> default_flags() {
  return {"-std=gnu++20", "-O3", "-march=native"};
}

std::optional<std::string> first_forbidden(const std::vector<std::string>& flags) {
  const auto bad = std::ranges::find_if_not(flags, allowed);
  if (bad == flags.end()) return std::nullopt;
  return *bad;
}

}  // namespace ridgeline::languages
