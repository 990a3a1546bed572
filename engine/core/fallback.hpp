// Says how a campaign treats answers that compute by a framework's operators although kernels were asked for.
#pragma once

#include "engine/core/names.hpp"

namespace ridgeline {

enum class Fallback {
  allow,  ///< the verdict notes it
  flag,   ///< a suspicion: correct, and its figures enter no comparison
  reject  ///< not correct
};
constexpr auto enum_names(Fallback) {
  return std::to_array<Name<Fallback>>(
      {{Fallback::allow, "allow"}, {Fallback::flag, "flag"}, {Fallback::reject, "reject"}});
}

}  // namespace ridgeline
