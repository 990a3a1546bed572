#include "engine/worker/languages/flags/cuda_flags.hpp"

#include <algorithm>
#include <array>
#include <regex>
#include <string_view>

#include "engine/worker/languages/flags/cpp_flags.hpp"

namespace ridgeline::languages {
namespace {

constexpr auto kWithValue = std::to_array<std::string_view>({"-arch",
                                                             "--gpu-architecture",
                                                             "-code",
                                                             "--gpu-code",
                                                             "-gencode",
                                                             "--generate-code",
                                                             "-Xptxas",
                                                             "-D",
                                                             "-O",
                                                             "--optimize",
                                                             "--ptxas-options",
                                                             "-std",
                                                             "--std",
                                                             "-maxrregcount",
                                                             "--maxrregcount",
                                                             "-rdc",
                                                             "--relocatable-device-code",
                                                             "-ftz",
                                                             "--ftz",
                                                             "-fmad",
                                                             "--fmad",
                                                             "-prec-div",
                                                             "--prec-div",
                                                             "-prec-sqrt",
                                                             "--prec-sqrt",
                                                             "-default-stream",
                                                             "--default-stream"});

bool takes_value(std::string_view flag) {
  return std::ranges::find(kWithValue, flag) != kWithValue.end();
}

const std::regex& allowed_by_nvcc() {
  // Behind -Xptxas a comma begins another flag, so each of them is on a list too.
  static const std::string ptxas =
      "((-O|--?opt-level=)[0-3]|-v|--verbose|--?(dlcm|def-load-cache)=c[agsv]"
      "|--?(dscm|def-store-cache)=(wb|cg|cs|wt)|--?(warn-spills|warn-lmem-usage|warn-double-usage)"
      "|--warn-on-(spills|local-memory-usage|double-precision-use)|--?register-usage-level=[0-9]{1,2}"
      "|--?allow-expensive-optimizations=(true|false))";
  static const std::string code = "(sm|compute)_[0-9]{2,3}[af]?";
  static const std::string codes = "[\\[\"']?" + code + "(," + code + ")*[\\]\"']?";
  static const std::regex flags{
      "(-O|--?optimize=)[0-3]|--?(lineinfo|generate-line-info)|-w|-src-in-ptx|--source-in-ptx"
      "|--?(use_fast_math|extra-device-vectorization|restrict|expt-relaxed-constexpr|extended-lambda"
      "|expt-extended-lambda)"
      "|-(arch|-gpu-architecture)=(" +
      code +
      "|native|all|all-major)"
      "|-(code|-gpu-code)=" +
      codes + "|-(gencode|-generate-code)=arch=compute_[0-9]{2,3}[af]?,code=" + codes +
      "|--?std=c\\+\\+(11|14|17|20)"
      "|--?maxrregcount=[0-9]{1,3}"
      "|--?(fmad|ftz|prec-div|prec-sqrt|rdc|relocatable-device-code)=(true|false)"
      "|--?default-stream=(legacy|null|per-thread)"
      "|-D[A-Za-z0-9_+.=-]+"
      "|-(Xptxas|-ptxas-options)=" +
      ptxas + "(," + ptxas + ")*"};
  return flags;
}

bool names_architecture(std::string_view flag) {
  return flag.starts_with("-arch=") || flag.starts_with("--gpu-architecture=") ||
         flag.starts_with("-gencode=") || flag.starts_with("--generate-code=");
}

std::string machine_code(const std::string& architecture) {
  return "-gencode=arch=compute_" + architecture.substr(architecture.find('_') + 1) + ",code=" + architecture;
}

}  // namespace

std::vector<std::string> default_cuda_flags(const std::string& architecture) {
  return {"-std=c++17", "-O3", "-arch=" + architecture};
}

std::vector<std::string> with_values_joined(const std::vector<std::string>& flags) {
  std::vector<std::string> joined;
  for (std::size_t i = 0; i < flags.size(); ++i) {  // one letter takes its value without "="
    const bool pair = takes_value(flags[i]) && i + 1 < flags.size();
    joined.push_back(pair ? flags[i] + (flags[i].size() == 2 ? "" : "=") + flags[i + 1] : flags[i]);
    i += pair;
  }
  return joined;
}

std::optional<std::string> first_forbidden_cuda(const std::vector<std::string>& flags) {
  for (const auto& flag : with_values_joined(flags))
    if (flag.size() > longest_flag || !std::regex_match(flag, allowed_by_nvcc())) return flag;
  return std::nullopt;
}

std::vector<std::string> with_architecture(std::vector<std::string> flags, const std::string& architecture) {
  flags = with_values_joined(flags);
  if (std::ranges::none_of(flags, names_architecture)) flags.push_back("-arch=" + architecture);
  return flags;
}

std::vector<std::string> for_nvcc(const std::vector<std::string>& flags) {
  std::vector<std::string> spelled;
  for (const auto& flag : with_values_joined(flags)) {
    const bool short_form = flag.starts_with("-arch=sm_") || flag.starts_with("--gpu-architecture=sm_");
    spelled.push_back(short_form ? machine_code(flag.substr(flag.find('=') + 1)) : flag);
  }
  return spelled;
}

}  // namespace ridgeline::languages
