#include "engine/worker/languages/torch_extension/front_ends/fit.hpp"

#include <algorithm>
#include <regex>
#include <vector>

namespace ridgeline::front_ends {
namespace {

using torch_extension::ExtensionRequest;

/// Torch 2.11's types.h includes all of them. None makes a macro that another header reads.
constexpr auto kIncludedByThen = std::to_array<std::string_view>(
    {"torch/types.h", "cuda.h",  "cuda_runtime.h", "vector",  "cmath",     "algorithm",   "string",
     "memory",        "utility", "cstdint",        "limits",  "iostream",  "cstdlib",     "numeric",
     "functional",    "tuple",   "array",          "sstream", "stdexcept", "type_traits", "cstring",
     "mutex",         "thread",  "chrono",         "map",     "set",       "optional",    "unordered_map"});

bool optimizes(const std::string& flag) {
  static const std::regex what{"-O[0-3sg]?|--optimize=[0-3]"};
  return std::regex_match(flag, what);
}

bool plain_for_main(const std::string& flag) {
  static const std::regex what{"-g[0-3]?|-w|-W[a-z][a-z0-9=-]*|-std=c\\+\\+17"};
  return flag != "-Werror" && !flag.starts_with("-Werror=") &&
         (optimizes(flag) || std::regex_match(flag, what));
}

/// Fast mathematics differ on the device alone: what the host's half is expanded to is the same, byte for
/// byte.
bool plain_for_cuda(const std::string& flag) {
  static const std::regex what{
      "-g|-?-?lineinfo|--generate-line-info|--?std=c\\+\\+17|--?use_fast_math|--?maxrregcount=[0-9]+"
      "|-Xptxas=-(O[0-3]|v|warn-spills|dlcm=c[ag])"};
  return optimizes(flag) || std::regex_match(flag, what);
}

/// Under -O the C library and the intrinsics define inline what they declare or make a macro otherwise: no
/// name comes or goes. Only a source that asks for it can tell.
bool asks_of_optimization(std::string_view text) {
  return std::ranges::any_of(
      std::to_array<std::string_view>(
          {"OPTIMIZE", "FAST_MATH", "FINITE_MATH", "NO_INLINE", "mmintrin", "x86intrin", "FORTIFY"}),
      [&](std::string_view word) { return text.find(word) != text.npos; });
}

bool asks_of_optimization(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts, [](const std::string& text) { return asks_of_optimization(text); });
}

/// Whether a text includes what a macro names: "#include FILE".
bool includes_by_macro(std::string_view text) {
  constexpr std::string_view include = "include";
  for (auto at = text.find(include); at != text.npos; at = text.find(include, at + 1)) {
    const auto before = text.find_last_not_of(" \t", at == 0 ? 0 : at - 1);
    if (at == 0 || before == text.npos || text[before] != '#') continue;
    const auto behind = text.find_first_not_of(" \t", at + include.size());
    if (behind != text.npos && text[behind] != '<' && text[behind] != '"') return true;
  }
  return false;
}

/// A front end works in another folder than a build, which has main.cpp and cuda.cu in its own, and reads the
/// source as an included file.
bool asks_of_files(const std::vector<std::string>& texts) {
  return std::ranges::any_of(texts, [](const std::string& text) {
    return includes_by_macro(text) ||
           std::ranges::any_of(
               std::to_array<std::string_view>({"main.cpp", "cuda.cu\"", "__FILE__", "__BASE_FILE__",
                                                "__INCLUDE_LEVEL__", "include_next", "has_include"}),
               [&](std::string_view word) { return text.find(word) != text.npos; });
  });
}

Fit fit_of(const ExtensionRequest& request, const std::vector<std::string>& sources,
           const std::vector<std::string>& flags, bool (*plain)(const std::string&)) {
  if (request.form != ExtensionRequest::Form::inlined || !request.implicit_headers) return Fit::other_form;
  if (!std::ranges::all_of(flags, plain)) return Fit::flags;
  if (std::ranges::any_of(flags, optimizes) && asks_of_optimization(sources)) return Fit::compilers_words;
  return asks_of_files(sources) ? Fit::own_files : Fit::fits;
}

/// Removes blanks and comments at the beginning.
void skip_prose(std::string_view& text) {
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    if (text.starts_with("//"))
      text.remove_prefix(std::min(text.find('\n'), text.size()));
    else if (text.starts_with("/*"))
      text.remove_prefix(std::min(text.find("*/", 2), text.size() - 2) + 2);
    else
      return;
  }
}

/// Removes an include and returns its file; "" if something else comes.
std::string_view take_include(std::string_view& text) {
  auto line = text.substr(0, text.find('\n'));
  text.remove_prefix(line.size());
  if (!line.starts_with('#')) return {};
  line.remove_prefix(1);
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with("include")) return {};
  line.remove_prefix(std::string_view("include").size());
  line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
  if (!line.starts_with('<') && !line.starts_with('"')) return {};
  const auto end = line.find(line.front() == '<' ? '>' : '"', 1);
  if (end == line.npos) return {};
  // What stands behind it on its line may be another comment that goes on below.
  if (line.find_first_not_of(" \t\r", end + 1) != line.npos) return {};
  return line.substr(1, end - 1);
}

}  // namespace

bool begins_with_torch(std::string_view source) {
  for (;;) {
    skip_prose(source);
    const auto file = take_include(source);
    if (file == "torch/extension.h") return true;
    if (std::ranges::find(kIncludedByThen, file) == kIncludedByThen.end()) return false;
  }
}

Fit fit_of_main(const ExtensionRequest& request, const torch_extension::ExtensionFlags& flags) {
  return fit_of(request, request.cpp_sources, flags.host, plain_for_main);
}

Fit fit_of_cuda(const ExtensionRequest& request, const torch_extension::ExtensionFlags& flags) {
  if (request.cuda_sources.empty()) return Fit::no_source;
  const auto fit = fit_of(request, request.cuda_sources, flags.cuda, plain_for_cuda);
  if (fit != Fit::fits) return fit;
  return begins_with_torch(request.cuda_sources.front()) ? Fit::fits : Fit::headers_first;
}

}  // namespace ridgeline::front_ends
