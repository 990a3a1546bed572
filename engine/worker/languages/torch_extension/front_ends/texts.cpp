#include "engine/worker/languages/torch_extension/front_ends/texts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace ridgeline::front_ends {
namespace {

constexpr std::string_view kWritten =
    "#include <torch/types.h>\n#include <cuda.h>\n#include <cuda_runtime.h>\n";
constexpr int kFirstLine = 4;                             // of the answer's own text, behind kWritten
constexpr std::string_view kHolder = "ridgeline-holder";  // the name of the held text from its last lines on
constexpr int kHolderLine = 1'000'000;                    // no source has it
constexpr std::string_view kEnd = "ridgeline-end";
constexpr int kMostErrors = 21;  // g++ stops at the error after -fmax-errors=20 (commands.cpp)

void erase_each(std::string& text, std::string_view part, std::string_view instead) {
  for (auto at = text.find(part); at != text.npos; at = text.find(part, at + instead.size()))
    text.replace(at, part.size(), instead);
}

/// Whether the line is one of the source, which compilers print below a message: "   12 |   f(x);" of g++,
/// "    f(x);" of nvcc. It may hold any words, so also ": error: ".
bool is_quoted(std::string_view line) {
  if (line.starts_with(' ')) return true;
  const auto digits = line.find_first_not_of("0123456789");
  return digits != 0 && digits != line.npos && line.substr(digits).starts_with(" |");
}

/// Whether the first severity that the line names is an error: what follows it is free text.
bool has_severity_of_an_error(std::string_view line) {
  constexpr std::array<std::string_view, 4> errors{": error: ", ": error #",
                                                   ": fatal error: ", ": catastrophic error"};
  constexpr std::array<std::string_view, 4> others{": warning: ", ": warning #", ": note: ", ": remark"};
  const auto first_of = [&](const auto& severities) {
    auto first = line.npos;
    for (const auto severity : severities) first = std::min(first, line.find(severity));
    return first;
  };
  return first_of(errors) < first_of(others);
}

}  // namespace

std::string headers_text() {
  return std::string{kWritten} + "#include <torch/extension.h>\n";
}

std::string held_text() {
  return headers_text() + fmt::format("#line {} \"{}\"\n#include \"{}\"\n", kHolderLine, kHolder, held_at);
}

std::optional<std::string> text_for_expansion(std::string_view cuda, const std::string& module) {
  if (!cuda.starts_with(kWritten)) return std::nullopt;
  // Three lines, as kWritten has: a compiler that quotes a line counts them in this text.
  return fmt::format(
      "#undef TORCH_EXTENSION_NAME\n#define TORCH_EXTENSION_NAME {}\n#line {} \"cuda.cu\"\n{}\n", module,
      kFirstLine, cuda.substr(kWritten.size()));
}

std::optional<std::string> text_for_parsing(std::string_view expanded) {
  const auto begin = expanded.find(fmt::format("# {} \"cuda.cu\"\n", kFirstLine));
  const auto end = expanded.rfind(fmt::format("# {} \"{}\"", kHolderLine + 1, kHolder));
  if (begin == expanded.npos || end == expanded.npos || end < begin) return std::nullopt;
  return std::string{expanded.substr(begin, end - begin)};
}

std::string without_holder(std::string_view messages) {
  std::string said{messages};
  const auto place = fmt::format("from {}:{}", kHolder, kHolderLine);
  erase_each(said, fmt::format(",\n                 {}:\n", place), ":\n");
  erase_each(said, fmt::format(",\n                 {},\n", place), ",\n");
  erase_each(said, fmt::format("In file included {}:\n", place), "");
  return said;
}

std::string with_end(std::string_view main) {
  // The empty line is for a last line that ends with a backslash. A macro of the source's own may have either
  // name, which would make an error of what is right.
  auto text = fmt::format("{}\n\n#line 1 \"{}\"\n#undef static_assert\n#undef false\n", main, kEnd);
  for (int i = 0; i < kMostErrors; ++i) text += "static_assert(false);\n";
  return text;
}

std::optional<std::string> errors_before_end(std::string_view messages) {
  auto end = messages.find(fmt::format("{}:", kEnd));
  if (end == messages.npos) {
    // 20 errors of the source's own leave none for the end. A compiler that died told no error, or this one.
    if (messages.find("compilation terminated") == messages.npos) return std::nullopt;
    end = messages.size();
  }
  const auto said = messages.substr(0, end);
  if (!tells_error(said)) return std::nullopt;
  return std::string{said};
}

bool tells_error(std::string_view messages) {
  while (!messages.empty()) {
    const auto line = messages.substr(0, messages.find('\n'));
    if (!is_quoted(line) && has_severity_of_an_error(line)) return true;
    messages.remove_prefix(std::min(line.size() + 1, messages.size()));
  }
  return false;
}

}  // namespace ridgeline::front_ends
