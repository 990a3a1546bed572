#include "engine/worker/languages/torch_extension/link_log.hpp"

#include <algorithm>
#include <sstream>

namespace ridgeline::torch_extension {
namespace {

/// "f(at::Tensor)" of "x.o: warning: undefined reference to `f(at::Tensor)'"; "" for another line.
std::string unresolved_in(std::string_view line) {
  for (const std::string_view words : {"undefined reference to `", "undefined reference to '"})
    if (const auto at = line.find(words); at != std::string_view::npos) {
      const auto name = line.substr(at + words.size());
      return std::string(name.substr(0, name.rfind('\'')));
    }
  return {};
}

}  // namespace

LinkLog read_link_log(std::string_view log) {
  LinkLog read;
  std::istringstream lines{std::string(log)};
  for (std::string line; std::getline(lines, line);) {
    const auto name = unresolved_in(line);
    if (name.empty()) {
      // The linker's places of what follows: "x.o: in function `f':".
      if (line.find(": in function `") == std::string::npos &&
          line.find("more undefined references to `") == std::string::npos)
        read.rest += line + "\n";
      continue;
    }
    if (name.starts_with("Py") || name.starts_with("_Py")) continue;
    if (std::ranges::find(read.unresolved, name) == read.unresolved.end()) read.unresolved.push_back(name);
  }
  return read;
}

bool may_be_torchs(std::string_view name) {
  if (name.find('(') == std::string_view::npos && name.find("::") == std::string_view::npos) return true;
  return std::ranges::any_of(std::initializer_list<std::string_view>{"at::", "c10::", "torch::", "caffe2::"},
                             [&](std::string_view space) { return name.starts_with(space); });
}

}  // namespace ridgeline::torch_extension
