#include "engine/verifier/input_pool.hpp"

#include <ATen/ops/empty.h>

#include <algorithm>
#include <bit>
#include <cstring>

#include "engine/verifier/buffers.hpp"
#include "engine/verifier/draw_tensor.hpp"
#include "engine/verifier/draw_there.hpp"
#include "engine/verifier/elements.hpp"

namespace ridgeline::verifier {
namespace {

constexpr std::int64_t windows = 65536;  // offsets that a window may have
// Offsets are multiples of this many bytes: devices copy from such addresses fastest.
constexpr std::int64_t aligned_bytes = 16;
constexpr std::int64_t enough_rows = 1024;  // with fewer rows, windows of rows would repeat too soon
constexpr std::uint64_t kept_matrices = 4;
constexpr std::size_t most_draws = 8;                       // that the reference makes
constexpr std::size_t most_drawn = std::size_t{256} << 20;  // bytes of those draws

/// How the values of an instance come about: a window of the pool, a pre-drawn matrix times a factor, one of
/// the reference's draws, or a new draw.
enum class Refill { window, scaled, chosen, redraw };

/// One argument's source of values.
struct Source {
  DrawPlan plan;
  Refill refill = Refill::redraw;
  InputSet set = InputSet::standard;
  bool factorized = false;
  Random random{0, 0};
  std::int64_t step = 1;             // window: elements between two offsets
  std::int64_t places = windows;     // window: how many offsets there are, a power of two
  at::Tensor pool;                   // window: elements + (places - 1) * step of them
  std::vector<at::Tensor> matrices;  // scaled, chosen: pre-drawn

  std::size_t element() const { return size_of(plan.dtype); }
  std::size_t bytes() const { return static_cast<std::size_t>(plan.elements) * element(); }

  /// Odd strides visit every residue of a power of two, so no offset comes twice within `windows` instances.
  const std::byte* window(std::uint64_t instance) const {
    const auto stride = random.fork(1).bits(0) | 1, start = random.fork(1).bits(1);
    const auto offset = (start + stride * instance) % static_cast<std::uint64_t>(places);
    return static_cast<const std::byte*>(pool.const_data_ptr()) +
           offset * static_cast<std::uint64_t>(step) * element();
  }
};

Refill refill_for(const DrawPlan& plan, InputSet set, bool factorized) {
  if (plan.draw == Draw::reference) return Refill::chosen;
  if (is_matrix(plan.draw)) return Refill::scaled;
  // Edge rows depend on each other's order, so a window would cut them apart.
  if (set == InputSet::edge && plan.draw != Draw::constant) return Refill::redraw;
  if (!is_independent(plan.draw))
    return plan.rows() >= enough_rows && set == InputSet::standard ? Refill::window : Refill::redraw;
  return factorized && set != InputSet::standard ? Refill::redraw : Refill::window;
}

Source make_source(const DrawPlan& plan, InputSet set, bool factorized, const Random& random,
                   at::Device device) {
  Source source;
  source.plan = plan;
  source.refill = refill_for(plan, set, factorized);
  source.set = set;
  source.factorized = factorized;
  source.random = random;
  if (source.refill == Refill::window && !is_independent(plan.draw)) {
    source.step = plan.row;
    source.places = static_cast<std::int64_t>(std::bit_floor(static_cast<std::uint64_t>(plan.rows())));
    auto longer = plan;
    longer.elements += (source.places - 1) * plan.row;
    source.pool = at::empty({longer.elements}, at::TensorOptions().dtype(scalar_type(plan.dtype)));
    draw_rows(longer, random.fork(2), source.pool.data_ptr());
  } else if (source.refill == Refill::window) {
    source.step = std::max<std::int64_t>(1, aligned_bytes / static_cast<std::int64_t>(source.element()));
    const auto count = plan.elements + (windows - 1) * source.step;
    if (!device.is_cpu()) {
      source.pool = draw_on_device(plan, set, random.fork(2), count, device);
      return source;
    }
    source.pool = at::empty({count}, at::TensorOptions().dtype(scalar_type(plan.dtype)));
    draw_independent(plan, random.fork(2), count, source.pool.data_ptr());
    if (set == InputSet::outlier && takes_outliers(plan))
      add_outliers(plan, random.fork(3), count, source.pool.data_ptr());
  }
  if (source.refill == Refill::scaled)
    for (std::uint64_t i = 0; i < kept_matrices; ++i)
      source.matrices.push_back(draw_tensor(plan, set, factorized, random.fork(4 + i)));
  return source;
}

/// Multiplies by a factor in [0.75, 1.25): positive, so it keeps symmetry, definiteness and condition.
void scale_matrices(const Source& source, std::uint64_t instance, void* buffer) {
  const auto own = source.random.fork(3);
  const auto& matrices = source.matrices[own.below(2 * instance, kept_matrices)];
  const double factor = 0.75 + 0.5 * own.unit(2 * instance + 1);
  const auto count = static_cast<std::size_t>(source.plan.elements * components(source.plan.dtype));
  with_type(source.plan.dtype, [&]<class T>(T*) {
    const auto* from = static_cast<const T*>(matrices.const_data_ptr());
    auto* to = static_cast<T*>(buffer);
    for (std::size_t i = 0; i < count; ++i) to[i] = from_double<T>(factor * to_double(from[i]));
  });
}

void write(const Source& source, std::uint64_t instance, void* buffer) {
  if (source.bytes() == 0) return;
  switch (source.refill) {
    case Refill::window:
      std::memcpy(buffer, source.window(instance), source.bytes());
      return;
    case Refill::scaled:
      scale_matrices(source, instance, buffer);
      return;
    case Refill::chosen:
      std::memcpy(buffer, source.matrices[instance % source.matrices.size()].const_data_ptr(),
                  source.bytes());
      return;
    case Refill::redraw:
      const auto drawn =
          draw_tensor(source.plan, source.set, source.factorized, source.random.fork(instance + 16));
      std::memcpy(buffer, drawn.const_data_ptr(), source.bytes());
  }
}

/// Lets the reference draw as often as memory allows, and once if all that it draws is state (parameters,
/// the same under every seed). Tensors of one draw belong together, so all sources choose by the instance
/// only.
void add_draws(std::vector<Source>& sources, const Task& task, const Reference* reference,
               std::uint64_t seed) {
  std::size_t bytes = 0;  // of one draw without its state, which is stored once
  const auto tensors = arguments_of(task);
  for (std::size_t i = 0; i < tensors.size(); ++i)
    if (sources[i].refill == Refill::chosen && tensors[i]->state.empty()) bytes += sources[i].bytes();
  const auto draws = bytes == 0 ? 1 : std::clamp<std::size_t>(most_drawn / bytes, 2, most_draws);
  for (std::size_t draw = 0; draw < draws; ++draw) {
    const auto drawn = drawn_by_reference(task, reference, Random(seed, draw).bits(0));
    for (std::size_t i = 0; i < drawn.size(); ++i)
      if (sources[i].refill == Refill::chosen && (draw == 0 || tensors[i]->state.empty()))
        sources[i].matrices.push_back(drawn[i]);
  }
}

}  // namespace

struct InputPool::State {
  std::vector<Source> sources;
};

InputPool::InputPool(const Task& task, const Case& task_case, InputSet set, std::uint64_t seed,
                     const Reference* reference) {
  auto state = std::make_unique<State>();
  for (const auto* tensor : arguments_of(task)) {
    const auto plan = plan_draw(*tensor, task_case.sizes);
    state->sources.push_back(make_source(plan, set, is_factorization(task),
                                         stream_of(seed, state->sources.size(), set).fork(1),
                                         device_for_drawing(task, plan, reference)));
  }
  add_draws(state->sources, task, reference, seed);
  state_ = std::move(state);
}

InputPool::InputPool(InputPool&&) noexcept = default;
InputPool& InputPool::operator=(InputPool&&) noexcept = default;
InputPool::~InputPool() = default;

std::size_t InputPool::arguments() const {
  return state_->sources.size();
}
std::size_t InputPool::bytes(std::size_t argument) const {
  return state_->sources.at(argument).bytes();
}

void InputPool::refill(std::uint64_t instance, std::size_t argument, void* buffer) const {
  write(state_->sources.at(argument), instance, buffer);
}

std::optional<InputPool::Window> InputPool::window(std::uint64_t instance, std::size_t argument) const {
  const auto& source = state_->sources.at(argument);
  if (source.bytes() == 0) return std::nullopt;
  if (source.refill == Refill::chosen) {
    const auto& chosen = source.matrices[instance % source.matrices.size()];
    return Window{chosen.const_data_ptr(), chosen.nbytes(), 0, !chosen.is_cpu()};
  }
  if (source.refill != Refill::window) return std::nullopt;
  const auto* pool = static_cast<const std::byte*>(source.pool.const_data_ptr());
  return Window{pool, source.pool.nbytes(), static_cast<std::size_t>(source.window(instance) - pool),
                !source.pool.is_cpu()};
}

bool InputPool::unchanged(std::uint64_t instance, std::size_t argument, const void* buffer) const {
  const auto& source = state_->sources.at(argument);
  if (source.bytes() == 0) return true;
  if (source.refill == Refill::window)
    return std::memcmp(buffer, source.window(instance), source.bytes()) == 0;
  const auto copy = at::empty(source.plan.shape, at::TensorOptions().dtype(scalar_type(source.plan.dtype)));
  write(source, instance, copy.data_ptr());
  return std::memcmp(buffer, copy.const_data_ptr(), source.bytes()) == 0;
}

std::vector<at::Tensor> InputPool::rebuild(std::uint64_t instance) const {
  std::vector<at::Tensor> tensors;
  for (const auto& source : state_->sources) {
    tensors.push_back(
        at::empty(source.plan.shape, at::TensorOptions().dtype(scalar_type(source.plan.dtype))));
    write(source, instance, tensors.back().data_ptr());
  }
  return tensors;
}

}  // namespace ridgeline::verifier
