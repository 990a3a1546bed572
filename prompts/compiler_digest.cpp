#include "prompts/compiler_digest.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "prompts/diagnostics.hpp"
#include "prompts/reasons.hpp"
#include "prompts/text.hpp"
#include "prompts/token_budget.hpp"

namespace ridgeline::prompts {
namespace {

constexpr std::size_t longest_message = 600;  // template errors run to kilobytes and repeat themselves
constexpr std::size_t longest_quote = 160;    // bytes of a source line
constexpr std::size_t most_lines_named = 8;   // of one message that repeats
constexpr std::size_t tail_lines = 40;        // of a log that nothing could be read from

/// Whether the message is about text that the build adds behind the candidate's
/// (engine/worker/languages/trampoline.hpp). The model has never seen it, so a place in it says nothing.
bool is_ours(const Diagnostic& message) {
  return message.file == "signature_check";
}

std::string place(const Diagnostic& one) {
  if (one.file.empty() || is_ours(one)) return "";
  if (one.line == 0) return one.file + ": ";
  if (one.column == 0) return fmt::format("{}:{}: ", one.file, one.line);
  return fmt::format("{}:{}:{}: ", one.file, one.line, one.column);
}

std::string quote(const Diagnostic& one, const std::vector<std::string_view>& source) {
  auto text = one.quoted;
  // The model's own source counts lines from 1; a header's line would quote an unrelated one.
  const auto index = static_cast<std::size_t>(one.line) - 1;
  if (is_ours(one)) return "";
  if (text.empty() && one.line > 0 && !one.system && index < source.size()) text = std::string(source[index]);
  if (is_blank(text)) return "";
  return fmt::format("\n    {} | {}", one.line, cut(trim_right(text), longest_quote));
}

std::string in_full(const Diagnostic& one, const std::vector<std::string_view>& source) {
  std::string_view message = one.message;
  constexpr std::string_view asserted = "static assertion failed: ";
  if (is_ours(one) && message.starts_with(asserted)) message.remove_prefix(asserted.size());
  auto text = fmt::format("{}{}: {}", place(one), to_string(one.severity), cut(message, longest_message));
  text += quote(one, source);
  if (!one.also_at.empty() && !is_ours(one)) {
    const auto named = std::min(one.also_at.size(), most_lines_named);
    const std::vector<int> lines(one.also_at.begin(),
                                 one.also_at.begin() + static_cast<std::ptrdiff_t>(named));
    text += fmt::format("\n    the same at line{} {}{}", one.also_at.size() == 1 ? "" : "s",
                        fmt::join(lines, ", "), named < one.also_at.size() ? ", …" : "");
  }
  return text;
}

/// Orders errors before notes before warnings. Earlier errors come first by the order of the log: later ones
/// are often their consequences. A message inside a header of the system is less use than one in the kernel.
int importance(const Diagnostic& message, bool any_error) {
  switch (message.severity) {
    case Severity::error:
      return message.system ? 80 : 90;
    case Severity::note:
      return message.system ? 10 : 40;
    case Severity::warning:
      return any_error ? 20 : 60;
  }
  return 0;
}

}  // namespace

std::string compiler_digest(const Verdict& verdict, const Task& task, std::string_view source, int tokens) {
  const auto& build = verdict.at(Stage::build);
  const auto cleaned = clean(source);
  const auto source_lines = lines_of(cleaned);
  const auto diagnostics = parse_diagnostics(verdict.build_log);
  const auto errors = std::count_if(diagnostics.begin(), diagnostics.end(),
                                    [](const Diagnostic& one) { return one.severity == Severity::error; });
  Excerpt excerpt;
  const auto compiler = verdict.compiler.empty() ? "" : fmt::format(" ({})", clean(verdict.compiler));
  excerpt.add(fmt::format("The kernel {}{}.", in_words(build.reason), compiler), 100);
  const auto detail = safe_detail(build, task);
  // The detail repeats the first error, so it is shown only if the log gave none.
  if (!detail.empty() && (errors == 0 || build.reason != Reason::compile_error))
    excerpt.add(cut(detail, longest_message), 95);
  for (const auto& one : diagnostics) excerpt.add(in_full(one, source_lines), importance(one, errors > 0));
  // A log in a format that the parser does not know: its end mostly says what failed.
  if (diagnostics.empty() && !is_blank(verdict.build_log)) {
    const auto log = clean(verdict.build_log);
    const auto lines = lines_of(log);
    excerpt.add("The compiler said at the end:", 50);
    for (std::size_t i = lines.size() > tail_lines ? lines.size() - tail_lines : 0; i < lines.size(); ++i)
      if (!is_blank(lines[i])) excerpt.add("    " + cut(lines[i], longest_quote), 49);
  }
  return excerpt.within(tokens);
}

}  // namespace ridgeline::prompts
