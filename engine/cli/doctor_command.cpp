// `ridgeline doctor`: what this machine can do, and the mend for what it cannot.
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

namespace ridgeline::cli {
namespace {

using nlohmann::json;

struct DoctorOptions {
  std::string launcher, folder = ".";
  bool json = false;
};

/// Of the folder in which a store would lie.
struct StorePlace {
  std::string folder;
  std::string problem;  ///< with its mend; "" if a store may lie there
};

StorePlace store_place(const std::string& folder) {
  StorePlace place{std::filesystem::absolute(folder).lexically_normal().string(), {}};
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

std::string ceiling_text(const Ceilings& one) {
  std::string text = fmt::format("{}: {}B/s memory", one.device, as_count(one.bandwidth));
  if (one.cache_bandwidth > 0) text += fmt::format(", {}B/s cache", as_count(one.cache_bandwidth));
  for (const auto& peak : one.peaks)
    text += fmt::format(", {}op/s {}", as_count(peak.operations_per_second), peak.unit);
  return text;
}

std::string text_of(const protocol::Hello& hello, const StorePlace& place) {
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
  row("counters", hello.counters.readable ? "readable" : "not readable");
  for (const auto& one : hello.ceilings) row("ceilings", ceiling_text(one));
  row("store", place.folder + (place.problem.empty() ? ": a store may lie here" : ": not here"));
  auto text = as_table(rows);

  auto mends = hello.shortfalls;
  for (const auto& missing : hello.isolation.missing) mends.push_back("isolation: " + missing);
  // A worker may tell of its counters among the shortfalls too.
  const auto told = [&](const std::string& mend) {
    return mend.find(hello.counters.why_not) != std::string::npos;
  };
  if (!hello.counters.readable && std::ranges::none_of(mends, told))
    mends.push_back("counters: " + hello.counters.why_not);
  if (!place.problem.empty()) mends.push_back("store: " + place.problem);
  if (const auto problem = certificates_problem()) mends.push_back("https: " + *problem);
  if (mends.empty()) return text + "\nNothing is missing.\n";
  text += "\nWhat this machine cannot do, and the mend:\n";
  for (const auto& mend : mends) text += "- " + mend + '\n';
  return text;
}

json document_of(const protocol::Hello& hello, const StorePlace& place) {
  return {
      {"worker", protocol::encode(protocol::FromWorker(hello))},
      {"https", {{"usable", !certificates_problem()}, {"problem", certificates_problem().value_or("")}}},
      {"store", {{"folder", place.folder}, {"usable", place.problem.empty()}, {"problem", place.problem}}}};
}

void look(const DoctorOptions& options, Exit& exit) {
  const auto place = store_place(options.folder);
  Workers workers(options.launcher, {});
  const auto hello = workers.pool().hellos().at(0);
  if (options.json)
    print_json("doctor", document_of(hello, place));
  else
    std::cout << text_of(hello, place);
  if (hello.languages.empty() || hello.torch.empty()) exit.code = 3;
}

}  // namespace

void add_doctor_command(CLI::App& app, Exit& exit) {
  auto* command = app.add_subcommand("doctor", "What this machine can do, and the mend for what it cannot");
  const auto options = std::make_shared<DoctorOptions>();
  command->add_option("--folder", options->folder, "Where stores are to lie (default: here)")
      ->type_name("DIR");
  add_launcher_option(*command, options->launcher);
  add_json_option(*command, options->json);
  command->callback([options, &exit] { look(*options, exit); });
}

}  // namespace ridgeline::cli
