#include "engine/verifier/input_stream.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <cstring>
#include <string>

#include "engine/core/hash.hpp"
#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/draw_there.hpp"
#include "engine/verifier/elements.hpp"
#include "engine/verifier/number_blocks.hpp"
#include "engine/verifier/parallel.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::size_t most_draws = 8;                       // that the reference makes
constexpr std::size_t most_drawn = std::size_t{256} << 20;  // bytes of those draws

/// How the values of an instance come about: each number by itself, by one of the reference's draws, or as a
/// whole.
enum class Origin { numbers, kept, whole };

/// One argument's source of values.
struct Source {
  DrawPlan plan;
  Origin origin = Origin::whole;
  InputSet set = InputSet::standard;
  bool factorized = false;
  std::uint64_t seed = 0;
  std::size_t argument = 0;
  std::vector<at::Tensor> kept;

  std::size_t bytes() const { return static_cast<std::size_t>(plan.elements) * size_of(plan.dtype); }
  std::uint64_t count() const { return static_cast<std::uint64_t>(plan.elements * components(plan.dtype)); }
  const at::Tensor& kept_of(std::uint64_t instance) const { return kept[instance % kept.size()]; }

  Random random(std::uint64_t instance) const {
    const auto hash =
        sha256_of({std::to_string(seed), std::to_string(argument), to_string(set), std::to_string(instance)});
    return Random::with_key(std::stoull(hash.substr(0, 16), nullptr, 16));
  }
};

Origin origin_of(const DrawPlan& plan, InputSet set) {
  if (plan.draw == Draw::reference) return Origin::kept;
  const bool as_drawn = set == InputSet::standard || plan.draw == Draw::constant;
  return is_independent(plan.draw) && as_drawn ? Origin::numbers : Origin::whole;
}

at::Tensor whole_of(const Source& source, std::uint64_t instance, at::Device device) {
  const auto random = source.random(instance);
  const auto& plan = source.plan;
  if (device.is_cpu() || source.set != InputSet::standard)
    return draw_tensor(plan, source.set, source.factorized, random).to(device);
  return is_matrix(plan.draw) ? draw_matrices(plan, source.set, random, device)
                              : draw_rows_on_device(plan, random, device);
}

void write(const Source& source, std::uint64_t instance, void* buffer) {
  if (source.bytes() == 0) return;
  if (source.origin == Origin::numbers)
    return draw_independent(source.plan, source.random(instance), source.plan.elements, buffer);
  const auto values =
      source.origin == Origin::kept ? source.kept_of(instance).cpu() : whole_of(source, instance, at::kCPU);
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

/// Lets the reference draw as often as memory allows, and once if all that it draws is state (parameters,
/// the same under every seed). Tensors of one draw belong together, so all sources choose by the instance
/// only. Draws are kept where the reference computes, since slots lie there too.
void add_draws(std::vector<Source>& sources, const Task& task, const Reference* reference,
               std::uint64_t seed) {
  std::size_t bytes = 0;  // of one draw without its state, which is stored once
  const auto tensors = arguments_of(task);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (sources[i].origin == Origin::kept && tensors[i]->state.empty()) bytes += sources[i].bytes();
  const auto draws = bytes == 0 ? 1 : std::clamp<std::size_t>(most_drawn / bytes, 2, most_draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const auto drawn = drawn_by_reference(task, reference, Random(seed, draw).bits(0));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (sources[i].origin == Origin::kept && (draw == 0 || tensors[i]->state.empty()))
        sources[i].kept.push_back(drawn[i].to(reference->device()).contiguous());
  }
}

}  // namespace

struct InputStream::State {
  std::vector<Source> sources;
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
  add_draws(state->sources, task, reference, seed);
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
  return state_->sources.at(argument).origin == Origin::kept;
}

std::size_t InputStream::kept_bytes() const {
  std::size_t sum = 0;
  for (const auto& source : state_->sources)
    for (const auto& tensor : source.kept) sum += tensor.nbytes();
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
  if (source.origin == Origin::kept) return source.kept_of(instance).to(device);
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
