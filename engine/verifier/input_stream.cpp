#include "engine/verifier/input_stream.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <deque>
#include <mutex>
#include <string>
#include <utility>

#include "engine/core/hash.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/draw_there.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::size_t most_draws = 8;                       // of the reference, that are kept
constexpr std::size_t most_drawn = std::size_t{256} << 20;  // bytes of those draws

/// How the values of an instance come about: each number by itself, by a draw of the reference, or as a
/// whole.
enum class Origin { numbers, reference, whole };

/// Draws of the reference, one for each instance, made when they are first needed. The last few are kept,
/// since slots are filled from a draw and checked against it, and a draw may make gigabytes.
class ReferenceDraws {
 public:
  /// `reference` must outlive this. It computes on the device where draws are kept, since slots lie there.
  ReferenceDraws(const Task& task, const Reference* reference, std::uint64_t seed, std::size_t most)
      : task_(task), reference_(reference), seed_(seed), most_(most) {}

  /// Tensors of one draw belong together.
  std::vector<at::Tensor> draw(std::uint64_t instance) {
    const std::lock_guard lock(mutex_);
    for (const auto& [number, tensors] : kept_)
      if (number == instance) return tensors;
    while (kept_.size() >= std::max<std::size_t>(1, most_)) kept_.pop_front();  // before memory is needed
    auto drawn = drawn_by_reference(task_, reference_, Random(seed_, instance).bits(0));
    for (auto& tensor : drawn)
      if (tensor.defined()) tensor = tensor.to(reference_->device()).contiguous();
    kept_.emplace_back(instance, drawn);
    return drawn;
  }

 private:
  const Task task_;
  const Reference* reference_;
  std::uint64_t seed_;
  std::size_t most_;
  std::mutex mutex_;
  std::deque<std::pair<std::uint64_t, std::vector<at::Tensor>>> kept_;
};

/// One argument's source of values.
struct Source {
  DrawPlan plan;
  Origin origin = Origin::whole;
  InputSet set = InputSet::standard;
  bool factorized = false;
  std::uint64_t seed = 0;
  std::size_t argument = 0;
  at::Tensor state;                       // of a module, which the reference draws once for all instances
  std::shared_ptr<ReferenceDraws> draws;  // of what else the reference draws

  std::size_t bytes() const { return static_cast<std::size_t>(plan.elements) * size_of(plan.dtype); }
  std::uint64_t count() const { return static_cast<std::uint64_t>(plan.elements * components(plan.dtype)); }
  at::Tensor drawn(std::uint64_t instance) const {
    return state.defined() ? state : draws->draw(instance).at(argument - 1);
  }

  Random random(std::uint64_t instance) const {
    const auto hash =
        sha256_of({std::to_string(seed), std::to_string(argument), to_string(set), std::to_string(instance)});
    return Random::with_key(std::stoull(hash.substr(0, 16), nullptr, 16));
  }
};

Origin origin_of(const DrawPlan& plan, InputSet set) {
  if (plan.draw == Draw::reference) return Origin::reference;
  const bool as_drawn = set == InputSet::standard || plan.draw == Draw::constant;
  return is_independent(plan.draw) && as_drawn ? Origin::numbers : Origin::whole;
}

at::Tensor whole_of(const Source& source, std::uint64_t instance, at::Device device) {
  const auto random = source.random(instance);
  const auto& plan = source.plan;
  if (device.is_cpu() || source.set != InputSet::standard)
    return draw_tensor(plan, source.set, source.factorized, random).to(device);
  return is_matrix(plan.draw) ? draw_matrices(plan, random, device)
                              : draw_rows_on_device(plan, random, device);
}

void write(const Source& source, std::uint64_t instance, void* buffer) {
  if (source.bytes() == 0) return;
  if (source.origin == Origin::numbers)
    return draw_independent(source.plan, source.random(instance), source.plan.elements, buffer);
  const auto values = source.origin == Origin::reference ? source.drawn(instance).cpu()
                                                         : whole_of(source, instance, at::kCPU);
  std::memcpy(buffer, values.const_data_ptr(), source.bytes());
}

/// Compares piece by piece, so that no second buffer of the whole size is filled.
bool holds_numbers(const Source& source, std::uint64_t instance, const void* buffer) {
  const auto generation = generation_of(source.plan, source.random(instance));
  const auto size = size_of(generation.type);
  std::vector<std::byte> drawn(static_cast<std::size_t>(range_length) * size);
  const auto* seen = static_cast<const std::byte*>(buffer);
  for (std::uint64_t first = 0; first < source.count(); first += range_length) {
    const auto count = std::min<std::uint64_t>(range_length, source.count() - first);
    write_numbers(generation, first, count, drawn.data());
    if (std::memcmp(seen + first * size, drawn.data(), count * size) != 0) return false;
  }
  return true;
}

/// Lets the reference draw once: a module's state, which is the same under every seed, and the first
/// instance. Returns how many draws of the rest may be kept; 0 if all that the reference draws is state.
std::size_t add_draws(std::vector<Source>& sources, const Task& task, const Reference* reference,
                      std::uint64_t seed) {
  std::size_t bytes = 0;  // of one draw without its state
  const auto tensors = arguments_of(task);
  const bool any = std::ranges::any_of(sources, [](const auto& s) { return s.origin == Origin::reference; });
  if (!any) return 0;
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (sources[i].origin == Origin::reference && tensors[i]->state.empty()) bytes += sources[i].bytes();
  const auto most = bytes == 0 ? 0 : std::clamp<std::size_t>(most_drawn / bytes, 2, most_draws);
  const auto draws = std::make_shared<ReferenceDraws>(task, reference, seed, most);
  const auto first = draws->draw(0);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    if (sources[i].origin != Origin::reference) continue;
    if (tensors[i]->state.empty())
      sources[i].draws = draws;
    else
      sources[i].state = first.at(i);
  }
  return most;
}

}  // namespace

struct InputStream::State {
  std::vector<Source> sources;
  std::size_t kept_draws = 0;
};

InputStream::InputStream(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
                         const Reference* reference) {
  auto state = std::make_unique<State>();
  for (const auto* tensor : arguments_of(task)) {
    auto& source = state->sources.emplace_back();
    source.plan = plan_draw(*tensor, task_case.sizes);
    source.origin = origin_of(source.plan, set);
    source.set = set;
    source.factorized = is_factorization(task);
    source.seed = seed;
    source.argument = state->sources.size();
  }
  state->kept_draws = add_draws(state->sources, task, reference, seed);
  state_ = std::move(state);
}

InputStream::InputStream(InputStream&&) noexcept = default;
InputStream& InputStream::operator=(InputStream&&) noexcept = default;
InputStream::~InputStream() = default;

std::size_t InputStream::arguments() const {
  return state_->sources.size();
}
std::size_t InputStream::bytes(std::size_t argument) const {
  return state_->sources.at(argument).bytes();
}
std::uint64_t InputStream::count(std::size_t argument) const {
  return state_->sources.at(argument).count();
}

bool InputStream::keeps(std::size_t argument) const {
  return state_->sources.at(argument).origin == Origin::reference;
}

std::size_t InputStream::kept_bytes() const {
  std::size_t sum = 0;
  for (const auto& source : state_->sources)
    if (source.origin == Origin::reference)
      sum += source.bytes() * (source.state.defined() ? 1 : state_->kept_draws);
  return sum;
}

std::optional<numbers::Generation> InputStream::generation(std::uint64_t instance,
                                                           std::size_t argument) const {
  const auto& source = state_->sources.at(argument);
  if (source.origin != Origin::numbers) return std::nullopt;
  return generation_of(source.plan, source.random(instance));
}

at::Tensor InputStream::values(std::uint64_t instance, std::size_t argument, at::Device device) const {
  const auto& source = state_->sources.at(argument);
  if (source.origin == Origin::reference) return source.drawn(instance).to(device);
  if (source.origin == Origin::whole) return whole_of(source, instance, device);
  auto drawn = at::empty(source.plan.shape, at::TensorOptions().dtype(scalar_type(source.plan.dtype)));
  write(source, instance, drawn.data_ptr());
  return drawn.to(device);
}

void InputStream::refill(std::uint64_t instance, std::size_t argument, void* buffer) const {
  write(state_->sources.at(argument), instance, buffer);
}

bool InputStream::unchanged(std::uint64_t instance, std::size_t argument, const void* buffer) const {
  const auto& source = state_->sources.at(argument);
  if (source.bytes() == 0) return true;
  if (source.origin == Origin::numbers) return holds_numbers(source, instance, buffer);
  const auto drawn = values(instance, argument, at::kCPU);
  return std::memcmp(buffer, drawn.const_data_ptr(), source.bytes()) == 0;
}

std::vector<at::Tensor> InputStream::rebuild(std::uint64_t instance) const {
  std::vector<at::Tensor> tensors;
  for (const auto& source : state_->sources) {
    tensors.push_back(
        at::empty(source.plan.shape, at::TensorOptions().dtype(scalar_type(source.plan.dtype))));
    write(source, instance, tensors.back().data_ptr());
  }
  return tensors;
}

}  // namespace ridgeline::verifier
