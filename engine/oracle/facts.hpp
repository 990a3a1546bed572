// Facts that the oracle measured about a task; engine/suites/modules/assessment.hpp judges them.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ridgeline::oracle {

/// A null answer that passed every trial.
struct PassingNull {
  std::string kind;    ///< zeros, constant, other_draw, input_copy, partial_work
  std::string detail;  ///< "zeros in the second half of axis 1 of the output"
};

/// How far float32 is from float64, in units of KernelBench's tolerance.
struct Float64Facts {
  double units = 0;  ///< the error of the element that is farthest off
  std::uint64_t beyond = 0;
  std::uint64_t elements = 0;
  std::string failure;  ///< why there are no figures; "" if there are
};

/// The results of all trials of a task.
struct CheckFacts {
  std::vector<std::string> trials;  ///< "" if the reference passed as its own candidate, else why not
  bool repeats = true;              ///< two forwards from one seed agree in every bit
  /// Whether forward draws random numbers: without reseeding it differs by more than the tolerance.
  bool random = false;
  /// The effect of casting integer inputs to float, as KernelBench's evaluator does: "" if that changes
  /// nothing; nullopt without integer inputs.
  std::optional<std::string> cast;
  std::vector<PassingNull> nulls;
  std::optional<Float64Facts> float64;
  double forward_seconds = 0;
};

/// Reads a reply of the oracle. Throws nlohmann's exceptions: not for text from elsewhere.
void from_json(const nlohmann::json& in, CheckFacts& out);

}  // namespace ridgeline::oracle
