#include "engine/worker/languages/build_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <initializer_list>
#include <sstream>
#include <string_view>

#include "engine/core/signature.hpp"
#include "engine/worker/languages/trampoline.hpp"

namespace ridgeline::languages {
namespace {

bool mentions(std::string_view text, std::initializer_list<std::string_view> parts) {
  for (const auto part : parts)
    if (text.find(part) != std::string_view::npos) return true;
  return false;
}

/// Lists how nvcc and its parts begin their own errors.
constexpr auto kTools = std::to_array<std::string_view>(
    {"ptxas error", "ptxas fatal", "nvlink error", "nvlink fatal", "nvcc error", "nvcc fatal"});

std::string first_error(const std::string& log) {
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);)
    if (mentions(line,
                 {"error: ", "): error #", "; error   : ", "undefined reference", "undefined symbol"}) ||
        std::ranges::any_of(kTools, [&](std::string_view tool) { return line.starts_with(tool); }))
      return line;
  return {};
}

bool names(std::string_view line, std::string_view identifier) {
  const auto part_of_name = [&](std::size_t at) {
    return at < line.size() && (std::isalnum(static_cast<unsigned char>(line[at])) || line[at] == '_');
  };
  for (auto at = line.find(identifier); at != std::string_view::npos; at = line.find(identifier, at + 1))
    if (!(at > 0 && part_of_name(at - 1)) && !part_of_name(at + identifier.size())) return true;
  return false;
}

/// The only thing wrong is that nothing of the entry point's name is there.
bool lacks_entry_point(const std::string& log, const std::string& entry, std::string_view source) {
  bool lacking = false;
  std::istringstream lines{log};
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with(source) && mentions(line, {"error: ", "error #"})) return false;
    lacking |=
        names(line, entry) && mentions(line, {"has not been declared", "no member named", "has no \""});
    for (const char* undefined :
         {"undefined reference", "undefined symbol"})  // gold tells before it where from
      if (const auto at = line.find(undefined); at != line.npos)
        lacking |= names(std::string_view{line}.substr(at), entry);
  }
  return lacking;
}

}  // namespace

BuildFailure classify_compile(const sandbox::ConfinedExit& exit, const sandbox::Limits& limits) {
  BuildFailure failure;
  failure.log = exit.err;
  const auto because = [&](Reason reason, std::string detail) {
    failure.reason = reason;
    failure.detail = std::move(detail);
    return failure;
  };
  switch (exit.ending) {
    case sandbox::Ending::wall_limit:
    case sandbox::Ending::cpu_limit:
      return because(Reason::build_timeout, "the compiler " + sandbox::describe(exit) +
                                                "; instantiate or evaluate less at compile time");
    case sandbox::Ending::idle_limit:
      return because(Reason::build_timeout, "the compiler " + sandbox::describe(exit) +
                                                "; a source may include no pipe, device or locked file");
    case sandbox::Ending::memory_limit:
    case sandbox::Ending::process_limit:
    case sandbox::Ending::output_limit:
      return because(Reason::build_limits, "the compiler " + sandbox::describe(exit));
    case sandbox::Ending::signalled:
    case sandbox::Ending::refused_syscall:
    case sandbox::Ending::killed:
      return because(Reason::compile_error, "the compiler " + sandbox::describe(exit));
    case sandbox::Ending::exited:
      break;
  }
  // A driver tells of its killed half in words; nvcc by number: SIGKILL, SIGXCPU.
  if (mentions(exit.err, {"signal terminated program", "died due to signal 9 ", "died due to signal 24 "})) {
    const bool slow = limits.cpu_seconds && exit.cpu_seconds > 0.8 * *limits.cpu_seconds;
    return slow ? because(Reason::build_timeout,
                          "the compiler was stopped at its limit of CPU time; do less at compile time")
                : because(Reason::build_limits, "the compiler was stopped at a limit of its sandbox");
  }
  if (mentions(exit.err, {"virtual memory exhausted", "out of memory", "Cannot allocate memory",
                          "memory exhausted", "std::bad_alloc"}))
    return because(Reason::build_limits, "the compiler ran out of the memory that it may use");
  if (mentions(exit.err, {"File too large", "File size limit", "No space left", "died due to signal 25 "}))
    return because(Reason::build_limits, "the compiler wrote more than a file may hold");
  return because(Reason::compile_error, first_error(exit.err));
}

BuildFailure classify_build(const sandbox::ConfinedExit& exit, const sandbox::Limits& limits,
                            const Task& task, Language language) {
  auto failure = classify_compile(exit, limits);
  const std::string entry = entry_point(task);
  if (exit.ending == sandbox::Ending::exited && failure.reason == Reason::compile_error &&
      lacks_entry_point(exit.err, entry, source_file(language))) {
    failure.reason = Reason::missing_entry_point;
    failure.detail = fmt::format(
        "the source defines no `{}` with C linkage; define extern \"C\" void {}(...)", entry, entry);
  }
  return failure;
}

}  // namespace ridgeline::languages
