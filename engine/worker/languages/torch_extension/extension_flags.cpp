#include "engine/worker/languages/torch_extension/extension_flags.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <optional>
#include <regex>
#include <sstream>
#include <string_view>

#include "engine/worker/languages/cuda/relocatable.hpp"
#include "engine/worker/languages/flags/cpp_flags.hpp"
#include "engine/worker/languages/flags/cuda_flags.hpp"
#include "engine/worker/languages/flags/refused_flag.hpp"

namespace ridgeline::torch_extension {
namespace {

/// Adds the words of one element as a shell splits them, quotes and backslashes taken off. Variables and
/// commands stay as they stand, and no list allows them.
void add_words(std::string_view element, std::vector<std::string>& words) {
  std::string word;
  bool begun = false;
  char quote = 0;
  for (std::size_t i = 0; i < element.size(); ++i) {
    const char c = element[i];
    if (c == '\\' && quote != '\'' && i + 1 < element.size()) {
      word += element[++i];
      begun = true;
    } else if (quote != 0 ? c == quote : c == '"' || c == '\'') {
      quote = quote != 0 ? '\0' : c;
      begun = true;
    } else if (quote == 0 && std::string_view{" \t\n"}.find(c) != std::string_view::npos) {
      if (begun && !word.empty()) words.push_back(std::move(word));
      word.clear();
      begun = false;
    } else {
      word += c;
      begun = true;
    }
  }
  if (!word.empty()) words.push_back(std::move(word));
}

std::vector<std::string> words_of(const std::vector<std::string>& elements) {
  std::vector<std::string> words;
  for (const auto& element : elements) add_words(element, words);
  return words;
}

/// No flag that is too long to be read is on a list.
bool says(const std::string& flag, const std::regex& what) {
  return flag.size() <= languages::longest_flag && std::regex_match(flag, what);
}

/// Changes nothing in what is built, or is given by the builder anyway.
bool superfluous(const std::string& flag) {
  static const std::regex what{
      "-shared|-[LI]/"
      "usr\\S*|-l(c10|c10_cuda|torch|torch_cpu|torch_cuda|torch_python|cudart|cudadevrt|m|pthread)"
      "|-v|--verbose|-m64"};
  return says(flag, what);
}

bool superfluous_host(const std::string& flag) {
  static const std::regex what{"-fPIC|-pthread|-Wall|-Wextra|-pipe|-x=?c\\+\\+"};
  return superfluous(flag) || says(flag, what);
}

bool superfluous_nvcc(const std::string& flag) {
  static const std::regex what{
      "-x=?cu|-t[0-9]*|--?(t|threads|split-compile)=[0-9]*|--?allow-unsupported-compiler|-m=64|--machine=64"
      "|--?(ptxas-options|Xptxas)=-v|-res-usage|--resource-usage|--?forward-unknown-(to-host-compiler|opts)"};
  return superfluous(flag) || says(flag, what);
}

/// A warning that g++ is told to leave out, and of which nvcc knows two names alone.
bool silences_host(const std::string& flag) {
  static const std::regex what{"-Wno-(?!deprecated-(declarations|gpu-targets)$)[a-z0-9=+-]+"};
  return says(flag, what);
}

/// Changes nothing in what is built, and ends nvcc: "Unknown option".
bool unknown_to_nvcc(const std::string& flag) {
  static const std::regex what{"-fPIC|-pthread|-Wall|-Wextra|-pipe"};
  return silences_host(flag) || says(flag, what);
}

bool plain_host(const std::string& flag) {
  static const std::regex more{
      "-Wno-[a-z0-9=+-]+|-U[A-Za-z0-9_]+|-fopenmp|-ffp-contract=\\w+|-fvisibility=\\w+"};
  return says(flag, more) || !languages::first_forbidden({flag});
}

/// Returns whether nvcc hands the flag on to g++ where it is told to: options of these names are its own.
bool forwarded(const std::string& flag) {
  return plain_host(flag) && !flag.starts_with("-std") && !flag.starts_with("-O");
}

std::optional<std::string> host_behind(const std::string& flag) {
  for (const std::string_view form : {"-Xcompiler=", "--compiler-options="})
    if (flag.starts_with(form)) return flag.substr(form.size());
  return std::nullopt;
}

/// The flags between commas that g++ gets; those that change nothing are left out. Empty if one is not
/// allowed.
std::optional<std::vector<std::string>> plain_host_parts(const std::string& behind) {
  std::vector<std::string> plain;
  std::istringstream parts{behind};
  for (std::string part; std::getline(parts, part, ',');) {
    if (part.empty() || superfluous_host(part)) continue;
    if (!plain_host(part)) return std::nullopt;
    plain.push_back(part);
  }
  return plain;
}

bool plain_cuda(const std::string& flag) {
  static const std::regex more{
      "-U[A-Za-z0-9_]+|-g|-G|--?(diag-suppress|expt-\\w+)=[\\w,-]+|--?diag_suppress=[0-9,]+"
      "|-Xcudafe=--diag_suppress=\\w+|--?disable-warnings|--?Wno-deprecated-(declarations|gpu-targets)"
      "|--?(relaxed|expt)-[a-z-]+"};
  return says(flag, more) || !languages::first_forbidden_cuda({flag});
}

/// A value in the next word joined to its flag. Several values in one word stand between commas afterwards.
std::vector<std::string> with_words_joined(const std::vector<std::string>& words) {
  constexpr auto with_value = std::to_array<std::string_view>(
      {"-Xcompiler", "--compiler-options", "-Xcudafe", "-diag-suppress", "--diag-suppress", "-x", "-t",
       "--threads", "-split-compile", "--split-compile", "-m", "--machine"});
  constexpr auto with_text = std::to_array<std::string_view>({"-I", "-L", "-l", "-U"});
  const auto among = [](const auto& names, const std::string& word) {
    return std::ranges::find(names, word) != names.end();
  };
  std::vector<std::string> flags;
  for (std::size_t i = 0; i < words.size(); ++i) {
    flags.push_back(words[i]);
    if (i + 1 == words.size()) break;
    if (among(with_value, words[i]))
      flags.back() += "=" + words[++i];
    else if (among(with_text, words[i]))
      flags.back() += words[++i];
  }
  flags = languages::with_values_joined(flags);
  for (auto& flag : flags)
    if (host_behind(flag) || flag.starts_with("-Xptxas=") || flag.starts_with("--ptxas-options="))
      std::ranges::replace(flag, ' ', ',');
  return flags;
}

bool known_library(const std::string& flag) {
  static const std::regex what{"-l(cublas|cublasLt|cusparse|cusolver|curand|cufft|cudnn|cuda|nvrtc|gomp)"};
  return says(flag, what);
}

/// Whether nvcc is told to hand on to g++ what it does not know itself.
bool forwards(const std::vector<std::string>& flags) {
  return std::ranges::any_of(flags, [](std::string_view flag) {
    return flag.find("-forward-unknown-to-host-compiler") != std::string_view::npos;
  });
}

}  // namespace

bool ExtensionFlags::relocatable() const {
  return languages::names_relocatable(cuda);
}

std::string ForbiddenFlag::words() const {
  return list + ": " + languages::refusal_of(flag, list == "extra_cuda_cflags");
}

std::variant<ExtensionFlags, ForbiddenFlag> read_extension_flags(const ExtensionRequest& request) {
  ExtensionFlags flags;
  for (const auto& flag : with_words_joined(words_of(request.cflags))) {
    if (superfluous_host(flag) || known_library(flag)) continue;
    if (!plain_host(flag)) return ForbiddenFlag{flag, "extra_cflags"};
    flags.host.push_back(flag);
  }
  const auto cuda = with_words_joined(words_of(request.cuda_cflags));
  const bool forwarding = forwards(cuda);
  for (const auto& flag : cuda) {
    if (superfluous_nvcc(flag) || known_library(flag)) continue;
    if (const auto behind = host_behind(flag)) {
      const auto parts = plain_host_parts(*behind);
      if (!parts) return ForbiddenFlag{flag, "extra_cuda_cflags"};
      if (!parts->empty()) flags.cuda.push_back(fmt::format("-Xcompiler={}", fmt::join(*parts, ",")));
    } else if (unknown_to_nvcc(flag)) {
      if (!forwarding) flags.unknown_to_nvcc.push_back(flag);
      if (forwarding && silences_host(flag)) flags.cuda.push_back("-Xcompiler=" + flag);
    } else if (plain_cuda(flag)) {
      flags.cuda.push_back(flag);
    } else if (forwarding && forwarded(flag)) {
      flags.cuda.push_back("-Xcompiler=" + flag);
    } else {
      return ForbiddenFlag{flag, "extra_cuda_cflags"};
    }
  }
  for (const auto& flag : with_words_joined(words_of(request.ldflags))) {
    if (superfluous(flag) || flag == "-pthread") continue;
    if (flag == "-fopenmp") {  // to a linker that means its library
      flags.libraries.emplace_back("-lgomp");
      continue;
    }
    if (!known_library(flag)) return ForbiddenFlag{flag, "extra_ldflags"};
    flags.libraries.push_back(flag);
  }
  return flags;
}

std::string note_of(const ExtensionFlags& flags) {
  if (flags.unknown_to_nvcc.empty()) return {};
  return fmt::format("left out {}, which nvcc itself refuses", fmt::join(flags.unknown_to_nvcc, " "));
}

}  // namespace ridgeline::torch_extension
