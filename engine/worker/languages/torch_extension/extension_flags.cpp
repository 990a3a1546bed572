#include "engine/worker/languages/torch_extension/extension_flags.hpp"

#include <array>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"

namespace ridgeline::torch_extension {
namespace {

/// Words as a shell splits them, quotes taken off.
std::vector<std::string> words_of(const std::vector<std::string>& elements) {
  std::vector<std::string> words;
  for (const auto& element : elements) {
    std::istringstream parts{element};
    for (std::string word; parts >> word;) {
      if (word.size() >= 2 && (word.front() == '\'' || word.front() == '"') && word.back() == word.front())
        word = word.substr(1, word.size() - 2);
      if (!word.empty()) words.push_back(word);
    }
  }
  return words;
}

bool says(const std::string& flag, const std::regex& what) {
  return std::regex_match(flag, what);
}

/// No effect on what is built, or given by the builder anyway.
bool superfluous(const std::string& flag) {
  static const std::regex what{
      "-fPIC|-pthread|-shared|--?(x|threads)=\\S*|-t[0-9]*|-[LI]/"
      "usr\\S*|-l(c10|c10_cuda|torch|torch_cpu|torch_cuda|"
      "torch_python|cudart|m|pthread)|--?allow-unsupported-compiler|-v|--verbose|--?ptxas-options=-v|-Wall|-"
      "Wextra"};
  return says(flag, what);
}

bool plain_host(const std::string& flag) {
  static const std::regex more{
      "-Wno-[a-z0-9=+-]+|-U[A-Za-z0-9_]+|-fopenmp|-ffp-contract=\\w+|-fvisibility=\\w+"};
  return says(flag, more) || !languages::first_forbidden({flag});
}

std::optional<std::string> host_behind(const std::string& flag) {
  for (const std::string_view form : {"-Xcompiler=", "--compiler-options="})
    if (flag.starts_with(form)) return flag.substr(form.size());
  return std::nullopt;
}

bool plain_cuda(const std::string& flag) {
  static const std::regex more{
      "-U[A-Za-z0-9_]+|-g|-G|--?(diag-suppress|default-stream|expt-\\w+)=[\\w,-]+|--?diag_suppress=[0-9,]+"
      "|-Xcudafe=--diag_suppress=\\w+|--?disable-warnings|-Wno-[a-z-]+|--?(relaxed|expt)-[a-z-]+"
      "|-gencode=arch=compute_[0-9]{2,3}[af]?,code=(sm|compute)_[0-9]{2,3}[af]?|--extended-lambda"};
  if (const auto host = host_behind(flag)) {
    std::istringstream parts{*host};
    for (std::string part; std::getline(parts, part, ',');)
      if (!superfluous(part) && !plain_host(part)) return false;
    return true;
  }
  return says(flag, more) || !languages::first_forbidden_cuda({flag});
}

/// A value in the next word joined to its flag, for those that cuda_flags does not know.
std::vector<std::string> with_words_joined(const std::vector<std::string>& words) {
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const bool value = (words[i] == "-Xcompiler" || words[i] == "--compiler-options" ||
                        words[i] == "-Xcudafe" || words[i] == "-diag-suppress") &&
                       i + 1 < words.size();
    flags.push_back(value ? words[i] + "=" + words[i + 1] : words[i]);
    i += value;
  }
  return languages::with_values_joined(flags);
}

bool known_library(const std::string& flag) {
  static const std::regex what{"-l(cublas|cublasLt|cusparse|cusolver|curand|cufft|cudnn|cuda|nvrtc|gomp)"};
  return says(flag, what);
}

}  // namespace

std::variant<ExtensionFlags, ForbiddenFlag> read_extension_flags(const ExtensionRequest& request) {
  ExtensionFlags flags;
  for (const auto& flag : words_of(request.cflags)) {
    if (superfluous(flag) || known_library(flag)) continue;
    if (!plain_host(flag)) return ForbiddenFlag{flag};
    flags.host.push_back(flag);
  }
  for (const auto& flag : with_words_joined(words_of(request.cuda_cflags))) {
    if (superfluous(flag) || known_library(flag)) continue;
    if (!plain_cuda(flag)) return ForbiddenFlag{flag};
    flags.cuda.push_back(flag);
  }
  for (const auto& flag : words_of(request.ldflags)) {
    if (superfluous(flag)) continue;
    if (!known_library(flag)) return ForbiddenFlag{flag};
    flags.libraries.push_back(flag);
  }
  return flags;
}

}  // namespace ridgeline::torch_extension
