#include "engine/core/kernel_name.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <system_error>

namespace ridgeline {
namespace {

constexpr auto npos = std::string_view::npos;

/// Most references that are written out, and how many an expansion of a pack counts for. Each may repeat all
/// that came before: a symbol of 201 characters stood for a name of 208 MB, which took a second, and one of
/// 255 would have taken the memory of whoever reads it.
constexpr std::size_t kMostReferences = 24, kReferencesOfPack = 6;

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

/// Counts what stands for a part that was written before, or for many: S_, T0_, and expansions of packs.
std::size_t references(std::string_view symbol) {
  std::size_t count = 0;
  for (std::size_t i = 0; i + 1 < symbol.size(); ++i) {
    const auto two = symbol.substr(i, 2);
    if (two == "Dp" || two == "sp") count += kReferencesOfPack;
    if (symbol[i] != 'S' && symbol[i] != 'T') continue;
    const auto end = symbol.find_first_not_of("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ", i + 1);
    if (end != npos && symbol[end] == '_') ++count;
  }
  return count;
}

/// Returns the namespaces and the name with which the symbol begins: "a::f" for "_ZN1a1fIiEEvv".
std::string without_templates(std::string_view symbol) {
  symbol.remove_prefix(symbol.starts_with("_ZN") ? 3 : 2);
  std::string name;
  for (;;) {
    std::size_t length = 0;
    const auto [digits_end, error] = std::from_chars(symbol.data(), symbol.data() + symbol.size(), length);
    if (error != std::errc()) return name;
    symbol.remove_prefix(static_cast<std::size_t>(digits_end - symbol.data()));
    const auto part = symbol.substr(0, length);
    if (part.size() < length || length == 0) return name;
    symbol.remove_prefix(length);
    if (part.starts_with("_GLOBAL__N_") || part.starts_with("_INTERNAL_")) continue;
    name += (name.empty() ? "" : "::") + std::string(part);
  }
}

}  // namespace

std::string kernel_name(const std::string& symbol) {
  // Without the prefix __cxa_demangle reads a type: it would call a kernel named "f" "float".
  if (!symbol.starts_with("_Z")) return symbol;
  if (references(symbol) > kMostReferences) {
    auto plain = without_templates(symbol);
    return plain.empty() ? symbol : plain;
  }
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
