#include "engine/torch_slim/misses.hpp"

#include <fmt/format.h>

#include "engine/torch_slim/headers.hpp"

namespace ridgeline::torch_slim {

std::optional<std::string> Misses::count(Build build, const std::string& error) {
  const std::lock_guard lock{mutex_};
  ++modules_;
  slim_ += build == Build::slim;
  if (build != Build::torch) return std::nullopt;
  ++missed_;
  return fmt::format(
      "torch_slim: a module needed torch's own headers ({} of {} so far); the stand-ins for torch {} said: "
      "{}",
      missed_, modules_, torch_version, error);
}

std::string Misses::summary() const {
  const std::lock_guard lock{mutex_};
  if (modules_ == 0) return "";
  // The rate is of sources that are right: a wrong one needs no header.
  const auto right = slim_ + missed_;
  const double rate = right == 0 ? 0 : 100.0 * missed_ / right;
  return fmt::format(
      "torch_slim: stand-ins for torch {}: {} module{}, {} built with them, {} needed torch's own headers "
      "({:.1f} %)",
      torch_version, modules_, modules_ == 1 ? "" : "s", slim_, missed_, rate);
}

}  // namespace ridgeline::torch_slim
