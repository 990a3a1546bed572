#include "engine/core/kernel_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>

namespace ridgeline {
namespace {

constexpr auto npos = std::string_view::npos;

/// Returns where `stop` occurs outside of angle brackets, first or last; `npos` if it does not.
std::size_t outside_brackets(std::string_view text, char stop, bool last) {
  std::size_t place = npos;
  int depth = 0;
  for (std::size_t i = 0; i < text.size() && (last || place == npos); ++i) {
    if (text[i] == stop && depth == 0) place = i;
    depth += text[i] == '<' ? 1 : text[i] == '>' ? -1 : 0;
  }
  return place;
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  // Without the prefix __cxa_demangle reads a type: it would call a kernel named "f" "float".
  if (!symbol.starts_with("_Z")) return symbol;
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), &std::free);
  if (status != 0 || !text) return symbol;
  std::string name = text.get();
  for (constexpr std::string_view anonymous = "(anonymous namespace)::";;) {
    const auto at = name.find(anonymous);
    if (at == std::string::npos) break;
    name.erase(at, anonymous.size());
  }
  // Parameters and return type say nothing about which kernel it is, and take a line of a prompt.
  name.erase(std::min(outside_brackets(name, '(', false), name.size()));
  if (const auto space = outside_brackets(name, ' ', true); space != npos) name.erase(0, space + 1);
  if (name.starts_with("_INTERNAL_"))  // nvcc's own namespace of a file's static kernels
    if (const auto colons = name.find("::"); colons != std::string::npos) name.erase(0, colons + 2);
  return name;
}

}  // namespace ridgeline
