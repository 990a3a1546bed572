// `ridgeline doctor`: what this machine can do, and the fix for what it cannot.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/cli/certificates.hpp"
#include "engine/cli/commands.hpp"
#include "engine/cli/options.hpp"
#include "engine/cli/printing.hpp"
#include "engine/cli/workers.hpp"
#include "engine/core/codec.hpp"
#include "engine/store/file_system.hpp"
#include "profiler/cpu_ceilings.hpp"

namespace ridgeline::cli {
namespace {

using nlohmann::json;

struct DoctorOptions {
  std::string launcher, folder = ".";
  bool json = false;
};

/// Says whether a store may lie in a folder.
struct StorePlace {
  std::string folder;
  std::string problem;  ///< with its fix; "" if a store may lie there
};

StorePlace store_place(const std::string& folder) {
  StorePlace place{std::filesystem::absolute(folder).lexically_normal().string(), {}};
  // SQLite's locks are unreliable on network file systems: a store there can be corrupted.
  try {
    if (const auto network = store::network_file_system(store::file_system_type(place.folder)))
      place.problem =
          fmt::format("{} is no file system for a store: keep it on a local disk (--store FILE)", *network);
  } catch (const MachineCannot& error) {
    place.problem = error.what();
  }
  return place;
}

std::string joined(const std::vector<std::string>& words) {
  return words.empty() ? "none" : fmt::format("{}", fmt::join(words, ", "));
}

/// Returns the ceilings of the worker's devices. A worker measures its CPU's only with the first candidate
/// that it times, so for this machine they are measured here, in half a second, as the judge does. A machine
/// behind a launcher cannot be measured from here.
std::vector<Ceilings> ceilings_of(const protocol::Hello& hello, const DoctorOptions& options) {
  auto all = hello.ceilings;
  if (options.launcher.empty() && std::ranges::find(hello.backends, "cpu") != hello.backends.end())
    all.push_back(profiler::measure_cpu_ceilings());
  return all;
}

std::string level_text(const MemoryLevel& level) {
  const auto size = level.bytes > 0 ? fmt::format(" of {}B", as_count(level.bytes)) : std::string();
  return fmt::format("{}{}: {}B/s read, {}B/s written, {}B/s both", level.name, size, as_count(level.read),
                     as_count(level.written), as_count(level.both));
}

/// Writes a device's ceilings, one per line.
std::vector<std::string> ceiling_lines(const Ceilings& ceilings) {
  std::vector<std::string> lines;
  for (const auto& level : ceilings.levels) lines.push_back(level_text(level));
  if (ceilings.levels.empty()) lines.push_back(fmt::format("memory: {}B/s", as_count(ceilings.bandwidth)));
  if (ceilings.levels.empty() && ceilings.cache_bandwidth > 0)
    lines.push_back(fmt::format("cache: {}B/s", as_count(ceilings.cache_bandwidth)));
  std::string peaks;
  for (const auto& peak : ceilings.peaks)
    peaks += fmt::format("{}{}op/s {}", peaks.empty() ? "" : ", ", as_count(peak.operations_per_second),
                         peak.unit);
  lines.push_back("arithmetic: " + peaks);
  for (auto& line : lines) line = ceilings.device + ", " + line;
  return lines;
}

std::string text_of(const protocol::Hello& hello, const std::vector<Ceilings>& ceilings,
                    const StorePlace& place) {
  std::vector<std::vector<std::string>> rows;
  const auto row = [&rows](std::string name, std::string value) {
    rows.push_back({std::move(name), std::move(value)});
  };
  row("host", hello.host);
  row("ridgeline", hello.ridgeline);
  row("languages", joined(hello.languages));
  row("backends", joined(hello.backends));
  for (const auto& device : hello.devices)
    row("device", fmt::format("{} ({} {}, {}B)", device.name, device.backend, device.index,
                              as_count(device.memory_bytes)));
  for (const auto& tool : hello.toolchains)
    row("toolchain", fmt::format("{}: {} ({})", tool.name, tool.version, tool.path));
  row("LibTorch", hello.torch.empty() ? "none: nothing can be judged here" : hello.torch);
  row("isolation", hello.isolation.level + ": " + hello.isolation.details);
  for (const auto& line : hello.plan) row("cores", line);
  row("counters", hello.counters.readable ? "readable" : "not readable");
  for (const auto& device : ceilings)
    for (auto& line : ceiling_lines(device)) row("ceiling", std::move(line));
  if (ceilings.empty())
    row("ceilings",
        "not measured yet: run `ridgeline doctor` there, or see verdict.ceilings of `ridgeline "
        "evaluate TASK SOURCE --json`");
  row("store", place.folder + (place.problem.empty() ? ": a store may lie here" : ": not here"));
  auto text = as_table(rows);

  auto fixes = hello.shortfalls;
  for (const auto& missing : hello.isolation.missing) fixes.push_back("isolation: " + missing);
  // A worker may list unreadable counters among its shortfalls too: they are printed once.
  const auto about_counters = [&](const std::string& fix) {
    return fix.find(hello.counters.why_not) != std::string::npos;
  };
  if (!hello.counters.readable && std::ranges::none_of(fixes, about_counters))
    fixes.push_back("counters: " + hello.counters.why_not);
  if (!place.problem.empty()) fixes.push_back("store: " + place.problem);
  if (const auto problem = certificates_problem()) fixes.push_back("https: " + *problem);
  if (fixes.empty()) return text + "\nNothing is missing.\n";
  text += "\nWhat this machine cannot do, and the fix:\n";
  for (const auto& fix : fixes) text += "- " + fix + '\n';
  return text;
}

json document_of(const protocol::Hello& hello, const std::vector<Ceilings>& ceilings,
                 const StorePlace& place) {
  return {
      {"ceilings", ceilings},
      {"worker", protocol::encode(protocol::FromWorker(hello))},
      {"https", {{"usable", !certificates_problem()}, {"problem", certificates_problem().value_or("")}}},
      {"store", {{"folder", place.folder}, {"usable", place.problem.empty()}, {"problem", place.problem}}}};
}

void diagnose(const DoctorOptions& options, Exit& exit) {
  const auto place = store_place(options.folder);
  Workers workers(options.launcher, {});
  const auto hello = workers.pool().hellos().at(0);
  const auto ceilings = ceilings_of(hello, options);
  if (options.json)
    print_json("doctor", document_of(hello, ceilings, place));
  else
    std::cout << text_of(hello, ceilings, place);
  // Everything else has a way around it; without these two nothing can be judged here.
  if (hello.languages.empty() || hello.torch.empty()) exit.code = 3;
}

}  // namespace

void add_doctor_command(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("doctor", "What this machine can do, and the fix for what it cannot");
  const auto options = std::make_shared<DoctorOptions>();
  command->add_option("--folder", options->folder, "Where stores are to lie (default: here)")
      ->type_name("DIR");
  add_launcher_option(*command, options->launcher);
  add_json_option(*command, options->json);
  command->callback([options, &exit] { diagnose(*options, exit); });
}

}  // namespace ridgeline::cli
