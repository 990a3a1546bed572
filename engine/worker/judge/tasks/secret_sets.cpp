#include "engine/worker/judge/tasks/secret_sets.hpp"

#include "engine/verifier/inputs.hpp"
#include "engine/verifier/on_device.hpp"
#include "profiler/metrics.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

constexpr std::size_t kKept = 3;  // so that candidates seldom share one, at three times its memory

std::size_t bytes_of(const std::vector<at::Tensor>& tensors) {
  std::size_t sum = 0;
  for (const auto& tensor : tensors)
    if (tensor.defined()) sum += tensor.nbytes();
  return sum;
}

}  // namespace

std::vector<at::Tensor> SecretSets::draw_anew(const verifier::Reference& reference, Random& random) const {
  const profiler::ScopedMetric metric("correctness.draw.inputs");
  return verifier::moved_to_reference_device(
      reference, task_, verifier::draw_inputs(task_, case_, set_, random.next(), &reference));
}

void SecretSets::renew(const verifier::Reference& reference, Random& random) {
  const double begin = profiler::wall_seconds();
  expect_for(reference, draw_anew(reference, random));
  seconds_to_draw_ = profiler::wall_seconds() - begin;
}

const SecretInputs& SecretSets::expect_for(const verifier::Reference& reference,
                                           std::vector<at::Tensor> inputs) {
  const profiler::ScopedMetric metric("correctness.draw");
  const double begin = profiler::wall_seconds();
  auto fresh = std::make_unique<SecretInputs>();
  fresh->inputs = std::move(inputs);
  fresh->expected =
      verifier::expect(reference, task_, case_, set_, fresh->inputs, verifier::derived_by_operators, slice_);
  const auto& e = fresh->expected;
  fresh->bytes = bytes_of(fresh->inputs) + bytes_of(e.oracle) + bytes_of(e.tolerance) + bytes_of(e.scale) +
                 bytes_of(e.own) + bytes_of(e.unquantized) + bytes_of(e.draws);
  // Only calls on standard inputs are timed, and so compared under bounds.
  if (set_ == InputSet::standard) bounds_ = verifier::fit_error_bounds(task_, fresh->expected);
  if (kept_.size() == kKept) kept_.erase(kept_.begin());
  kept_.push_back(std::move(fresh));
  seconds_to_draw_ = profiler::wall_seconds() - begin;
  return *kept_.back();
}

const SecretInputs& SecretSets::draw(const verifier::Reference& reference, Random& random) {
  if (kept_.empty()) renew(reference, random);
  return *kept_[random.below(kept_.size())];
}

std::size_t SecretSets::bytes() const {
  std::size_t sum = 0;
  for (const auto& kept : kept_) sum += kept->bytes;
  return sum;
}

}  // namespace ridgeline::judge
