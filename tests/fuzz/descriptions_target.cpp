// A task's description as the oracle sends it. The oracle is trusted, so exceptions of the reader are fine;
// reading beyond the text, or without end, is not.
#include "engine/oracle/description.hpp"

#include <exception>
#include <nlohmann/json.hpp>

#include "tests/fuzz/json_mutator.hpp"
#include "tests/fuzz/target.hpp"

namespace ridgeline::fuzz {
namespace {

void run_descriptions(std::string_view text) {
  const auto document = nlohmann::json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (document.is_discarded()) return;
  try {
    const auto read = document.get<oracle::Description>();
    for (const auto& tensor : oracle::tensors_of(read.inputs)) oracle::byte_count(tensor);
    for (const auto& tensor : read.outputs) oracle::byte_count(tensor);
    require(nlohmann::json::accept(read.init_arguments) && nlohmann::json::accept(read.init_named),
            "what a constructor is given is JSON");
  } catch (const std::logic_error&) {
    throw;
  } catch (const std::exception&) {
  }
}

std::string mutate_description(std::string_view text, std::size_t, unsigned seed) {
  return mutate_json(text, seed);
}

std::vector<std::string> seeds_of_descriptions() {
  return {R"({"init": {"arguments": [16, {"tuple": [1, 2]}], "named": {"bias": false}},
"state": [{"kind": "parameter", "name": "linear.weight", "dtype": "float32", "shape": [8, 16]}],
"inputs": [{"name": "x", "dtype": "float32", "shape": [4, 16], "made": {"kind": "uniform", "low": 0, "high": 1}},
{"name": "k", "value": 3}],
"outputs": [{"name": "out", "dtype": "float32", "shape": [4, 8]}],
"training": true, "bytes": {"state": 512, "inputs": 256, "outputs": 128, "forward": 400},
"operations": 1056, "longest_sum": 16, "all_sums": 16, "found_by": "run", "available": 1000000})",
          R"({"init": {"arguments": [], "named": {}}, "state": [],
"inputs": [{"name": "a", "dtype": "int64", "shape": [], "made": {"kind": "integers", "low": 0, "high": 9}},
{"name": "b", "dtype": "float16", "shape": [0, 7], "made": {"kind": "normal", "mean": 0, "std": 1}},
{"name": "c", "dtype": "float64", "shape": [2], "made": {"kind": "constant", "value": "nan"}},
{"name": "d", "dtype": "bool", "shape": [9223372036854775807, 9223372036854775807], "made": {"kind": "opaque"}}],
"outputs": [], "training": false, "bytes": {"state": 0, "inputs": 0, "outputs": 0, "forward": 0},
"operations": 0, "longest_sum": 1, "all_sums": 1, "found_by": "shapes", "available": 0})",
          // Once wrong: numbers that no int64 holds.
          R"({"init": {"arguments": [], "named": {}}, "state": [], "inputs": [],
"outputs": [{"name": "a", "dtype": "int64", "shape": [], "made": {"kind": "integers", "low": 0, "high": 1e300}},
{"name": "out", "dtype": "float32", "shape": [1e300]}],
"training": false, "bytes": {"state": 1e300, "inputs": 0, "outputs": 0, "forward": 1e300},
"operations": 1e300, "longest_sum": 1, "all_sums": 1, "found_by": "shapes", "available": -1e300})",
          "[]", "{}"};
}

}  // namespace

const Target descriptions{"descriptions", run_descriptions, seeds_of_descriptions, mutate_description};

}  // namespace ridgeline::fuzz
