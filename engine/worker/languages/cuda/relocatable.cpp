#include "engine/worker/languages/cuda/relocatable.hpp"

#include <algorithm>
#include <initializer_list>

namespace ridgeline::languages {
namespace {

bool speaks_of(std::string_view log, std::initializer_list<std::string_view> words) {
  return std::ranges::any_of(words,
                             [&](std::string_view word) { return log.find(word) != std::string_view::npos; });
}

bool of_relocatable(std::string_view flag) {
  return speaks_of(flag, {"-rdc=", "-relocatable-device-code="});
}

}  // namespace

bool names_relocatable(const std::vector<std::string>& flags) {
  return std::ranges::any_of(
      flags, [](std::string_view flag) { return of_relocatable(flag) && flag.ends_with("=true"); });
}

std::vector<std::string> with_relocatable(std::vector<std::string> flags) {
  std::erase_if(flags, of_relocatable);
  flags.emplace_back("-rdc=true");
  return flags;
}

bool asks_for_device_runtime(std::string_view log) {
  return speaks_of(log, {"requires separate compilation mode",
                         // Only libcudadevrt defines these, as __cudaCDP2GetLastError.
                         "Unresolved extern function '__cuda", "Unresolved extern function 'cuda"});
}

// The host's compiler redefines what nvcc's front end found right: `extern __constant__ float w[4];` and its
// definition, of which nvcc makes two definitions where all is one piece.
bool asks_for_relocatable(std::string_view log) {
  return asks_for_device_runtime(log) || speaks_of(log, {"error: redefinition of"});
}

bool may_lack_device_link(std::string_view log) {
  return speaks_of(log,
                   {"nvlink: not found", "cannot find -lcudadevrt", "Undefined reference to '__cudaCDP"});
}

}  // namespace ridgeline::languages
