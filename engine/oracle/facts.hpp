// What the oracle measured of a task: facts, not yet a judgement (assessment.hpp).
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

/// float32 against float64, in units of KernelBench's tolerance.
struct Float64Facts {
  double units = 0;  ///< of the element that is farthest off
  std::uint64_t beyond = 0;
  std::uint64_t elements = 0;
  std::string failure;  ///< why there are no figures; "" if there are
};

struct CheckFacts {
  std::vector<std::string> trials;  ///< "" where the reference passed as its own candidate, else why not
  bool repeats = true;              ///< two forwards from one seed agree in every bit
  bool random = false;  ///< a forward without reseeding differs by more than the tolerance: it draws numbers
  std::optional<std::string> cast;  ///< integer inputs cast to float, as KernelBench's evaluator does: "" if
                                    ///< that changes nothing; none without integer inputs
  std::vector<PassingNull> nulls;
  std::optional<Float64Facts> float64;
  double forward_seconds = 0;
};

/// Throws nlohmann's exceptions: only for what the oracle wrote.
void from_json(const nlohmann::json& in, CheckFacts& out);

}  // namespace ridgeline::oracle
