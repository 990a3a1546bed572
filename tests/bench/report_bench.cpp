// The `report` figures: seconds of `compare`, seconds and bytes of the HTML report, over a store of 100,050
// evaluations: 5 strategies, 87 tasks of 15 categories, 23 seeds, 10 rounds.
//
//   bench-report [FOLDER]       FOLDER keeps the store as report_bench.db (default: it is made in the working
//                               folder and removed)
//   bench-report --short        the same of 3 tasks and 2 seeds
//
// Prints a JSON line a figure. The trajectories are simulated (tests/engine/report/simulated_store.hpp).
#include <chrono>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>

#include "engine/compare/compare.hpp"
#include "engine/report/report.hpp"
#include "engine/store/reader.hpp"
#include "engine/store/store.hpp"
#include "tests/bench/short_form.hpp"
#include "tests/engine/report/simulated_store.hpp"

namespace ridgeline::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

void print_figure(const char* figure, double value, const char* unit, const char* goal) {
  std::printf(R"({"figure":"%s","value":%.2f,"unit":"%s","goal":"%s"})"
              "\n",
              figure, value, unit, goal);
}

void measure(const store::Store& store) {
  const store::Reader reader(store);
  auto start = Clock::now();
  const auto comparison = compare::compare({&reader}, {});
  print_figure("compare", seconds_since(start), "s", "<= 5");
  start = Clock::now();
  const auto html = report::html_report(comparison, {{store.path(), &reader}});
  print_figure("report", seconds_since(start), "s", "<= 5");
  print_figure("report size", static_cast<double>(html.size()) / 1e6, "MB", "<= 5");
}

int run(const std::string& folder, bool brief) {
  const auto path = (std::filesystem::path(folder.empty() ? "." : folder) / "report_bench.db").string();
  if (!std::filesystem::exists(path))
    report::samples::simulate(
        store::Store::open(path, store::OpenMode::create_or_resume),
        brief ? report::samples::SimulatedSize{3, 2} : report::samples::SimulatedSize{});
  measure(store::Store::open(path, store::OpenMode::read_only));
  if (folder.empty())
    for (const auto* suffix : {"", "-wal", "-shm", ".lock"}) std::filesystem::remove(path + suffix);
  return 0;
}

}  // namespace
}  // namespace ridgeline::bench

int main(int argc, char** argv) {
  try {
    const bool brief = ridgeline::bench::take_short(argc, argv);
    return ridgeline::bench::run(argc > 1 ? argv[1] : "", brief);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "bench-report: %s\n", error.what());
    return 3;
  }
}
