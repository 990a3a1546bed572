// The result of examining a task of a foreign suite before anybody answers it.
#pragma once

#include "engine/core/names.hpp"

namespace ridgeline {

/// A task's state after the examination.
enum class Standing {
  ok,
  unchecked,     ///< it can be described; nothing was tried
  degenerate,    ///< an answer that does not do the work passes the suite's own rule
  broken,        ///< it does not run, or no answer can be recognised as right
  does_not_fit,  ///< this machine lacks the memory or the time
  unsupported    ///< it runs, but no kernel can be called in its place: Ridgeline's limit, not the task's
};
constexpr auto enum_names(Standing) {
  return std::to_array<Name<Standing>>({{Standing::ok, "ok"},
                                        {Standing::unchecked, "unchecked"},
                                        {Standing::degenerate, "degenerate"},
                                        {Standing::broken, "broken"},
                                        {Standing::does_not_fit, "does_not_fit"},
                                        {Standing::unsupported, "unsupported"}});
}

/// Whether answers to the task can be judged. Degenerate tasks can, and are reported apart.
constexpr bool can_be_judged(Standing standing) {
  return standing == Standing::ok || standing == Standing::unchecked || standing == Standing::degenerate;
}

}  // namespace ridgeline
