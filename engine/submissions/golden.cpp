#include "engine/submissions/golden.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <fstream>
#include <regex>
#include <set>

#include "engine/core/error.hpp"

namespace ridgeline::submissions {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kAbnormalMs = 10000, kAbnormalSpeedup = 0.01;  // of KernelBench-X's second script
constexpr int kDigits = 4;

std::vector<std::string> machines_below(const fs::path& folder) {
  std::vector<std::string> names;
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored))
    if (entry.is_directory()) names.push_back(entry.path().filename().string());
  std::ranges::sort(names);
  return names;
}

std::optional<double> number_in(const json& row, const char* key) {
  const auto found = row.find(key);
  if (found == row.end() || !found->is_number()) return std::nullopt;
  return found->get<double>();
}

/// The sum of a table's times; an error text if a row has none that is positive.
struct Sum {
  double ms = 0;
  std::string error;
};

Sum sum_of(const json& rows, const char* whose) {
  Sum sum;
  for (std::size_t index = 0; index < rows.size(); ++index) {
    const auto ms = number_in(rows[index], "ms");
    if (!ms || *ms <= 0) sum.error = fmt::format("{} row {} has no positive ms", whose, index);
    sum.ms += ms.value_or(0);
  }
  return sum;
}

std::optional<double> matched(const json& rows, const json& golden) {
  double ours = 0, theirs = 0;
  std::vector<bool> taken(golden.size());
  for (const auto& row : rows)
    for (std::size_t index = 0; index < golden.size(); ++index) {
      if (taken[index] || golden[index].value("input_size", json()) != row.value("input_size", json()))
        continue;
      taken[index] = true;
      ours += number_in(row, "ms").value_or(0);
      theirs += number_in(golden[index], "ms").value_or(0);
      break;
    }
  if (ours <= 0 || theirs <= 0) return std::nullopt;
  return theirs / ours;
}

}  // namespace

double rounded(double value, int digits) {
  return std::stod(fmt::format("{:.{}f}", value, digits));
}

Golden read_golden(const fs::path& root, const std::string& machine) {
  const auto all = root / "metrics" / "golden_results";
  const auto folder = machine.find('/') == std::string::npos ? all / machine : fs::path(machine);
  Golden golden{machine, {}};
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(folder, ignored)) {
    if (entry.path().extension() != ".json") continue;
    auto rows = json::parse(std::ifstream(entry.path()), nullptr, /*allow_exceptions=*/false);
    const bool table =
        rows.is_array() && std::ranges::all_of(rows, [](const json& row) { return row.is_object(); });
    if (!table)
      throw BadInput(entry.path().string() +
                     ": is no table of reference times (a JSON list with \"ms\" a size)");
    golden.tables[entry.path().stem().string()] = std::move(rows);
  }
  if (!golden.tables.empty()) return golden;
  const auto machines = machines_below(all);
  throw BadInput(fmt::format("--golden {}: no tables of reference times in {}; the clone has {}", machine,
                             folder.string(),
                             machines.empty() ? "none" : fmt::format("{}", fmt::join(machines, ", "))));
}

Efficiency efficiency(const json& sizes, const Golden& golden, const std::string& stem) {
  Efficiency result;
  result.sizes = static_cast<int>(sizes.size());
  const auto table = golden.tables.find(stem);
  if (table == golden.tables.end()) return result.error = "no reference", result;
  result.golden_sizes = static_cast<int>(table->second.size());
  if (sizes.empty())
    return result.error = "no size was timed: each failed in the performance script, or it has none", result;
  const auto ours = sum_of(sizes, "the submission's"), theirs = sum_of(table->second, "the reference's");
  result.error = !ours.error.empty() ? ours.error : theirs.error;
  if (table->second.empty()) result.error = "the reference's table is empty";
  double gigabytes = 0, operations = 0;
  for (const auto& row : sizes) {
    const auto ms = number_in(row, "ms"), gbs = number_in(row, "GB/s"), tflops = number_in(row, "TFLOPS");
    if (!ms || !gbs || !tflops) result.error = "a row lacks ms, GB/s or TFLOPS";
    gigabytes += gbs.value_or(0) * (ms.value_or(0) / 1000.0);
    operations += tflops.value_or(0) * (ms.value_or(0) / 1000.0);
  }
  if (!result.error.empty()) return result;
  result.runtime_ms = rounded(ours.ms, kDigits);
  if (result.runtime_ms <= 0) return result.error = "the sum of its times rounds to 0 ms", result;
  result.ok = true;
  result.golden_ms = theirs.ms;
  result.gbs = rounded(gigabytes / ours.ms * 1000.0, kDigits);
  result.tflops = rounded(operations / (ours.ms / 1000.0), kDigits);
  result.speedup = rounded(theirs.ms / result.runtime_ms, kDigits);
  result.abnormal = result.runtime_ms > kAbnormalMs || result.speedup < kAbnormalSpeedup;
  result.matched_speedup = matched(sizes, table->second);
  return result;
}

std::string dtype_of_script(const std::string& text, const std::string& stem) {
  std::string lower = stem, guess;
  std::ranges::transform(lower, lower.begin(), [](unsigned char c) { return std::tolower(c); });
  for (const char* token : {"fp16", "bf16", "fp32", "fp64", "int8", "int4", "w8a8", "w4a16"})
    if (guess.empty() && lower.find(token) != std::string::npos) guess = token;
  if (guess.empty()) guess = "float32";
  static const std::regex pattern(R"(def __init__\s*\(\s*self\s*,\s*dtype\s*=\s*([^,\)\n]+))");
  std::smatch found;
  if (!std::regex_search(text, found, pattern)) return guess;
  std::string raw = found[1];
  while (raw.ends_with(' ')) raw.pop_back();
  if (raw.starts_with("torch.")) return raw.substr(6);
  if (raw.empty() || raw == "None" || raw == "NoneType" || raw == "null") return guess;
  return raw;
}

}  // namespace ridgeline::submissions
