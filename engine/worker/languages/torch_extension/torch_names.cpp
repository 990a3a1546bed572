#include "engine/worker/languages/torch_extension/torch_names.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <regex>

namespace ridgeline::torch_extension {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kLongestError = 4000;  // bytes that are looked at

bool part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_';
}

/// Returns whether a name may come of headers that torch's include, which nobody reads here; pybind11's and
/// the compiler's own are uncertain too.
bool may_be_anothers(std::string_view name) {
  constexpr std::array<std::string_view, 6> begin{"Py", "_", "cu", "CU", "std", "py"};
  return std::ranges::any_of(begin, [&](std::string_view prefix) { return name.starts_with(prefix); });
}

}  // namespace

std::optional<std::string> missing_name(std::string_view error) {
  // g++ and clang; then nvcc, whose members of std say their namespace.
  static const std::regex said{
      R"~(error: (?:'([A-Za-z_]\w*)' was not declared in this scope|'[^']*' has no member named '([A-Za-z_]\w*)')~"
      R"~(|'([A-Za-z_]\w*)' does not name a type|'([A-Za-z_]\w*)' is not a member of '(?!std))~"
      R"~(|identifier "([A-Za-z_]\w*)" is undefined|(?:class|namespace) "(?!std)[^"]*" has no member "([A-Za-z_]\w*)"))~"};
  std::match_results<std::string_view::const_iterator> match;
  // An expression takes the stack for each character of a name, and the name is the author's.
  if (error.size() > kLongestError) error = error.substr(0, kLongestError);
  if (!std::regex_search(error.begin(), error.end(), match, said)) return std::nullopt;
  for (std::size_t i = 1; i < match.size(); ++i)
    if (match[i].matched) return match[i].str();
  return std::nullopt;
}

void TorchNames::read(std::string_view text) {
  while (!text.empty()) {
    const bool line = text.starts_with("//"), block = text.starts_with("/*");
    std::size_t count = 1;
    if (line || block) {  // prose, in which any word may stand
      const auto end = text.find(line ? "\n" : "*/", 2);
      count = std::min(end, text.size());
    } else if (part_of_name(text.front())) {
      count = static_cast<std::size_t>(std::ranges::find_if_not(text, part_of_name) - text.begin());
      names_.emplace(text.substr(0, count));
    }
    text.remove_prefix(count);
  }
}

TorchNames read_torch_names(const TorchHeaders& torch) {
  TorchNames names;
  std::error_code gone;
  for (const auto& entry : fs::recursive_directory_iterator(torch.package / "include", gone)) {
    if (!entry.is_regular_file(gone)) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    names.read(std::string{std::istreambuf_iterator<char>(file), {}});
  }
  return names;
}

bool torch_may_help(std::string_view error, const TorchNames& names) {
  const auto name = missing_name(error);
  return !name || may_be_anothers(*name) || names.spell(*name);
}

}  // namespace ridgeline::torch_extension
