// What a judge leaves out where nobody asks for all counters (profiler/device_metrics.hpp) must change no
// word that a model is told. Proved over calls of which everything was counted, on an H100 and an H200
// (tests/prompts/counted/native.jsonl: `ridgeline evaluate --batch`, of an H200 with --all-counters).
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>

#include "engine/core/codec.hpp"
#include "engine/core/counters.hpp"
#include "engine/core/diagnosis.hpp"
#include "profiler/device_metrics.hpp"
#include "prompts/counters_digest.hpp"
#include "prompts/words/diagnosis_text.hpp"

namespace ridgeline::prompts {
namespace {

using profiler::MetricSet;

struct Counted {
  std::string task;
  DType dtype;
  Ceilings ceilings;
  std::vector<Roofline> rooflines;
  std::vector<KernelLaunch> launches;
};

std::vector<Counted> counted_calls() {
  std::ifstream file(RIDGELINE_SOURCE_DIR "/tests/prompts/counted/native.jsonl");
  std::vector<Counted> all;
  for (std::string line; std::getline(file, line);) {
    const auto document = nlohmann::json::parse(line);
    nlohmann::json whole = Verdict();  // of which the file has the counted part
    whole.update(document);
    auto verdict = whole.get<Verdict>();
    // No source of these can reach the tensor pipe, and the judge says so. What the chip counted there where
    // it was asked is double arithmetic.
    for (auto& roofline : verdict.rooflines)
      for (auto& counter : roofline.counters)
        if (counter.name == counter::tensor_instructions) counter = {counter.name, 0, Source::analytic};
    all.push_back({document.at("task"), *from_name<DType>(document.at("dtype").get<std::string>()),
                   std::move(verdict.ceilings).value(), std::move(verdict.rooflines),
                   std::move(verdict.launches)});
  }
  return all;
}

/// The names of all counters that can come of a set's metrics.
std::set<std::string> counters_from(MetricSet set) {
  profiler::MetricValues values;
  for (const auto& metric : profiler::metrics_of(set)) values[metric] = 1;
  std::set<std::string> names;
  for (const auto& counter : profiler::counters_of(set, values)) names.insert(counter.name);
  return names;
}

/// As if only `set` had been counted.
Roofline with_counters_of(MetricSet set, Roofline roofline) {
  const auto all = counters_from(MetricSet::all), kept = counters_from(set);
  std::erase_if(roofline.counters,
                [&](const Counter& one) { return all.contains(one.name) && !kept.contains(one.name); });
  return roofline;
}

std::string told(const Counted& call, const Roofline& roofline) {
  std::vector<KernelLaunch> launches;
  std::ranges::copy_if(call.launches, std::back_inserter(launches),
                       [&](const KernelLaunch& one) { return one.case_name == roofline.case_name; });
  auto text = words::diagnosis_text(diagnose_counted(roofline, call.ceilings, call.dtype, launches));
  for (const auto& line : counter_lines(roofline, call.launches)) text += "\n" + line.text;
  return text;
}

TEST(FewerCounters, TellAModelTheSameOfCandidatesThatCannotUseTheTensorPipe) {
  const auto calls = counted_calls();
  ASSERT_GE(calls.size(), 20u);
  std::size_t compared = 0, left_out = 0;
  for (const auto& call : calls)
    for (const auto& roofline : call.rooflines) {
      const auto fewer = with_counters_of(MetricSet::plain, roofline);
      EXPECT_EQ(told(call, fewer), told(call, roofline)) << call.task << ", " << roofline.case_name;
      left_out += roofline.counters.size() - fewer.counters.size();
      ++compared;
    }
  EXPECT_GE(compared, 30u);
  EXPECT_GE(left_out, 3 * compared) << "something is left out, or nothing is proved";
}

/// Of libraries' products of matrices the precision must be told: these are as in the set of a module.
TEST(FewerCounters, TellAModelTheSameOfProductsInTheTypesThatItsSourceMayUse) {
  for (const auto& call : counted_calls())
    for (auto roofline : call.rooflines) {
      const auto put = [&](std::string_view name, double value) {
        std::erase_if(roofline.counters, [&](const Counter& one) { return one.name == name; });
        roofline.counters.push_back({std::string(name), value, Source::cupti});
      };
      put(counter::tensor_instructions, 4096);
      put(counter::tensor_tf32_operations, 1e9);
      for (const auto name : {counter::tensor_bf16_operations, counter::tensor_fp16_operations,
                              counter::tensor_int8_operations})
        put(name, 0);
      const auto fewer = with_counters_of(MetricSet::tensor, roofline);
      EXPECT_LT(fewer.counters.size(), roofline.counters.size());
      EXPECT_EQ(told(call, fewer), told(call, roofline)) << call.task << ", " << roofline.case_name;
    }
}

}  // namespace
}  // namespace ridgeline::prompts
