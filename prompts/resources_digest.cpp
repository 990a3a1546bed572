#include "prompts/resources_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "prompts/text.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

/// Bytes, not counts of instructions: a model compares them with the registers it may use.
std::string spills_text(const KernelResources& kernel) {
  if (!kernel.spills()) return "no spills";
  return fmt::format("spills (a thread stores {} and loads {})",
                     bytes_text(static_cast<double>(kernel.spill_stores)),
                     bytes_text(static_cast<double>(kernel.spill_loads)));
}

}  // namespace

std::string resources_text(const KernelResources& kernel) {
  auto text = fmt::format("kernel {}: {} registers, {}", cut(clean(kernel.kernel), 120), kernel.registers,
                          spills_text(kernel));
  if (kernel.stack > 0)
    text += fmt::format(", {} stack a thread", bytes_text(static_cast<double>(kernel.stack)));
  // Limits of shared memory are whole KiB.
  if (kernel.shared > 0)
    text += fmt::format(", {:.3g} KiB shared memory", static_cast<double>(kernel.shared) / 1024);
  return text;
}

std::vector<std::string> resources_lines(const std::vector<KernelResources>& resources) {
  std::vector<const KernelResources*> order;
  for (const auto& kernel : resources) order.push_back(&kernel);
  std::stable_sort(order.begin(), order.end(), [](const KernelResources* a, const KernelResources* b) {
    return a->spill_stores + a->spill_loads > b->spill_stores + b->spill_loads;
  });
  std::vector<std::string> lines;
  for (const auto* kernel : order)
    if (auto text = resources_text(*kernel); std::find(lines.begin(), lines.end(), text) == lines.end())
      lines.push_back(std::move(text));
  return lines;
}

}  // namespace ridgeline::prompts
