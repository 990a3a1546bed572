// What is known of a task of a suite from elsewhere before anybody answers it.
#pragma once

#include "engine/core/names.hpp"

namespace ridgeline {

enum class Standing {
  ok,
  unchecked,     ///< it can be described; nothing was tried
  degenerate,    ///< an answer that does not do the work passes the suite's own rule
  broken,        ///< it does not run, or no answer can be told right
  does_not_fit,  ///< this machine lacks the memory or the time
  unsupported    ///< it runs, and cannot be put to a kernel: Ridgeline's limit, not the task's
};
constexpr auto enum_names(Standing) {
  return std::to_array<Name<Standing>>({{Standing::ok, "ok"},
                                        {Standing::unchecked, "unchecked"},
                                        {Standing::degenerate, "degenerate"},
                                        {Standing::broken, "broken"},
                                        {Standing::does_not_fit, "does_not_fit"},
                                        {Standing::unsupported, "unsupported"}});
}

/// Whether answers to it can be judged at all. Degenerate tasks can, and are reported apart.
constexpr bool can_be_judged(Standing standing) {
  return standing == Standing::ok || standing == Standing::unchecked || standing == Standing::degenerate;
}

}  // namespace ridgeline
