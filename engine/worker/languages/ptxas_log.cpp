#include "engine/worker/languages/ptxas_log.hpp"

#include <algorithm>
#include <charconv>
#include <optional>

#include "engine/core/kernel_name.hpp"

namespace ridgeline::languages {
namespace {

constexpr std::string_view kInfo = "ptxas info    : ";
constexpr auto npos = std::string_view::npos;

std::string_view without_indent(std::string_view text) {
  const auto begin = text.find_first_not_of(' ');
  return begin == npos ? std::string_view{} : text.substr(begin);
}

/// "48" of "48 bytes smem".
std::optional<std::int64_t> leading_number(std::string_view text) {
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc{} && end != text.data() ? std::optional{value} : std::nullopt;
}

/// Returns what stands between the two marks.
std::string_view between(std::string_view text, std::string_view open, std::string_view close) {
  const auto begin = text.find(open);
  if (begin == npos) return {};
  const auto rest = text.substr(begin + open.size());
  const auto end = rest.find(close);
  return end == npos ? std::string_view{} : rest.substr(0, end);
}

/// One of "40 registers", "used 1 barriers", "2048 bytes smem", "400 bytes cmem[0]", "8 bytes spill stores".
void read_figure(KernelResources& kernel, std::string_view part) {
  for (const std::string_view word : {"Used ", "used "})
    if (part.starts_with(word)) part.remove_prefix(word.size());
  const auto value = leading_number(part);
  if (!value) return;
  const auto unit = part.substr(std::min(part.find(' '), part.size()));
  if (unit == " registers") kernel.registers = static_cast<int>(*value);
  if (unit == " barriers") kernel.barriers = static_cast<int>(*value);
  if (unit == " bytes stack frame") kernel.stack = *value;
  if (unit == " bytes cumulative stack size") kernel.stack = std::max(kernel.stack, *value);
  if (unit == " bytes spill stores") kernel.spill_stores = *value;
  if (unit == " bytes spill loads") kernel.spill_loads = *value;
  if (unit == " bytes smem") kernel.shared = *value;
  if (unit.starts_with(" bytes cmem[")) kernel.constant += *value;
}

void read_figures(KernelResources& kernel, std::string_view line) {
  for (;;) {
    const auto comma = line.find(',');
    read_figure(kernel, without_indent(line.substr(0, comma)));
    if (comma == npos) return;
    line.remove_prefix(comma + 1);
  }
}

class Reader {
 public:
  void read(std::string_view line) {
    const bool figures_of_function = in_properties_ && line.starts_with("    ");
    in_properties_ = false;
    if (figures_of_function) {
      if (about_entry_) read_figures(log_.kernels.back(), line);
    } else if (!line.starts_with(kInfo) || line.substr(kInfo.size()).starts_with('(')) {
      log_.rest.append(line).append("\n");
    } else {
      info(line.substr(kInfo.size()));
    }
  }
  PtxasLog take() { return std::move(log_); }

 private:
  void info(std::string_view text) {
    if (text.starts_with("Compiling entry function ")) {
      entry_ = between(text, "'", "'");
      log_.kernels.emplace_back();
      log_.kernels.back().kernel = kernel_name(entry_);
      log_.kernels.back().architecture = between(text, "' for '", "'");
    } else if (text.starts_with("Function properties for ")) {
      // Functions that were not inlined have properties too.
      in_properties_ = true;
      about_entry_ = !log_.kernels.empty() && text.substr(text.rfind(' ') + 1) == entry_;
    } else if (text.starts_with("Used ") && !log_.kernels.empty()) {
      read_figures(log_.kernels.back(), text);
    }
  }

  PtxasLog log_;
  std::string entry_;
  bool in_properties_ = false;
  bool about_entry_ = false;
};

}  // namespace

PtxasLog parse_ptxas(std::string_view log) {
  Reader reader;
  while (!log.empty()) {
    const auto end = log.find('\n');
    reader.read(log.substr(0, end));
    log.remove_prefix(end == npos ? log.size() : end + 1);
  }
  return reader.take();
}

}  // namespace ridgeline::languages
