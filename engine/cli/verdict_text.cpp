#include "engine/cli/verdict_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "engine/cli/printing.hpp"
#include "engine/core/short_number.hpp"
#include "engine/history/verdict_line.hpp"
#include "prompts/error_digest.hpp"
#include "prompts/text.hpp"

namespace ridgeline::cli {
namespace {

constexpr int failure_tokens = 2000;  // more than a prompt gets: a person scrolls

std::string stages_text(const Verdict& verdict) {
  std::vector<std::vector<std::string>> rows{{"stage", "status", "time", "reason"}};
  for (const auto& [stage, name] : enum_names(Stage{})) {
    const auto& result = verdict.at(stage);
    std::string why;
    if (result.reason != Reason::none) why = to_string(result.reason);
    if (!result.detail.empty()) why += (why.empty() ? "" : ": ") + result.detail;
    const bool ran = result.status != Status::not_reached;
    rows.push_back({std::string(name), std::string(to_string(result.status)),
                    ran ? as_time(result.seconds) : std::string(), std::move(why)});
  }
  return as_table(rows);
}

/// Returns the digest that prompts carry, made from a copy in which no case is secret.
std::string failure_text(Verdict verdict, const Candidate& candidate, Task task) {
  for (auto& known : task.cases) known.hidden = known.final = false;
  for (auto& mismatch : verdict.mismatches) mismatch.hidden = false;
  if (verdict.call_failure) verdict.call_failure->hidden = false;
  return prompts::error_digest({candidate, std::move(verdict), 0}, task, failure_tokens);
}

std::string energy_text(const CaseTiming& timed) {
  if (timed.energy <= 0) return {};
  return fmt::format("{} mJ ({:.0f} %)", short_number(timed.energy * 1e3),
                     100 * timed.energy_above_idle / timed.energy);
}

std::string timing_text(const Timing& timing) {
  const auto any = [&](auto&& has) { return std::any_of(timing.cases.begin(), timing.cases.end(), has); };
  const bool replayed = any([](const CaseTiming& timed) { return timed.replayed.median > 0; });
  const bool energy = any([](const CaseTiming& timed) { return timed.energy > 0; });
  // A CPU has neither graphs to replay nor energy counters: the two columns appear only if a case has
  // figures.
  const auto row = [&](std::vector<std::string> cells, std::string replay_cell, std::string energy_cell) {
    if (replayed) cells.insert(cells.begin() + 3, std::move(replay_cell));
    if (energy) cells.push_back(std::move(energy_cell));
    return cells;
  };
  std::vector<std::vector<std::string>> rows{
      row({"case", "cold", "hot", "baseline", "speed-up", "95 %"}, "replayed", "energy (above idle)")};
  for (const auto& timed : timing.cases)
    rows.push_back(row({timed.case_name, as_time(timed.cold.median), as_time(timed.hot.median),
                        as_time(timed.baseline_cold.median), fmt::format("{:.2f}x", timed.speedup),
                        fmt::format("{:.2f}..{:.2f}", timed.speedup_low, timed.speedup_high)},
                       as_time(timed.replayed.median), energy_text(timed)));
  rows.push_back(row({"all", "", "", "", fmt::format("{:.2f}x", timing.speedup),
                      fmt::format("{:.2f}..{:.2f}", timing.speedup_low, timing.speedup_high)},
                     "", ""));
  std::string text = as_table(rows) + "baseline: " + timing.baseline + '\n';
  // Work between their windows can shorten them (docs/trust.md): a reader must not take them for measured.
  if (any([](const CaseTiming& timed) { return timed.hot.median > 0; }))
    text += replayed ? "hot and replayed times are claimed and do not score\n"
                     : "hot times are claimed and do not score\n";
  return text;
}

std::string roofline_text(const std::vector<Roofline>& rooflines) {
  std::vector<std::vector<std::string>> rows{
      {"case", "bound", "bandwidth", "compute", "least", "bytes", "operations"}};
  std::string diagnoses;
  for (const auto& roofline : rooflines) {
    rows.push_back(
        {roofline.case_name, std::string(to_string(roofline.bound)),
         fmt::format("{:.1f} %", roofline.bandwidth_share * 100),
         fmt::format("{:.1f} %", roofline.compute_share * 100), as_time(roofline.roof_seconds),
         fmt::format("{}({})", as_count(roofline.bytes), to_string(roofline.bytes_source)),
         fmt::format("{}({})", as_count(roofline.operations), to_string(roofline.operations_source))});
    if (const auto own = history::kernel_time_line(roofline); !own.empty())
      diagnoses += roofline.case_name + ": " + own + '\n';
    if (!roofline.diagnosis.empty()) diagnoses += roofline.case_name + ": " + roofline.diagnosis + '\n';
  }
  return as_table(rows) + diagnoses;
}

std::string launches_text(const std::vector<KernelLaunch>& launches) {
  std::vector<std::vector<std::string>> rows{{"case", "kernel", "time", "blocks", "threads", "registers",
                                              "shared", "DRAM", "occupancy", "possible"}};
  for (const auto& launch : launches)
    rows.push_back(
        {launch.case_name, launch.kernel.empty() ? "(a graph)" : launch.kernel, as_time(launch.seconds),
         std::to_string(launch.blocks()), std::to_string(launch.threads_per_block()),
         std::to_string(launch.registers), as_count(static_cast<double>(launch.shared)),
         as_count(launch.dram_bytes), fmt::format("{:.0f} %", launch.achieved_occupancy * 100),
         fmt::format("{:.0f} % by {}", launch.theoretical_occupancy * 100, to_string(launch.limit))});
  return as_table(rows);
}

std::string memory_text(const std::vector<StageMemory>& stages) {
  const auto gib = [](double bytes) { return fmt::format("{:.2f} GiB", bytes / (1 << 30)); };
  std::vector<std::vector<std::string>> rows{
      {"device memory at most", "judge", "oracle", "runners", "together"}};
  for (const auto& one : stages)
    rows.push_back({std::string(to_string(one.stage)), gib(one.judge), gib(one.oracle), gib(one.runners),
                    gib(one.together)});
  return as_table(rows);
}

}  // namespace

std::string verdict_text(const Verdict& verdict, const Candidate& candidate, const Task& task) {
  auto text = task.name + (verdict.device.empty() ? "" : " on " + verdict.device) + ": " +
              history::verdict_line(verdict) + "\n\n";
  if (!verdict.scorable())
    text +=
        verdict.retryable()
            ? "No score: the machine failed here, not the kernel. The same request may be judged when it is "
              "asked again.\n\n"
            : "No score: this machine cannot judge the request, and asking it again will not help.\n\n";
  text += stages_text(verdict);
  if (verdict.judged() && (!verdict.correct() || verdict.cheated))
    text += '\n' + failure_text(verdict, candidate, task) + '\n';
  if (!verdict.final_failures.empty()) {
    text += "\nfails these final cases, which do not gate:";
    for (const auto& name : verdict.final_failures) text += ' ' + name;
    text += '\n';
  }
  if (verdict.timing) text += '\n' + timing_text(*verdict.timing);
  if (!verdict.rooflines.empty()) text += '\n' + roofline_text(verdict.rooflines);
  if (!verdict.launches.empty()) text += '\n' + launches_text(verdict.launches);
  if (!verdict.memory.empty()) text += '\n' + memory_text(verdict.memory);
  for (const auto& line : history::remark_lines(verdict)) text += line + '\n';
  // Isolation confines what runs; nothing ran.
  if (verdict.at(Stage::call).status == Status::not_reached) return prompts::clean(text);
  text += "\nisolation: " + verdict.isolation.level;
  if (!verdict.isolation.details.empty()) text += " (" + verdict.isolation.details + ")";
  text += '\n';
  return prompts::clean(text);  // compilers quote their sources, and tails of output stand in it
}

}  // namespace ridgeline::cli
