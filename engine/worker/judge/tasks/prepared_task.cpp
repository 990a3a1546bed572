#include "engine/worker/judge/tasks/prepared_task.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "engine/core/error.hpp"
#include "engine/worker/runner/wire.hpp"

namespace ridgeline::judge {

namespace {
void check_limits(const Task& task) {
  std::size_t memories = 1;  // pieces of memory; weights share one
  for (const auto* tensor : task.tensors()) memories += tensor->state.empty() ? 1 : 0;
  if (memories > runner::kMaxMemories)
    throw BadInput(fmt::format("task {}: at most {} tensors beside weights are supported", task.name,
                               runner::kMaxMemories - 1));
  if (task.tensors().size() > runner::kMaxArguments || task.sizes.size() > runner::kMaxSizes ||
      task.scalars().size() > runner::kMaxScalars)
    throw BadInput(fmt::format("task {}: at most {} tensors, {} sizes and {} scalars are supported",
                               task.name, runner::kMaxArguments, runner::kMaxSizes, runner::kMaxScalars));
}
}  // namespace

PreparedCase::PreparedCase(const Task& task, const Case& definition, std::int64_t slice)
    : task_(task),
      case_(definition),
      sets_{SecretSets(task, definition, InputSet::standard, slice),
            SecretSets(task, definition, InputSet::outlier, slice),
            SecretSets(task, definition, InputSet::edge, slice)} {}

Instance PreparedCase::next_instance(const verifier::Reference& reference, Random& random) {
  if (!stream_) {
    stream_ =
        std::make_shared<verifier::InputStream>(task_, case_, InputSet::standard, random.next(), &reference);
    used_ = 0;
  }
  return {stream_, used_++};
}

double PreparedCase::expectation_seconds() const {
  double least = 0;
  for (const auto& set : sets_)
    if (const double took = set.seconds_to_draw(); took > 0)
      least = least == 0 ? took : std::min(least, took);
  return least;
}

std::size_t PreparedCase::bytes() const {
  std::size_t sum = 0;
  for (std::size_t m = 0; timing_arena && m < timing_arena->memories(); ++m)
    sum += timing_arena->memory_bytes(m);
  for (const auto& sets : sets_) sum += sets.bytes();
  if (stream_) sum += stream_->kept_bytes();
  return sum;
}

namespace {
// An honest kernel on a busy host may take a few times its reference without being hung.
constexpr double kLeastReferences = 5;
}  // namespace

double limit_for(const PreparedCase& prepared_case, double call_limit) {
  const double reference = prepared_case.baseline().reference_seconds();
  return std::max(std::min(call_limit, std::max(2.0, 50 * reference)), kLeastReferences * reference);
}

PreparedTask::PreparedTask(Task task, std::uint64_t secret, Backend& backend)
    : task_(std::move(task)),
      backend_(backend),
      reference_(backend.references().make(task_)),
      random_(secret) {
  check_limits(task_);
  for (const auto& one : task_.cases)
    cases_.push_back(std::make_unique<PreparedCase>(task_, one, backend.memory().slice_elements(task_, one)));
}

/// Final cases are left out: most candidates never meet them, and their sets would only hold memory.
void PreparedTask::make_ready(bool hidden_cases) {
  reference_->make_ready();
  if (needs_streaming()) return;
  for (const auto& one : cases_) {
    const auto& definition = one->definition();
    if (definition.final || (definition.hidden && !hidden_cases)) continue;
    for (const auto set : kInputSets) one->sets(set).draw(*reference_, random_);
  }
}

void PreparedTask::renew_one(double most_seconds) {
  if (cases_.empty()) return;
  // A set that nobody has drawn yet is left alone: the first candidate may never need it.
  const std::size_t turn = renewed_++;
  auto& one = *cases_[turn / kInputSets.size() % cases_.size()];
  auto& sets = one.sets(kInputSets[turn % kInputSets.size()]);
  if (sets.bytes() > 0 && sets.seconds_to_draw() <= most_seconds) sets.renew(*reference_, random_);
}

PreparedCase* PreparedTask::find(const std::string& name) {
  for (const auto& one : cases_)
    if (one->definition().name == name) return one.get();
  return nullptr;
}

double PreparedTask::longest_baseline() const {
  double longest = 0;
  for (const auto& one : cases_)
    if (const auto& kept = one->baseline().kept()) longest = std::max(longest, kept->median);
  return longest;
}

void PreparedCase::free_buffers() {
  timing_arena.reset();
  stream_.reset();
}

bool PreparedTask::needs_streaming() const {
  return std::any_of(task_.cases.begin(), task_.cases.end(),
                     [&](const auto& one) { return backend_.memory().needs_streaming(task_, one); });
}

void PreparedTask::free_streaming_buffers() {
  for (auto& each : cases_)
    if (backend_.memory().needs_streaming(task_, each->definition())) each->free_buffers();
}

void PreparedTask::drop_slots() {
  for (auto& one : cases_) one->timing_arena.reset();
}

std::size_t PreparedTask::bytes() const {
  std::size_t sum = 0;
  for (const auto& one : cases_) sum += one->bytes();
  return sum;
}

}  // namespace ridgeline::judge
