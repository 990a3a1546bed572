// A file of KernelBench-X with its test, and the module that the oracle made of it: its forward makes the
// calls of the test that can be judged, and its inputs are drawn as the test draws them.
#pragma once

#include <map>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "engine/core/names.hpp"

namespace ridgeline::oracle {

/// A reference and its test, as texts.
struct TestedText {
  std::string name;       ///< its name in messages: "Activation/gelu"
  std::string reference;  ///< defines `entry` at its top level
  std::string test;       ///< run in the reference's namespace; calls `entry`
  std::string entry;
  std::map<std::string, std::string> support;  ///< modules that the test imports, by name
};

/// Why a call of a test is not judged.
enum class CallFault {
  raises,        ///< it raises an exception, here or in another draw
  fixed,         ///< its inputs are the same in each draw: an answer could remember its results
  same_result,   ///< its results are the same though its inputs are others: a constant would pass
  input_copy,    ///< its results are copies of inputs
  shape_varies,  ///< shapes of inputs or results depend on what is drawn
  not_finite,    ///< its results are infinite or no numbers
  random,        ///< it draws random numbers
  not_unique,    ///< another factorization that is as right gives another result
  float64,       ///< in double precision it fails, or gives another result: there is nothing to judge by
  argument,      ///< it takes something that is no tensor, number, text, None or list of these
  result         ///< it returns something else than tensors and numbers
};
constexpr auto enum_names(CallFault) {
  return std::to_array<Name<CallFault>>({{CallFault::raises, "raises"},
                                         {CallFault::fixed, "fixed"},
                                         {CallFault::same_result, "same_result"},
                                         {CallFault::input_copy, "input_copy"},
                                         {CallFault::shape_varies, "shape_varies"},
                                         {CallFault::not_finite, "not_finite"},
                                         {CallFault::random, "random"},
                                         {CallFault::not_unique, "not_unique"},
                                         {CallFault::float64, "float64"},
                                         {CallFault::argument, "argument"},
                                         {CallFault::result, "result"}});
}

/// A call that is not judged.
struct UnjudgedCall {
  int number = 0;  ///< in the order of the test, from 1
  CallFault fault = CallFault::raises;
  std::string words;  ///< what was seen: "draws random numbers"
};

/// Holds what the oracle found in a test. Calls that differ in values alone are one case: the first is chosen
/// whose inputs the judge can draw itself, or else the first.
struct Harvest {
  int calls = 0;            ///< that the test makes
  std::vector<int> chosen;  ///< numbers of the calls that are judged, ascending; empty: there is no module
  std::vector<UnjudgedCall> unjudged;
  std::string text;     ///< the module's file in KernelBench's form: the reference, `adapter`, get_inputs
  std::string adapter;  ///< the class Model: makes the chosen calls of what _ridgeline_entry names
  std::vector<bool> within;  ///< for each input whether outliers would leave the function's domain
  int fixed_inputs = 0;      ///< inputs that are the same in each draw, beside others that are not
  int replayed_inputs = 0;   ///< inputs that only the test's own code can draw
};

/// Reads a reply of the oracle. Throws nlohmann's exceptions or Error: not for text from elsewhere.
void from_json(const nlohmann::json& in, Harvest& out);

}  // namespace ridgeline::oracle
