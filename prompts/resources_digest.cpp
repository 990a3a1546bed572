#include "prompts/resources_digest.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "prompts/text.hpp"
#include "prompts/units.hpp"

namespace ridgeline::prompts {
namespace {

std::string spills_text(const KernelResources& one) {
  if (!one.spills()) return "no spills";
  return fmt::format("spills (a thread stores {} and loads {})",
                     bytes_text(static_cast<double>(one.spill_stores)),
                     bytes_text(static_cast<double>(one.spill_loads)));
}

}  // namespace

std::string resources_text(const KernelResources& one) {
  auto text = fmt::format("kernel {}: {} registers, {}", cut(clean(one.kernel), 120), one.registers,
                          spills_text(one));
  if (one.stack > 0) text += fmt::format(", {} stack a thread", bytes_text(static_cast<double>(one.stack)));
  // Limits of shared memory are whole KiB.
  if (one.shared > 0)
    text += fmt::format(", {:.3g} KiB shared memory", static_cast<double>(one.shared) / 1024);
  return text;
}

std::vector<std::string> resources_lines(const std::vector<KernelResources>& resources) {
  std::vector<const KernelResources*> order;
  for (const auto& one : resources) order.push_back(&one);
  std::stable_sort(order.begin(), order.end(), [](const KernelResources* a, const KernelResources* b) {
    return a->spill_stores + a->spill_loads > b->spill_stores + b->spill_loads;
  });
  std::vector<std::string> lines;
  for (const auto* one : order)
    if (auto text = resources_text(*one); std::find(lines.begin(), lines.end(), text) == lines.end())
      lines.push_back(std::move(text));
  return lines;
}

}  // namespace ridgeline::prompts
