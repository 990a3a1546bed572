#include "engine/history/verdict_line.hpp"

#include <fmt/format.h>

#include "engine/core/counters.hpp"
#include "engine/core/one_line.hpp"
#include "engine/history/figures.hpp"

namespace ridgeline::history {

std::string verdict_line(const Verdict& verdict) {
  if (verdict.correct() && !verdict.cheated) {
    if (!verdict.scorable())
      return "correct, but the machine could not time it: " + in_one_line(verdict.at(Stage::timing).detail);
    if (!verdict.timing) return "correct, not timed";
    return fmt::format("correct, {:.2f}x ({:.2f}..{:.2f})", verdict.timing->speedup,
                       verdict.timing->speedup_low, verdict.timing->speedup_high);
  }
  const auto stage = verdict.failed_at();
  if (!stage) return "rejected: it does not do the work in the call";
  const auto& result = verdict.at(*stage);
  std::string line =
      fmt::format("{} {}: {}", result.status == Status::failed ? "fails" : "could not be judged at",
                  to_string(*stage), to_string(result.reason));
  if (!result.detail.empty()) line += ": " + result.detail.substr(0, result.detail.find('\n'));
  return line;
}

std::vector<std::string> remark_lines(const Verdict& verdict) {
  std::vector<std::string> lines;
  for (const auto& flag : verdict.flags) lines.push_back("suspicion: " + flag);
  if (!verdict.posed.empty()) lines.push_back("posed in another way than the file: " + verdict.posed);
  for (const auto& note : verdict.notes) lines.push_back("note: " + note);
  return lines;
}

std::string kernel_time_line(const Roofline& roofline) {
  const auto own = find_counter(roofline.counters, counter::kernel_seconds);
  return own ? fmt::format("kernel's own time {}, claimed (call {})", as_time(*own),
                           as_time(roofline.seconds))
             : "";
}

}  // namespace ridgeline::history
