#include "tests/engine/worker/judge/schedule/schedule_log.hpp"

#include <fmt/format.h>

#include <variant>

namespace ridgeline::judge {
namespace {

std::string line(const StartRunners& start) {
  return fmt::format("start {} {}, open {}{}", name_of(start.kind), start.keep, start.open,
                     start.may_fail ? ", may fail" : "");
}
std::string line(const EndRetiredRunners&) {
  return "end retired";
}
std::string line(const WaitForRetiredRunners&) {
  return "wait for retired";
}
std::string line(const WaitForBackgroundWork&) {
  return "wait for background work";
}
std::string line(const ProbeDevice&) {
  return "probe device";
}
std::string line(const FindRunnerAtHand& find) {
  return fmt::format("find {} at hand", name_of(find.kind));
}
std::string line(const CountAhead& count) {
  return fmt::format("count ahead in {}", name_of(count.kind));
}
std::string line(const WaitForCounting&) {
  return "wait for counting";
}
std::string line(const GiveUpCounting&) {
  return "give up counting";
}
std::string line(const PauseImportingRunners&) {
  return "pause importing";
}
std::string line(const ContinueImportingRunners&) {
  return "continue importing";
}

}  // namespace

std::vector<std::string> log_of(JudgeSchedule& schedule) {
  std::vector<std::string> lines;
  for (const auto& action : schedule.take_actions())
    lines.push_back(std::visit([](const auto& one) { return line(one); }, action));
  return lines;
}

}  // namespace ridgeline::judge
