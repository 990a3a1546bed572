// The orders that a runner is given, message by message (runner/wire.hpp).
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "engine/core/error.hpp"
#include "engine/worker/judge/runners/runner_process.hpp"
#include "engine/worker/judge/runners/tick_length.hpp"
#include "engine/worker/protocol/torch_artefact.hpp"
#include "profiler/cpu_info.hpp"
#include "profiler/process_clock.hpp"

namespace ridgeline::judge {
namespace {

using runner::Kind;
using runner::Reply;

constexpr std::uint64_t kCopiesOfWeights = 2;  // a constructor may hold so many at once
constexpr std::uint64_t kWeightsShare = 4;     // of the machine's memory: one in so many for a copy

void set_scalars(runner::Arrange& arrange, const Task& task, const Case& one) {
  const auto values = task.scalar_values(one);
  for (std::size_t i = 0; i < values.floats.size(); ++i) arrange.float_scalars.at(i) = values.floats[i];
  for (std::size_t i = 0; i < values.integers.size(); ++i) arrange.int_scalars.at(i) = values.integers[i];
}

}  // namespace

void RunnerProcess::grant(std::uint64_t mapped) {
  if (child_) child_->grant(mapped + weights_bytes_);
}

RunnerAnswer RunnerProcess::load(const std::filesystem::path& candidate, double limit,
                                 std::uint64_t weights) {
  const auto most = static_cast<std::uint64_t>(profiler::total_memory()) / kWeightsShare;
  const std::uint64_t one_copy = interpreter_ ? std::min(weights, most) : 0;
  const auto granted = [&](std::uint64_t copies) {
    weights_bytes_ = copies * one_copy;
    grant(mapped_bytes_);
  };
  granted(kCopiesOfWeights);
  const auto copy = scratch_folder_ / (interpreter_ ? "candidate.json" : "candidate.so");
  if (interpreter_) {
    protocol::unpack_torch_artefact(candidate, copy);
  } else {
    std::error_code error;
    std::filesystem::copy_file(candidate, copy, error);
    // MachineCannot and no BadInput: the disk may be full, and the candidate is not to blame for it.
    if (error)
      throw MachineCannot(fmt::format("copying the candidate {}: {}; is the folder of TMPDIR full?",
                                      candidate.string(), error.message()));
  }
  runner::Load message;
  if (copy.string().size() >= message.path.size())
    throw MachineCannot("TMPDIR is too long a path for a runner");
  copy.string().copy(message.path.data(), message.path.size() - 1);
  auto answer = ask(&message, sizeof message, {}, limit);
  granted(1);
  runs_for_orders_only_ = !may_start_processes_;
  answer = stopped_after(std::move(answer));
  if (is_ok(answer) && !confined()) return end(RunnerExit::Cause::unconfined);
  return answer;
}

RunnerAnswer RunnerProcess::map(const Arena& arena, double limit) {
  const auto known = std::ranges::find(mapped_, arena.number(), &MappedArena::number);
  if (known == mapped_.end()) return map_at(0, runner::Mapped::alone, arena, limit);
  return map_at(static_cast<std::size_t>(known - mapped_.begin()), runner::Mapped::again, arena, limit);
}

RunnerAnswer RunnerProcess::map_all(const std::vector<const Arena*>& arenas, double limit) {
  RunnerAnswer answer = Reply{};
  for (std::size_t i = 0; i < std::min(arenas.size(), runner::kMaxMappings); ++i) {
    answer = map_at(i, i == 0 ? runner::Mapped::alone : runner::Mapped::beside, *arenas[i], limit);
    if (!is_ok(answer)) break;
  }
  return answer;
}

RunnerAnswer RunnerProcess::map_at(std::size_t place, runner::Mapped how, const Arena& arena, double limit) {
  runner::Map message;
  message.place = static_cast<std::uint32_t>(place);
  message.how = how;
  if (arena.arguments() > runner::kMaxArguments)
    throw BadInput(fmt::format("a kernel of {} tensors; at most {} are supported", arena.arguments(),
                               runner::kMaxArguments));
  message.arguments = static_cast<std::uint32_t>(arena.arguments());
  std::vector<int> descriptors;
  for (std::size_t i = 0; i < arena.arguments(); ++i)
    message.memory_of[i] = static_cast<std::uint16_t>(arena.memory_of(i));
  message.memories = static_cast<std::uint32_t>(arena.memories());
  for (std::size_t i = 0; i < arena.memories(); ++i) {
    message.bytes.at(i) = arena.memory_bytes(i);
    // An interpreter's tensors may be written over themselves, as Triton's interpreter does.
    if (how != runner::Mapped::again)
      descriptors.push_back(interpreter_ ? arena.descriptor(i) : arena.descriptor_for_kernel(i));
  }
  auto mapped = how == runner::Mapped::alone ? std::vector<MappedArena>() : mapped_;
  if (how != runner::Mapped::again) mapped.push_back({arena.number(), arena.host_bytes()});
  std::uint64_t bytes = 0;
  for (const auto& one : mapped) bytes += one.bytes;
  grant(std::max(bytes, mapped_bytes_));  // until what was mapped before is gone
  auto answer = ask(&message, sizeof message, descriptors, limit);
  const auto* reply = std::get_if<Reply>(&answer);
  if (reply) mapping_ = *reply;
  mapped_ = reply && reply->answer == runner::Answer::ok ? std::move(mapped) : std::vector<MappedArena>();
  mapped_bytes_ = bytes;
  grant(mapped_bytes_);
  return answer;
}

RunnerAnswer RunnerProcess::release_memory(double limit) {
  runner::Map message;
  auto answer = ask(&message, sizeof message, {}, limit);
  mapped_.clear();
  mapped_bytes_ = 0;
  grant(mapped_bytes_);
  return answer;
}

RunnerAnswer RunnerProcess::arrange(const Arena& arena, std::size_t slots, const Task& task, const Case& one,
                                    double limit, const Rounds& rounds) {
  const std::size_t calls = rounds.calls > 0 ? rounds.calls : slots;
  auto& message = *arrange_;
  message = {};
  message.slots = static_cast<std::uint32_t>(calls);
  message.arguments = static_cast<std::uint32_t>(arena.arguments());
  message.replay = static_cast<std::uint32_t>(rounds.replay);
  std::size_t at = 0;
  for (const auto& size : task.sizes) message.sizes.at(at++) = one.sizes.at(size);
  set_scalars(message, task, one);
  const std::size_t pointers = calls * arena.arguments();
  if (pointers > runner::kMaxPointers) throw Error("more slots than an arrangement can hold");
  for (std::size_t i = 0; i < pointers; ++i)
    message.pointers[i] = static_cast<std::uint32_t>(
        arena.offset(i / arena.arguments() % slots, i % arena.arguments()) / runner::kPointerUnit);
  message.header.kind = Kind::arrange;
  // CPU time that it used until now, nobody asked for: the next batch reports it. The time of arranging
  // itself is not counted, since the buffers of the next batch are not yet filled and nothing can be computed
  // early.
  pending_outside_ += cpu_now() - cpu_checkpoint_;
  auto answer =
      ask(&message, offsetof(runner::Arrange, pointers) + pointers * sizeof(std::uint32_t), {}, limit);
  cpu_checkpoint_ = cpu_now();
  return answer;
}

RunnerAnswer RunnerProcess::go(std::size_t first, std::size_t count, double limit, runner::CallOrder order) {
  runner::Go message;
  message.order = order;
  message.first = static_cast<std::uint32_t>(first);
  message.count = static_cast<std::uint32_t>(count);
  return ask(&message, sizeof message, {}, limit);
}

RunnerAnswer RunnerProcess::observe(std::size_t slot, double limit) {
  runner::Observe message;
  message.slot = static_cast<std::uint32_t>(slot);
  return ask(&message, sizeof message, {}, limit);
}

RunnerAnswer RunnerProcess::profile(std::uint32_t set, const MemoryFile& sheet, double limit) {
  runner::Profile message;
  message.set = set;
  const int descriptor = sheet.descriptor();
  return ask(&message, sizeof message, {&descriptor, 1}, limit);
}

RunnerAnswer RunnerProcess::count(std::uint32_t set, std::size_t first, std::size_t count, std::uint32_t how,
                                  double limit) {
  runner::Count message;
  message.set = set;
  message.first = static_cast<std::uint32_t>(first);
  message.count = static_cast<std::uint32_t>(count);
  message.how = how;
  return ask(&message, sizeof message, {}, limit);
}

void RunnerProcess::begin_opening(std::uint32_t set) {
  runner::Count message;
  message.set = set;
  message.how = runner::kOpensPass;
  send(&message, sizeof message, {});
}

RunnerAnswer RunnerProcess::await_opening(double limit) {
  if (ended_) return *ended_;
  return stopped_after(await_reply(sequence_, limit));
}

RunnerAnswer RunnerProcess::report(std::uint32_t set, double limit) {
  runner::Report message;
  message.set = set;
  return ask(&message, sizeof message, {}, limit);
}

BatchAnswer RunnerProcess::call(std::size_t first, std::size_t count, double limit, runner::CallOrder order) {
  BatchAnswer batch{RunnerExit{}, {}};
  // The kernel brings a process's CPU time up to date when it leaves its core, so this and the reading after
  // the batch are exact, also of a process that never blocks.
  stop_process();
  const double filled = profiler::wall_seconds();
  const double before = cpu_now();
  batch.times.outside_cpu = std::exchange(pending_outside_, 0) + before - cpu_checkpoint_;
  const auto waited = [this] {
    return shares_device_ && !ended_ ? profiler::waited_for_core(pid()) + profiler::waited_for_core(0) : 0;
  };
  const double waited_before = waited();
  // Work that a candidate left on the device may run once the judge's context no longer has it, so a device's
  // window holds the tens of microseconds of the readings above. A CPU has nothing left to run.
  const double opened = shares_device_ ? filled : profiler::wall_seconds();
  batch.answer = go(first, count, limit, order);
  batch.times.wall = reply_seen_ - opened;
  stop_process();
  if (ended_) batch.answer = *ended_;
  batch.times.waited = std::max(0.0, waited() - waited_before);
  if (const auto* reply = std::get_if<Reply>(&batch.answer)) {
    cpu_checkpoint_ = cpu_now();
    batch.times.cpu = cpu_checkpoint_ - before;
    batch.times.claimed = reply->device_seconds > 0 ? reply->device_seconds
                                                    : static_cast<double>(reply->ticks) * seconds_per_tick();
  }
  return batch;
}

}  // namespace ridgeline::judge
