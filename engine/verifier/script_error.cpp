#include "engine/verifier/script_error.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>

#include "engine/core/one_line.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::string_view frame_mark = "  File \"<string>\", line ";
constexpr std::string_view here_mark = " <--- HERE";
constexpr std::size_t longest_excerpt = 400;

/// Puts a message into one line without its final punctuation, and shortens it.
std::string in_short(std::string_view text) {
  auto line = in_one_line(text);
  while (!line.empty() && (line.back() == ' ' || line.back() == ':' || line.back() == '.')) line.pop_back();
  while (line.starts_with(' ')) line.erase(0, 1);
  if (line.size() > longest_excerpt) line = line.substr(0, longest_excerpt) + "...";
  return line;
}

/// The column of the `~~~ <--- HERE` mark under the line that a frame shows; 0 if it shows none.
int column_in(std::string_view excerpt) {
  const auto mark = excerpt.find(here_mark);
  if (mark == std::string_view::npos) return 0;
  const auto line = excerpt.rfind('\n', mark);
  const auto begin = line == std::string_view::npos ? 0 : line + 1;
  const auto first = excerpt.find('~', begin);
  return first < mark ? static_cast<int>(first - begin) + 1 : 0;
}

/// Finds the words that say what is wrong. Compilers print them before the place, interpreters after it.
std::string_view words_of(std::string_view message, std::size_t first_frame) {
  constexpr std::string_view raised = "\nRuntimeError: ";
  if (const auto at = message.rfind(raised); at != std::string_view::npos)
    return message.substr(at + raised.size());
  return message.substr(0, first_frame);
}

/// The amount in "you tried to allocate 6250000000000 bytes" (the CPU's allocator) or "Tried to allocate
/// 20.00 GiB" (CUDA's), in bytes.
std::optional<double> bytes_asked(std::string_view message) {
  constexpr std::string_view words = "ried to allocate ";
  const auto at = message.find(words);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string amount(message.substr(at + words.size(), 40));
  char* end = nullptr;
  const double number = std::strtod(amount.c_str(), &end);
  const std::string_view unit = end;
  return number * (unit.starts_with(" GiB")   ? 0x1p30
                   : unit.starts_with(" MiB") ? 0x1p20
                   : unit.starts_with(" KiB") ? 0x1p10
                                              : 1);
}

}  // namespace

std::string ScriptError::text(std::string_view name) const {
  if (line == 0) return fmt::format("{}: {}", name, what);
  return fmt::format("{}:{}:{}: {}", name, line, std::max(column, 1), what);
}

ScriptError read_script_error(std::string_view message) {
  ScriptError error;
  const auto first = message.find(frame_mark);
  // The frames of callers follow the faulty frame when a script is compiled, and precede it when it runs.
  const bool runs = message.find("Traceback of TorchScript") != std::string_view::npos;
  const auto at = runs ? message.rfind(frame_mark) : first;
  if (at != std::string_view::npos) {
    const auto rest = message.substr(at + frame_mark.size());
    error.line = std::atoi(std::string(rest.substr(0, 9)).c_str());
    error.column = column_in(rest.substr(0, rest.find(frame_mark)));
  }
  const auto words = words_of(message, first);
  // The words from "Exception raised from" on name a place in torch's own source and help nobody here.
  error.what = in_short(words.substr(0, words.find("Exception raised from ")));
  error.bytes = bytes_asked(message);
  return error;
}

}  // namespace ridgeline::verifier
